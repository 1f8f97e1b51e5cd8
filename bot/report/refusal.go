package report

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// Refusal says in a sentence why an edit was not made, as plain text: in the words of the answer, for where people see
// the lines of the file beside it.
func Refusal(row record.Result) string {
	return upperFirst(strings.TrimSuffix(refusal(row), ".")) + "."
}

func refusal(row record.Result) string {
	f := faults[engine.Reason(row.Reason)]
	detail := lowerFirst(row.Detail)
	switch {
	case row.Reason == string(engine.Ambiguous) && len(row.Places) > 0:
		return "the same lines are at " + placesInWords(row)
	case row.Reason == string(engine.SyntaxError) && len(row.Problems) > 0:
		return fmt.Sprintf("the file would %s (%s)", brokenWords(row.Problems), row.Problems[0])
	case f.what == expected && row.Differs > 0:
		return fmt.Sprintf("line %s is not what the edit expected", humanize.Comma(int64(row.Differs)))
	case row.Reason == string(engine.ProtectedPath) && detail != "":
		return f.what + ", because " + detail
	case row.Reason == string(engine.UnsafePath) && detail != "":
		return f.what + ": " + lowerFirst(strings.TrimPrefix(row.Detail, "Unsafe path: "))
	case (f.what == "" || saysMore(row)) && detail != "":
		return detail
	case f.what == "":
		return "it could not be made"
	}
	return f.what
}

// placesInWords lists the lines at which an ambiguous edit matches.
func placesInWords(row record.Result) string {
	var lines []string
	for _, line := range row.Places {
		lines = append(lines, humanize.Comma(int64(line)))
	}
	if row.MorePlaces > 0 {
		lines = append(lines, fmt.Sprintf("%d more", row.MorePlaces))
	}
	return "lines " + english.WordSeries(lines, "and")
}
