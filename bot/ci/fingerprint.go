package ci

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// Fingerprint returns a text that is equal for two lists of failures if the same checks failed with the same errors,
// in any order, whatever their times, addresses and line numbers. It is empty if there are none.
func Fingerprint(failures []Failure) string {
	if len(failures) == 0 {
		return ""
	}
	var all []string
	for _, f := range failures {
		all = append(all, strings.Join(append([]string{oneLine(f.Name)}, errorsOf(f)...), "\n"))
	}
	slices.Sort(all)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(all), "\n\n")))
	return hex.EncodeToString(sum[:16])
}

// lastLines is how many lines of a log are its errors if nothing in it looks like one. maxErrors is how many are
// compared of one that is full of them.
const (
	lastLines = 5
	maxErrors = 500
)

// errorsOf returns what is wrong, each error once and in order, without what differs from one run to the next: the
// lines with the greatest weight of the log; where there is no log, the annotations, or else what the check said.
func errorsOf(f Failure) []string {
	var out []string
	lines := slices.DeleteFunc(slices.Clone(f.Log.lines), func(l line) bool {
		return l.script || l.text == "" || isExit(l.text)
	})
	best := nothing
	for _, l := range lines {
		best = max(best, l.weight())
	}
	if best == nothing {
		lines = lines[max(0, len(lines)-lastLines):]
	}
	for _, l := range lines {
		if l.weight() == best && len(out) < maxErrors {
			out = append(out, steady(l.text))
		}
	}
	if len(f.Log.lines) == 0 {
		for _, a := range f.Annotations {
			if text, _ := redactedText(annotation(a)); text != "" {
				out = append(out, steady(text))
			}
		}
	}
	if said, _ := redactedText(f.Said); len(out) == 0 && said != "" {
		out = []string{steady(said)}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// changing matches what differs between two runs with the same error: times and durations, addresses, ids, places in
// files, names of temporary files.
var changing = regexp.MustCompile(`0x[0-9a-fA-F]+` +
	`|\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b` +
	`|\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?Z?)?|\b\d\d?:\d\d:\d\d(?:[.,]\d+)?` +
	`|\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|m|min|sec|secs|seconds?|minutes?)\b` +
	`|\b[0-9a-f]*\d[0-9a-f]{7,}\b|:\d+|\(\d+(?:,\s?\d+)*\)|:\[\d+,\d+\]|\b[Ll]ines? \d+` +
	`|\d{5,}|/tmp/\S+|[/\\]Temp[/\\]\S+`)

// steady returns a text without what differs between two runs.
func steady(text string) string {
	return strings.Join(strings.Fields(changing.ReplaceAllString(clip(text, maxShown), "#")), " ")
}
