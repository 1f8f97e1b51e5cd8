package policy

import (
	"regexp"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// plainPath returns a path as the most lenient file systems read it: without case and without invisible characters,
// with ASCII letters and signs for those that look the same to Unicode, with slashes for backslashes, and each name
// without blanks around it, dots at its end, and a stream behind a colon. Two paths that some file system takes for the
// same have the same plain path.
func plainPath(name string) string {
	var parts []string
	for part := range strings.SplitSeq(strings.ReplaceAll(foldCase(name), `\`, "/"), "/") {
		part, _, _ = strings.Cut(part, ":")
		part = strings.TrimLeft(part, " ")
		if part == ".." {
			parts = parts[:max(len(parts)-1, 0)]
		} else if part = strings.TrimRight(part, ". "); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/")
}

// foldCase returns a text without case, invisible characters and differences of form: APFS takes a ligature for its
// letters and the sign of Kelvin for a k.
func foldCase(s string) string {
	if isASCII(s) {
		return strings.ToLower(strings.Map(visible, s))
	}
	// Forms differ in case too, and folding may decompose.
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(strings.Map(visible, s))))
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 }

// visible returns r, or -1 if it is invisible.
func visible(r rune) rune {
	if markdown.Invisible(r) {
		return -1
	}
	return r
}

// shortName matches the names of eight and three letters by which Windows also knows a file with a longer one. Which
// file that is depends on the others of its folder.
var shortName = regexp.MustCompile(`^[^.~]{1,6}~[0-9]{1,6}(\.[^.]{0,3})?$`)

// isShort reports whether a plain path has a name that may be the short one of another.
func isShort(plain string) bool {
	if !strings.Contains(plain, "~") {
		return false
	}
	for part := range strings.SplitSeq(plain, "/") {
		if shortName.MatchString(part) {
			return true
		}
	}
	return false
}
