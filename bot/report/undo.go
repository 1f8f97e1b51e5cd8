package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// undoWords is what came of an undo.
func UndoWords(run string, d record.Commit, r Summary) (title, body string) {
	was := fmt.Sprintf("%s of run `%s`", CommitLink(r.RepoURL, d.SHA), d.Run)
	n := record.Count(r.Results)
	var head, hint string
	switch {
	case r.SHA != "":
		title = "Undid run " + d.Run
		head = fmt.Sprintf("**Undone**: what %s changed is taken back in %d %s%s", was, n.Applied, markdown.Plural(n.Applied, "file"), r.landed())
		hint = fmt.Sprintf("`/tenon undo %s` brings it back.", run)
	case r.Unpushed != "":
		title = "Nothing was undone"
		head = fmt.Sprintf("**Nothing was undone**: what %s changed could be taken back.\n\n%s", was, r.uncommitted())
	case n.Failed > 0:
		title = "Nothing was undone"
		head = fmt.Sprintf("**Nothing was undone**: %d of %d files that %s changed cannot be taken back.", n.Failed, len(r.Results), was)
		hint = "A commit is undone as a whole or not at all, because a half of it is worse than none. Take back the later changes first, or change these files by hand."
	default:
		title = "There is nothing to undo"
		head = fmt.Sprintf("**Nothing to undo**: the files that %s changed are as they were before it.", was)
	}
	foot := strings.TrimPrefix(hint+"\n\n"+RunNote(run), "\n\n")
	patch, room := r.patchFold(bodyRoom - len(head) - len(foot))
	table, room := r.table(room)
	return title, markdown.JoinSections([]string{head, table, patch, r.folds(room), foot})
}
