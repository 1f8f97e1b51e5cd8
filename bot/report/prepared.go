package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// Undo and run commit changes that were there before, without a model: their answers have a title of their own, which
// is also the check's.

// UndoBody returns the answer to undo: run is its own run, undone the commit that was to be undone.
func UndoBody(run string, undone record.Commit, r Summary) (title, body string) {
	commit := fmt.Sprintf("%s of run `%s`", CommitLink(r.RepoURL, undone.SHA), undone.Run)
	n := record.Count(r.Results)
	var head, hint string
	switch {
	case r.SHA != "":
		title = "Undid run " + undone.Run
		head = fmt.Sprintf("**Undone**: what %s changed is taken back in %d %s%s",
			commit, n.Applied, english.PluralWord(n.Applied, "file", ""), r.commitWords())
		hint = fmt.Sprintf("`/tenon undo %s` brings it back.", run)
	case r.Unpushed != "":
		title = "Nothing was undone"
		head = fmt.Sprintf("**Nothing was undone**: what %s changed could be taken back.\n\n%s", commit, r.uncommitted())
	case n.Failed > 0:
		title = "Nothing was undone"
		head = fmt.Sprintf("**Nothing was undone**: %d of %d files that %s changed cannot be taken back.",
			n.Failed, len(r.Results), commit)
		hint = "A commit is undone as a whole or not at all, because a half of it is worse than none. " +
			"Take back the later changes first, or change these files by hand."
	default:
		title = "There is nothing to undo"
		head = fmt.Sprintf("**Nothing to undo**: the files that %s changed are as they were before it.", commit)
	}
	foot := markdown.JoinSections([]string{hint, RunNote(run)})
	patch, room := r.patchFold(bodyRoom - size(head, foot))
	table, room := r.table(room)
	return title, markdown.JoinSections([]string{head, table, patch, r.folds(room), foot})
}

// OperationsBody returns the answer to run: run is its own run, o are the file operations that it carried out.
func OperationsBody(run string, o record.Operations, r Summary) (title, body string) {
	title = r.counts("file operation")
	head := "**" + title + "**"
	if r.SHA != "" {
		head += inFiles(" in", len(r.Changed))
	}
	head = markdown.JoinSections([]string{head + r.commitWords(), r.uncommitted()})
	foot := RunNote(run)
	if r.SHA != "" {
		foot = undoHint + "\n\n" + foot
	}
	patch, room := r.patchFold(bodyRoom - size(head, foot))
	return title, markdown.JoinSections([]string{head, operationTable(o, r, room), patch, foot})
}

// operationTable has a row for each operation, numbered as in the answer that suggested it.
func operationTable(o record.Operations, r Summary, room int) string {
	var b strings.Builder
	b.WriteString("| # | command | result |\n|--:|---|---|")
	for i, p := range o.Chosen[:min(len(o.Chosen), len(r.Results))] {
		command := markdown.CellCode(markdown.Clip(p.Command, markdown.MaxCell))
		line := fmt.Sprintf("\n| %d | %s | %s |", p.Number, command, r.resultCell(r.Results[i]))
		if room -= utf8.RuneCountInString(line); room < 100 {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}
