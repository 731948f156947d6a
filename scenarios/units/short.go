package units

import "unicode/utf8"

// shortest is how many characters of a value a message shows.
const shortest = 40

// Short is a value as it stands in a message: cut if it is long, because nobody
// reads a message of a thousand characters to its end.
func Short(text string) string {
	if utf8.RuneCountInString(text) <= shortest {
		return text
	}
	return string([]rune(text)[:shortest]) + "..."
}
