package record

import (
	"cmp"

	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// Status says whether a block was applied, in the words of engine.Status.
type Status string

// The statuses of a block.
const (
	StatusApplied Status = "applied"
	StatusFailed  Status = "failed"
	StatusSkipped Status = "skipped"
)

// Applied reports whether the block was applied.
func (s Status) Applied() bool { return s == StatusApplied }

// Failed reports whether the block could not be applied.
func (s Status) Failed() bool { return s == StatusFailed }

// Skipped reports whether the block was neither applied nor failed.
func (s Status) Skipped() bool { return !s.Applied() && !s.Failed() }

// Result is the result of a block as it is recorded and reported.
type Result struct {
	// Number is the block's, from 1, if it is not its place among the results.
	Number int    `json:"number,omitempty"`
	Path   string `json:"path"`
	Status Status `json:"status"`
	Reason string `json:"reason,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Line is the line in the file, at the new commit; ReplyLine that in the reply. Level is the engine's.
	Line      int `json:"line,omitempty"`
	ReplyLine int `json:"reply_line"`
	Level     int `json:"level,omitempty"`
	// Diff is what an applied block changed, and what any other would have: a hunk of a unified diff, cut where it is
	// long. Added and Removed count its lines, all of them.
	Diff    string `json:"diff,omitempty"`
	Added   int    `json:"added,omitempty"`
	Removed int    `json:"removed,omitempty"`
	// Places are the lines at which an ambiguous block matches, MorePlaces the number of further ones.
	Places     []int `json:"places,omitempty"`
	MorePlaces int   `json:"more_places,omitempty"`
	// Nearest is the closest match of a failed block: lines of the file, from NearestLine on.
	Nearest     []string `json:"nearest,omitempty"`
	NearestLine int      `json:"nearest_line,omitempty"`
	// Differs is the first line of the closest match that differs, Want what the block expects there, Have what the file
	// has.
	Differs int    `json:"differs,omitempty"`
	Want    string `json:"want,omitempty"`
	Have    string `json:"have,omitempty"`
}

// Results returns what is recorded of an outcome: in bounds, and without secrets.
func Results(o engine.Outcome) []Result {
	secret.RedactResults(o.Results)
	out := make([]Result, len(o.Results))
	room := maxDiffs
	for i, r := range o.Results {
		out[i] = Result{Path: r.Path, Status: Status(r.Status.String()), Reason: string(r.Reason), Detail: r.Detail,
			Line: r.Line, ReplyLine: r.Block.Line, Level: int(r.Level)}
		d := diffOf(r)
		out[i].Diff, out[i].Added, out[i].Removed = d.text(min(room, maxDiff)), d.added, d.removed
		room -= len(out[i].Diff)
		out[i].Places, out[i].MorePlaces = r.MatchLines, r.MoreMatches
		if r.ClosestMatch != nil {
			out[i].Nearest, out[i].NearestLine = r.ClosestMatch.Lines, r.ClosestMatch.Line
		}
		if r.Difference != nil {
			out[i].Differs, out[i].Want, out[i].Have = r.Difference.Line, r.Difference.Want, r.Difference.Have
		}
	}
	return out
}

// NumberAt returns the number of the block; i is its place among the results, from 0.
func (r Result) NumberAt(i int) int { return cmp.Or(r.Number, i+1) }

type counts struct{ Applied, Failed, Skipped int }

// Count counts results by their status.
func Count(rows []Result) (n counts) {
	for _, r := range rows {
		switch {
		case r.Status.Applied():
			n.Applied++
		case r.Status.Failed():
			n.Failed++
		default:
			n.Skipped++
		}
	}
	return n
}
