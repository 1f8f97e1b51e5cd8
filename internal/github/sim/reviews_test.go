package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// A comment, and a review as a whole, needs a commit of the pull request and lines that its diff has.
func TestWhereAReviewCommentCanBe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	is, u := w.thread(w.pull), w.user("write")
	for _, c := range []struct {
		at  Place
		why string
	}{{Place{Path: "a.txt", Line: 16}, "must be part of the diff"}, {Place{Path: "b.txt", Line: 1}, "path"},
		{Place{Path: "a.txt", Line: 20, StartLine: 3}, "same hunk"}, {Place{Path: "a.txt", Line: 20, Side: "UP"}, "side"}} {
		require.ErrorContains(t, w.note("write", c.at, "x"), c.why)
		require.ErrorContains(t, failed(w.Review("write", repo, w.pull, NewReview{Notes: []Note{{c.at, "x"}}})), c.why)
	}
	require.NoError(t, w.note("write", Place{Path: "a.txt", Line: 23, StartLine: 17}, "x"), "three lines around line 20")
	body, path, head := "x", "a.txt", is.Pull.HeadSHA
	later := number(w.Push(repo, "other", map[string]string{"b": "b\n"}, "Elsewhere\n"))(t)
	in := entity.NewReviewComment{Body: &body, CommitID: &later, Path: &path, SubjectType: "file"}
	require.ErrorContains(t, failed(w.PlaceReviewComment(is, u, in)), "not part of the pull request")
	in.CommitID = &head
	whole := number(w.PlaceReviewComment(is, u, in))(t)
	require.Equal(t, []any{true, 0}, []any{whole.WholeFile, whole.Line})
	require.ErrorContains(t, failed(w.DraftReview(is, u, ReviewInput{CommitID: later})), "not part of the pull request")
	require.NoError(t, failed(w.DraftReview(is, u, ReviewInput{CommitID: is.Pull.BaseSHA})), "an ancestor of the head")
}

// A comment moves with its line when the branch moves, and is outdated when the line was changed; the old side stays.
func TestAReviewCommentFollowsItsLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, at := range []Place{{Path: "a.txt", Line: 21}, line20, {Path: "a.txt", Line: 20, Side: "LEFT"},
		{Path: "a.txt", Line: 21, StartLine: 20}} {
		require.NoError(t, w.note("write", at, "x"))
	}
	sha := w.push("feature", "first\n"+text("changed again"))
	var lines []int
	for _, c := range number(w.ReviewComments(repo, w.pull))(t) {
		lines = append(lines, c.Line)
	}
	require.Equal(t, []int{22, 0, 20, 0}, lines)
	notes := w.thread(w.pull).Pull.Comments
	require.Equal(t, []any{sha, 21, 20}, []any{notes[0].Commit, notes[0].OriginalLine, notes[1].OriginalLine})
	require.Error(t, failed(w.ReviewComments(repo, w.issue)))
}

// A review is pending until it is submitted: nobody else sees it, and there is one of each person.
func TestAReviewIsSubmittedAsOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	is, u := w.thread(w.pull), w.user("write")
	draft := number(w.DraftReview(is, u, ReviewInput{Comments: []entity.NewReviewComment{
		line20.comment("note")}}))(t)
	rv := w.AddReview(draft)
	require.Empty(t, number(w.Reviews(repo, w.pull))(t))
	require.Empty(t, number(w.Said(repo, w.pull))(t))
	require.Empty(t, w.told())
	require.ErrorContains(t, w.review("write", "", "again"), "one pending review")
	require.ErrorContains(t, w.note("write", line20, "x"), "one pending review")
	require.NoError(t, w.review("triage", "", "of another"))
	w.told()
	w.Submit(rv, "APPROVED")
	require.Equal(t, []string{"review submitted write", "note created write"}, w.told())
	list := number(w.Reviews(repo, w.pull))(t)
	require.Equal(t, []string{"APPROVED", "COMMENTED"}, []string{list[0].State, list[1].State})
	require.Equal(t, is.Pull.HeadSHA, list[0].Commit)
	require.NoError(t, w.note("write", line20, "x"))
	require.Len(t, number(w.Reviews(repo, w.pull))(t), 3, "a comment makes a review")
	require.ErrorContains(t, failed(w.Review("write", repo, w.issue, NewReview{Body: "x"})), "no pull request")
}
