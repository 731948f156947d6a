package scenarios

import "strings"

// Closest is the name that is nearest to a mistyped word, or the first that
// begins with it, or "" if none is near.
func Closest(word string, names []string) string {
	word = strings.ToLower(word)
	best, least := "", min(max(1, len(word)/3)+1, len(word)) // another word of as many letters is not near
	for _, name := range names {
		if len(word) > 1 && strings.HasPrefix(strings.ToLower(name), word) {
			return name
		}
		if d := editDistance(word, strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	return best
}

// choose words what would have been right instead of a word: the nearest name if
// there is one, and all names.
func choose(word string, names []string) string {
	all := "there are " + strings.Join(names, ", ")
	if near := Closest(word, names); near != "" {
		return "did you mean " + near + "? " + all
	}
	return all
}

// editDistance counts the insertions, deletions, replacements and swaps of
// neighbours that make b of a. Words here are short.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return len(a) + len(b)
	}
	var before, row, next [65]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			replace := row[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			next[j] = min(replace, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
