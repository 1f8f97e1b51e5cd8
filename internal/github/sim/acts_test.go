package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// An act as a user needs a role, and a repository that is not archived; bots of other Apps are installed everywhere.
func TestWhatEachRoleMayDo(t *testing.T) {
	t.Parallel()
	line := Place{Path: "a.txt", Line: 20}
	for name, c := range map[string]struct {
		least string
		do    func(w *world, as string) error
	}{
		"comment": {"read", func(w *world, as string) error { return failed(w.Comment(as, repo, w.issue, "x")) }},
		"open an issue": {"read", func(w *world, as string) error {
			return failed(w.OpenIssue(as, repo, "t", ""))
		}},
		"review": {"read", func(w *world, as string) error {
			return failed(w.Review(as, repo, w.pull, NewReview{Body: "x"}))
		}},
		"label": {"triage", func(w *world, as string) error { return w.Label(as, repo, w.issue, "bug") }},
		"comment where it is locked": {"write", func(w *world, as string) error {
			require.NoError(w.t, w.Lock(repo, w.issue, true))
			return failed(w.Comment(as, repo, w.issue, "x"))
		}},
		"review where it is locked": {"write", func(w *world, as string) error {
			require.NoError(w.t, w.Lock(repo, w.pull, true))
			return failed(w.Review(as, repo, w.pull, NewReview{Body: "x"}))
		}},
		"comment on a line where it is locked": {"write", func(w *world, as string) error {
			require.NoError(w.t, w.Lock(repo, w.pull, true))
			return failed(w.ReviewComment(as, repo, w.pull, line, "x"))
		}},
		"edit an issue of another": {"write", func(w *world, as string) error {
			return w.EditThread(as, repo, number(w.OpenIssue("owner", repo, "t", ""))(w.t), "u", "")
		}},
		"edit a comment of another": {"write", func(w *world, as string) error {
			return w.EditComment(as, number(w.Comment("owner", repo, w.issue, "x"))(w.t), "y")
		}},
		"delete a comment of another": {"write", func(w *world, as string) error {
			return w.DeleteComment(as, number(w.Comment("owner", repo, w.issue, "x"))(w.t))
		}},
		"delete a review comment of another": {"write", func(w *world, as string) error {
			return w.DeleteReviewComment(as, number(w.ReviewComment("owner", repo, w.pull, line, "x"))(w.t))
		}},
		"resolve a thread of another": {"write", func(w *world, as string) error {
			w.thread(w.pull).User = w.user("owner")
			return w.ResolveThread(as, number(w.ReviewComment("owner", repo, w.pull, line, "x"))(w.t))
		}},
		"request a check again": {"write", func(w *world, as string) error { return w.Rerequest(as, w.check("a")) }},
		"press a button": {"write", func(w *world, as string) error {
			return w.PressButton(as, w.check("a"), "undo")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, weakest := newWorld(t), false
			for _, as := range []string{"none", "read", "triage", "write", "maintain", "admin", "owner"} {
				weakest = weakest || as == c.least
				require.Equal(t, weakest, c.do(w, as) == nil, as)
			}
			require.NoError(t, w.AddBot("ci[bot]"))
			if !strings.Contains(name, "another") && !strings.Contains(name, "locked") {
				require.NoError(t, c.do(w, "ci[bot]"))
				require.NoError(t, w.Archive(repo, true))
				require.ErrorContains(t, c.do(w, "owner"), "archived")
			}
			require.Error(t, c.do(w, "nobody"))
		})
	}
}

// failed returns the error of an act.
func failed[T any](_ T, err error) error { return err }

// check makes a check run of the App, with a button.
func (w *world) check(name string) int64 {
	id, s := "undo", suites{w.core}
	head := w.thread(w.pull).Pull.HeadSHA
	run := &entity.CheckRun{Repo: w.repo(), HeadSHA: head, Name: name, Status: "in_progress", Actions: []entity.CheckAction{
		{Label: &id, Description: &id, Identifier: &id}}}
	w.AddCheck(run, s.SuiteFor(w.repo(), head, nil))
	return run.ID
}

// Authors do more with what is their own, also with the role read.
func TestWhatAuthorsMayDo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	comment := number(w.Comment("read", repo, w.issue, "x"))(t)
	note := number(w.ReviewComment("read", repo, w.pull, Place{Path: "a.txt", Line: 20}, "x"))(t)
	w.told()
	require.NoError(t, w.EditThread("read", repo, w.issue, "Another title", "x"))
	require.NoError(t, w.EditComment("read", comment, "y"))
	require.NoError(t, w.DeleteComment("read", comment))
	require.NoError(t, w.ResolveThread("read", note), "the pull request is theirs")
	require.NoError(t, w.UnresolveThread("read", note))
	require.NoError(t, w.DeleteReviewComment("read", note))
	require.Equal(t, []string{"thread edited read", "issue_comment edited read", "issue_comment deleted read",
		"review_thread resolved read", "review_thread unresolved read", "review_comment deleted read"}, w.told())
	require.ErrorContains(t, w.PressButton("write", w.check("a"), "none"), "no button")
	for _, err := range []error{w.EditComment("owner", comment, "y"), w.ResolveThread("owner", note), w.Rerequest("owner", 1),
		w.DeleteReviewComment("owner", note)} {
		require.Error(t, err, "it is gone")
	}
}

func TestTextsHaveLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := strings.Repeat("é", entity.MaxText)
	line := Place{Path: "a.txt", Line: 20}
	for name, c := range map[string]struct {
		blank string // "" if a blank text is allowed
		say   func(text string) error
	}{
		"comment":        {"blank", func(text string) error { return failed(w.Comment("read", repo, w.issue, text)) }},
		"edited":         {"blank", func(text string) error { return CheckText("IssueComment", text) }},
		"issue":          {"", func(text string) error { return failed(w.OpenIssue("read", repo, "t", text)) }},
		"review":         {"Could not comment", func(text string) error { return w.review("owner", "", text) }},
		"review comment": {"missing_field", func(text string) error { return w.note("read", line, text) }},
	} {
		require.NoError(t, c.say(long), name)
		require.ErrorContains(t, c.say(long+"x"), "too long", name)
		if err := c.say(" \n"); c.blank == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, c.blank, name)
		}
	}
	title := strings.Repeat("é", 256)
	require.NoError(t, failed(w.OpenIssue("read", repo, title, "")))
	require.ErrorContains(t, failed(w.OpenIssue("read", repo, title+"x", "")), "256 characters")
	require.ErrorContains(t, failed(w.OpenIssue("read", repo, " ", "")), "missing_field")
	require.ErrorContains(t, w.EditThread("read", repo, w.issue, "", ""), "missing_field")
}

func (w *world) review(as, event, body string) error {
	return failed(w.Review(as, repo, w.pull, NewReview{Event: event, Body: body}))
}

func (w *world) note(as string, at Place, body string) error {
	return failed(w.ReviewComment(as, repo, w.pull, at, body))
}

func TestAThreadIsClosedLockedAndDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	is := w.thread(w.issue)
	require.NoError(t, w.SetOpen(repo, w.issue, false))
	require.Equal(t, []any{false, "completed", "owner"}, []any{is.Open, is.StateReason, is.ClosedBy.Login})
	require.NoError(t, w.SetOpen(repo, w.issue, false), "it is closed already")
	require.NoError(t, w.SetOpen(repo, w.issue, true))
	require.Equal(t, "reopened", is.StateReason)
	require.Nil(t, is.Closed)
	require.NoError(t, w.Lock(repo, w.issue, true))
	require.NoError(t, w.Lock(repo, w.issue, false))
	require.NoError(t, w.Label("triage", repo, w.issue, "bug"))
	require.NoError(t, w.Label("triage", repo, w.issue, "BUG"), "it has it")
	require.NoError(t, w.Label("triage", repo, w.pull, "Bug"), "labels are the repository's")
	require.Len(t, w.repo().Labels, 1)
	require.ErrorContains(t, w.DeleteIssue(repo, w.pull), "no pull request")
	require.NoError(t, w.DeleteIssue(repo, w.issue))
	require.Error(t, failed(w.Comment("owner", repo, w.issue, "x")))
	require.Error(t, failed(w.Thread(repo, w.issue)))
	require.Equal(t, []string{"issues closed owner", "issues reopened owner", "thread locked owner",
		"thread unlocked owner", "label bug labeled triage", "label bug labeled triage", "issues deleted owner"}, w.told())
	state := number(w.Thread(repo, w.pull))(t)
	require.True(t, state.IsPull)
	require.Equal(t, "https://github.example/acme/app/pull/1", state.Page)
	require.Equal(t, 3, number(w.OpenIssue("read", repo, "t", ""))(t), "numbers are not used again")
}

// What is said has one order, whatever it is; a reaction is given once.
func TestWhatIsSaidIsOrdered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, failed(w.Comment("read", repo, w.pull, "one")))
	note := number(w.ReviewComment("write", repo, w.pull, Place{Path: "a.txt", Line: 20}, "two"))(t)
	require.NoError(t, failed(w.Review("write", repo, w.pull, NewReview{Body: "three", Notes: []Note{
		{Place{Path: "a.txt", Line: 19}, "four"}}})))
	reply := number(w.ReplyTo("read", repo, w.pull, note, "five"))(t)
	last := number(w.CommentVia("read", "slack", repo, w.pull, "six"))(t)
	require.Error(t, failed(w.ReplyTo("read", repo, w.pull, reply, "to a reply")))
	said := number(w.Said(repo, w.pull))(t)
	var texts []string
	for _, s := range said {
		texts = append(texts, s.Body)
		again := number(w.Saying(s.Kind, s.ID))(t)
		require.Equal(t, s, again)
	}
	require.Equal(t, []string{"one", "two", "three", "four", "five", "six"}, texts)
	require.Equal(t, note, said[4].InReplyTo)
	require.Equal(t, "slack", w.core.State.Comments[last].OtherApp)

	list, u := &w.thread(w.issue).Reactions, w.user("read")
	first, isNew := w.React(list, u, "+1")
	require.True(t, isNew)
	same, isNew := w.React(list, u, "+1")
	require.False(t, isNew)
	require.Same(t, first, same)
	_, isNew = w.React(list, u, "eyes")
	require.True(t, isNew)
	rollup := w.Rollup(*list, "api")
	require.Equal(t, []any{2, 1, 1, 0}, []any{rollup["total_count"], rollup["+1"], rollup["eyes"], rollup["-1"]})
	require.Equal(t, []Reaction{{"read", "+1"}, {"read", "eyes"}},
		number(w.Reactions(IssueItself, w.thread(w.issue).ID))(t))
	require.Error(t, failed(w.Reactions(IssueComment, 1)))
}
