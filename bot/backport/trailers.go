package backport

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// gits matches the beginning of a trailer that git itself writes, trailer that of any.
	gits    = regexp.MustCompile(`^(?:Signed-off-by: |\(cherry picked from commit )`)
	trailer = regexp.MustCompile(`^[A-Za-z0-9-]+[ \t]*:`)
)

// endsInTrailers reports whether the last paragraph of a message, which is not its first, is one of trailers by the
// rule of git interpret-trailers: all of it are trailers, or at least a quarter, of which git has written one. A
// trailer may go on in lines that begin with white space. Comments do not count.
func endsInTrailers(text string) bool {
	lines := strings.Split(text, "\n")
	start := lastParagraph(lines)
	trailers, others, known, goesOn := 0, 0, false, false
	for _, line := range lines[start:] {
		switch byGit := gits.MatchString(line); {
		case line[0] == '#':
			goesOn = false
		case byGit, trailer.MatchString(line):
			trailers++
			known, goesOn = known || byGit, true
		case goesOn && (line[0] == ' ' || line[0] == '\t'):
		default:
			others++
			goesOn = false
		}
	}
	return start > 0 && trailers > 0 && (others == 0 || known && 3*trailers >= others)
}

// lastParagraph returns the index of the first line of the last paragraph.
func lastParagraph(lines []string) int {
	start := len(lines)
	for start > 0 && strings.Trim(lines[start-1], " \t") != "" {
		start--
	}
	return start
}

// Noted returns a message with one paragraph more, which is above its trailers.
func Noted(text, paragraph string) string {
	if !endsInTrailers(text) {
		return text + "\n\n" + paragraph
	}
	lines := strings.Split(text, "\n")
	return strings.Join(slices.Insert(lines, lastParagraph(lines), paragraph, ""), "\n")
}
