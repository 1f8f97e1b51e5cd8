package record

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/backport"
	"github.com/tenon-bot/tenon/bot/port"
)

// aBackport is the record of a backport to four branches, of which two were made.
func aBackport() Record {
	return Record{
		ID: "abc123def456", Committing: true, Final: &AnswerComment{Comment: 7},
		Backport: &Backport{Title: "Be fast", Base: "main", Commits: []backport.Commit{{From: "b", SHA: "c", Message: "One",
			Picked: []string{"c"}, Authors: []port.Author{{Name: "Ann"}}}}},
		SettledPicks: []SettledPicks{{
			Branch: "v3", Unasked: "No.", Calls: 2,
			Commit: backport.Commit{SHA: "c", Message: "One", Authors: []port.Author{{Name: "Ann"}}},
			Conflicts: []ResolvedConflict{
				{Key: "k", Proposal: "new\ntheirs\n", Choice: "new\nours\n", ByHand: true, Note: "Why?"},
			},
		}},
		Picks: []Picked{
			{Branch: "v1", Tip: "t1", Head: "h1", Made: []PickedCommit{{"c", "m1"}, {"d", "m2"}}, Changed: []string{"a.go"}},
			{Branch: "v2", Tip: "t2", Head: "h2", Conflict: "c", Results: []Result{{Path: "a.go", Detail: "Words."}}},
			{Branch: "v3", Tip: "t3", Head: "h3", Made: []PickedCommit{{"c", "m3"}}, Changed: []string{"b.go"}},
			{Branch: "v4", Tip: "t4", Head: "h4", Made: []PickedCommit{{"c", "m4"}}, Changed: []string{"b.go"}},
		},
		Backports: []PickedPull{{Pull: 8, Pushed: true}, {}, {Pushed: true, Unopened: "No."}, {Refused: "no", Said: "No."}},
	}
}

func TestABackportHasACommitForEachBranchThatItMade(t *testing.T) {
	t.Parallel()
	rec := aBackport()
	want := []Commit{
		{Run: rec.ID, SHA: "m2", Base: "t1", Branch: "h1", Changed: []string{"a.go"}, Picks: true},
		{Run: rec.ID, SHA: "m3", Base: "t3", Branch: "h3", Changed: []string{"b.go"}, Picks: true},
	}
	require.Equal(t, want, rec.AllCommits())
	require.True(t, want[0].Whole())
	_, ok := rec.Commit()
	require.False(t, ok, "it has no branch of its own")
	for _, kept := range []Record{ForLater(rec), stored(t, rec)} {
		require.Equal(t, want, kept.AllCommits())
	}
	only, ok := OnlyCommit(rec)
	require.True(t, ok)
	require.Equal(t, want, stored(t, only).AllCommits())
	rec.Backports = rec.Backports[1:2]
	rec.Picks = rec.Picks[1:2]
	_, ok = OnlyCommit(rec)
	require.False(t, ok)
}

// stored returns a record as it is read again, with its sources deleted.
func stored(t *testing.T, rec Record) Record {
	t.Helper()
	run, err := Store(rec)
	require.NoError(t, err)
	out, err := Load(ForgetAll(run))
	require.NoError(t, err)
	return out
}

func TestABackportForgetsWhatPeopleWrote(t *testing.T) {
	t.Parallel()
	rec := stored(t, aBackport())
	require.Empty(t, rec.Backport.Title)
	require.Empty(t, rec.Backport.Commits[0].Message)
	require.Empty(t, rec.Backport.Commits[0].Authors)
	require.Equal(t, []string{"c"}, rec.Backport.Commits[0].Picked)
	require.Equal(t, []SettledPicks{{Branch: "v3", Calls: 2, Commit: backport.Commit{SHA: "c"},
		Conflicts: []ResolvedConflict{{Key: "k", ByHand: true}}}}, rec.SettledPicks)
	require.Equal(t, []Result{{Path: "a.go"}}, rec.Picks[1].Results)
	require.Empty(t, rec.Backports[2].Unopened+rec.Backports[3].Said)
	require.Equal(t, "no", rec.Backports[3].Refused)
}

func TestAnAuditHasEachBranchOfABackport(t *testing.T) {
	t.Parallel()
	noPrice := func(string) port.Price { return port.Price{} }
	e := Ended(port.Event{}, aBackport(), noPrice)
	require.Equal(t, port.EndCommitted, e.Outcome)
	require.Equal(t, 8, e.PullOpened)
	require.False(t, e.Unsure)
	require.Equal(t, []port.MadeCommit{{Branch: "h1", SHA: "m2", Files: 1, Paths: []string{"a.go"}},
		{Branch: "h3", SHA: "m3", Files: 1, Paths: []string{"b.go"}}}, e.Commits)

	rec := aBackport()
	rec.Final = nil
	require.True(t, Ended(port.Event{}, rec, noPrice).Unsure, "it may have made what is not on record")
	rec = aBackport()
	rec.Backports = []PickedPull{{}}
	require.Equal(t, port.EndUnchanged, Ended(port.Event{}, rec, noPrice).Outcome)
}
