package history

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

func runsOf(commits Commits) (ids []string) {
	for _, c := range commits {
		ids = append(ids, c.Run)
	}
	return ids
}

func TestTheCommitsOfABranchAreThoseOfBothItsThreads(t *testing.T) {
	t.Parallel()
	onIssue := record.Target{Branch: "tenon/issue-7", SHA: headSHA}
	q := &queue{}
	q.add(t, "first", 7, "/tenon fix it", did(record.Opened, onIssue), did(record.CommitMade, committed()))
	q.add(t, "second", 12, "/tenon fix it", did(record.Opened, onIssue), did(record.CommitMade, committed()))
	q.add(t, "third", 7, "/tenon fix it", did(record.Opened, onIssue), did(record.CommitMade, committed()))
	q.add(t, "nothing", 7, "/tenon fix it", did(record.Opened, onIssue), did(record.CommitMade, record.Committed{}))
	q.add(t, "another branch", 12, "/tenon fix it", did(record.Opened, onSpeed), did(record.CommitMade, committed()))
	q.add(t, "another thread", 13, "/tenon fix it", did(record.Opened, onIssue), did(record.CommitMade, committed()))
	h, skipped := q.thread()
	all, err := h.Commits(t.Context(), onIssue)
	require.NoError(t, err)
	require.Equal(t, []string{"third", "second", "first"}, runsOf(all))
	require.Equal(t, record.Commit{
		Run: "third", SHA: someSHA, Base: headSHA, Branch: "tenon/issue-7", Subject: "fix: it", Changed: []string{"a.go"},
	}, all[0])
	require.Empty(t, *skipped)
}

func TestAnUndoThatWasUndoneUndoesNothing(t *testing.T) {
	t.Parallel()
	all := Commits{{Run: "redo", Undoes: "undo"}, {Run: "undo", Undoes: "fix"}, {Run: "fix"}, {Run: "older"}}
	require.Empty(t, all.Undoer("fix"))
	require.Equal(t, "redo", all.Undoer("undo"))
	require.Equal(t, "undo", all[1:].Undoer("fix"))

	newest, ok := all.Newest(func(record.Commit) bool { return false })
	require.True(t, ok)
	require.Equal(t, "fix", newest.Run, "an undo is not what an undo reverts")
	newest, ok = all[1:].Newest(func(c record.Commit) bool { return all[1:].Undoer(c.Run) != "" })
	require.True(t, ok)
	require.Equal(t, "older", newest.Run)
	_, ok = all[:2].Newest(func(record.Commit) bool { return false })
	require.False(t, ok)
}

func TestAMergeThatWasUndoneIsKnownUntilItIsRestored(t *testing.T) {
	t.Parallel()
	all := Commits{
		{Run: "again", Merges: true, Undoes: "redo"}, {Run: "redo", Merges: true, Undoes: "undo"}, {Run: "fix"},
		{Run: "later", Merges: true}, {Run: "undo", Merges: true, Undoes: "merge"}, {Run: "merge", Merges: true},
	}
	require.Equal(t, "again", all.UndoneMerge())
	require.False(t, all.HasMerge(all[0]))
	require.Empty(t, all[1:].UndoneMerge(), "it was restored")
	require.True(t, all.HasMerge(all[1]))
	require.False(t, all.HasMerge(all[2]))
	require.Equal(t, "undo", all[2:].UndoneMerge(), "also of one before the newest")
	require.Empty(t, all[5:].UndoneMerge())
}

func TestACommitIsNamedByItsRunOnItsOwnThreads(t *testing.T) {
	t.Parallel()
	q := &queue{}
	q.add(t, "fix", 12, "/tenon fix it", did(record.Opened, onSpeed), did(record.CommitMade, committed()))
	q.add(t, "failed", 12, "/tenon fix it", did(record.Opened, onSpeed), did(record.CommitMade, record.Committed{}))
	q.add(t, "elsewhere", 13, "/tenon fix it", did(record.Opened, onSpeed), did(record.CommitMade, committed()))
	q.add(t, "another repository", 12, "/tenon fix it", did(record.Opened, onSpeed), did(record.CommitMade, committed()))
	q.runs[0].Event.Repo.ID++
	h, _ := q.thread()

	c, ok, err := h.CommitOf(t.Context(), "fix", onSpeed)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, someSHA, c.SHA)
	_, ok, err = h.CommitOf(t.Context(), "failed", onSpeed)
	require.NoError(t, err)
	require.False(t, ok)
	for _, id := range []string{"elsewhere", "another repository", "never"} {
		_, _, err = h.CommitOf(t.Context(), id, onSpeed)
		require.ErrorIs(t, err, port.ErrNotFound, id)
	}
	q.err = errBroken
	_, _, err = h.CommitOf(t.Context(), "fix", onSpeed)
	require.ErrorIs(t, err, errBroken)
}
