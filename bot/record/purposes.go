package record

import (
	"slices"
	"strings"
)

// Purposes returns what the model says that the applied blocks are for, as a list in Markdown, each purpose once; empty
// if it does not say.
func Purposes(results []Result) string {
	var said []string
	for _, r := range results {
		if r.Status.Applied() && r.Purpose != "" && !slices.Contains(said, r.Purpose) {
			said = append(said, r.Purpose)
		}
	}
	if len(said) < 2 {
		return strings.Join(said, "")
	}
	return "- " + strings.Join(said, "\n- ")
}
