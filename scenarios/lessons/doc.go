// Package lessons reads the lessons and shows them: short runs that teach one thing each,
// with a page of text. The files are in testdata/lessons and part of the program, so that a
// lesson works wherever the program does.
//
// A page has commands in it, not their output. Whoever shows a lesson carries the commands
// out, and what they print stands in the page below them.
//
// # Pages
//
// A page is Markdown of a few forms: a title, one question as a quotation, headings,
// paragraphs, lists, and blocks of code. Every sentence ends with an anchor, a comment that
// nobody is shown:
//
//	At 4 ms P records.<!-- claim: p-records -->
//	A marker is a message of the algorithm's own.<!-- term -->
//	What happens without it?<!-- task -->
//	The rule is in section 3.<!-- paper -->
//
// A claim says something of the runs of the lesson, and a test with its name looks at the
// runs to see whether it is so, down to every number in the sentence. A term says what a word
// means, or draws a conclusion that is about no run, and so has no number and no name of a
// node in it. The tests of this package hold every page to that.
//
// A block of code that is headed by the word simrun is a command, one line; behind the word
// may stand which parts of its output are shown, by how they begin, with semicolons between
// them. (A part is what has no empty line in it.)
//
// The package carries nothing out itself, and knows no command line.
package lessons
