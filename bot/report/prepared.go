package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// Undo and run commit changes that were there before, without a model.

// OfUndo returns the end of an undo from what is known of every run: undone is the commit that was to be undone, and
// merged the branch that this commit merged into that of the run; empty if it did not.
func OfUndo(undone record.Commit, merged string, r Summary) Summary {
	if merged != "" && r.SHA != "" {
		r.undoneMerge = sentence.UndoneMerge(merged, r.Costs.Run)
	}
	r.deed, r.Subject = reverting, message.RevertOf(undone.Subject, undone.Run)
	r.about = "reverts " + CommitLink(r.Links, undone.SHA)
	switch {
	case r.SHA == "" && !r.hasFailed():
		r.about = "would revert " + CommitLink(r.Links, undone.SHA)
	case r.SHA == "":
		r.about = ""
		r.lead = fmt.Sprintf("%s (run `%s`) can only be reverted as a whole.",
			CommitLink(r.Links, undone.SHA), undone.Run)
	}
	return r
}

// OfOperations returns the end of a run of file operations from what is known of every run: o are the operations that
// it carried out.
func OfOperations(o record.Operations, r Summary) Summary {
	r.deed, r.Results = operating, slices.Clone(r.Results)
	for i, p := range o.Chosen[:min(len(o.Chosen), len(r.Results))] {
		r.Results[i].Number = p.Number
	}
	if len(o.Chosen) == 1 && r.tally().made == 1 {
		r.about = markdown.Code(markdown.Clip(o.Chosen[0].Command, markdown.MaxCell))
	} else {
		r.lead = operationList(o, r)
	}
	return r
}

// maxOperations is how many file operations are listed.
const maxOperations = markdown.MaxListed

// operationList says the result of each operation.
func operationList(o record.Operations, r Summary) string {
	var lines []string
	chosen := o.Chosen[:min(len(o.Chosen), len(r.Results), maxOperations)]
	for i, p := range chosen {
		if r.Results[i].Status.Applied() {
			lines = append(lines, markdown.Code(markdown.Clip(p.Command, markdown.MaxCell))+
				": "+markdown.Plain(markdown.Clip(r.Results[i].Detail, markdown.MaxCell), r.Results[i].Path))
		}
	}
	if len(lines) == 1 {
		return lines[0]
	}
	for i, line := range lines {
		lines[i] = "- " + line
	}
	return strings.Join(lines, "\n") + andMore(len(o.Chosen), maxOperations)
}
