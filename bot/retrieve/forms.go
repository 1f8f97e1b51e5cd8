package retrieve

import (
	"regexp"
	"strings"
)

// formHeading matches the heading of a section, formFence the delimiter of a block of code.
var (
	formHeading = regexp.MustCompile(`^#{1,6} `)
	formFence   = regexp.MustCompile("^\\s{0,3}(?:```|~~~)")
)

// shortAnswer is how long what is below a heading may be for the heading to be the question of a form, in bytes: the
// name of a system, or a version.
const shortAnswer = 24

// withoutForms returns the text of an issue without the questions of an issue form that have no answer or a short one:
// they are the words of the form, not of the issue.
func withoutForms(text string) string {
	var out, section strings.Builder
	heading, fenced := "", false
	end := func() {
		body := strings.TrimSpace(section.String())
		switch {
		case body == "_No response_":
			section.Reset()
		case body == "" || len(body) > shortAnswer:
			out.WriteString(heading)
		}
		out.WriteString(section.String())
		section.Reset()
	}
	for line := range strings.Lines(text) {
		fenced = fenced != formFence.MatchString(line)
		if !fenced && formHeading.MatchString(line) {
			end()
			heading = line
			continue
		}
		section.WriteString(line)
	}
	end()
	return out.String()
}
