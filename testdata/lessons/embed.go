// Package lessons holds the files of the lessons: for each a page, and the scenarios that
// it runs.
package lessons

import "embed"

// Files is the pages and the scenarios.
//
//go:embed *.md *.yaml
var Files embed.FS
