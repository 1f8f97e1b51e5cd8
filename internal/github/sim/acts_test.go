package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// line20 is the line that the pull request changes.
var line20 = Place{Path: "a.txt", Line: 20}

// An act as a user needs a role, and a repository that is not archived; bots of other Apps are installed everywhere.
func TestWhatEachRoleMayDo(t *testing.T) {
	t.Parallel()
	type act = func(w *world, as string) error
	locked := func(do act) act {
		return func(w *world, as string) error {
			require.NoError(w.t, w.Lock(repo, w.pull, true))
			return do(w, as)
		}
	}
	comment := func(w *world, as string) error { return failed(w.Comment(as, repo, w.pull, "x")) }
	note := func(w *world, as string) error { return w.note(as, line20, "x") }
	review := func(w *world, as string) error { return w.review(as, "", "x") }
	owners := func(w *world) int64 { return number(w.Comment("owner", repo, w.issue, "x"))(w.t) }
	for name, c := range map[string]struct {
		least string
		do    act
	}{
		"comment": {"read", comment}, "note": {"read", note}, "review": {"read", review},
		"locked comment": {"write", locked(comment)}, "locked note": {"write", locked(note)},
		"locked review": {"write", locked(review)},
		"open":          {"read", func(w *world, as string) error { return failed(w.OpenIssue(as, repo, "t", "")) }},
		"label":         {"triage", func(w *world, as string) error { return w.Label(as, repo, w.issue, "bug") }},
		"rerun":         {"write", func(w *world, as string) error { return w.Rerequest(as, w.check("a")) }},
		"button":        {"write", func(w *world, as string) error { return w.PressButton(as, w.check("a"), "undo") }},
		"edit another":  {"write", func(w *world, as string) error { return w.EditComment(as, owners(w), "y") }},
		"drop another":  {"write", func(w *world, as string) error { return w.DeleteComment(as, owners(w)) }},
		"edit an issue of another": {"write", func(w *world, as string) error {
			w.thread(w.issue).User = w.user("acme")
			return w.EditThread(as, repo, w.issue, "u", "")
		}},
		"delete a review comment of another": {"write", func(w *world, as string) error {
			return w.DeleteReviewComment(as, number(w.ReviewComment("owner", repo, w.pull, line20, "x"))(w.t))
		}},
		"resolve a thread of another": {"write", func(w *world, as string) error {
			w.thread(w.pull).User = w.user("acme")
			return w.ResolveThread(as, number(w.ReviewComment("owner", repo, w.pull, line20, "x"))(w.t))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, allowed := newWorld(t), false
			for _, as := range []string{"none", "read", "triage", "write", "maintain", "admin", "owner"} {
				allowed = allowed || as == c.least
				require.Equal(t, allowed, c.do(w, as) == nil, as)
			}
			require.Error(t, c.do(w, "nobody"))
			if !strings.Contains(name, "another") && !strings.Contains(name, "locked") {
				require.NoError(t, w.AddBot("ci[bot]"))
				require.NoError(t, c.do(w, "ci[bot]"))
				require.NoError(t, w.Archive(repo, true))
				require.ErrorContains(t, c.do(w, "owner"), "archived")
			}
		})
	}
}

// failed returns the error of an act.
func failed[T any](_ T, err error) error { return err }

func (w *world) review(as, event, body string) error {
	return failed(w.Review(as, repo, w.pull, NewReview{Event: event, Body: body}))
}

func (w *world) note(as string, at Place, body string) error {
	return failed(w.ReviewComment(as, repo, w.pull, at, body))
}

// check makes a check run of the App, with a button.
func (w *world) check(name string) int64 {
	id, head := "undo", w.thread(w.pull).Pull.HeadSHA
	run := &entity.CheckRun{Repo: w.repo(), HeadSHA: head, Name: name, Status: "in_progress",
		Actions: []entity.CheckAction{{Label: &id, Description: &id, Identifier: &id}}}
	w.AddCheck(run, suites{w.core}.SuiteFor(w.repo(), head, nil))
	return run.ID
}

// Authors do more with what is their own, also with the role read.
func TestWhatAuthorsMayDo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	comment := number(w.Comment("read", repo, w.issue, "x"))(t)
	note := number(w.ReviewComment("read", repo, w.pull, line20, "x"))(t)
	w.told()
	require.NoError(t, w.EditThread("read", repo, w.issue, "Another title", "x"))
	require.NoError(t, w.EditComment("read", comment, "y"))
	require.NoError(t, w.DeleteComment("read", comment))
	require.NoError(t, w.ResolveThread("read", note), "the pull request is theirs")
	require.NoError(t, w.UnresolveThread("read", note))
	require.NoError(t, w.DeleteReviewComment("read", note))
	require.Equal(t, []string{"thread edited read", "comment edited read", "comment deleted read", "talk resolved read",
		"talk unresolved read", "note deleted read"}, w.told())
	require.ErrorContains(t, w.PressButton("write", w.check("a"), "none"), "no button")
	for _, err := range []error{w.EditComment("owner", comment, "y"), w.ResolveThread("owner", note),
		w.Rerequest("owner", 1), w.DeleteReviewComment("owner", note)} {
		require.Error(t, err, "it is gone")
	}
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
	require.NoError(t, w.Lock(repo, w.issue, true))
	require.NoError(t, w.Lock(repo, w.issue, false))
	require.NoError(t, w.Label("triage", repo, w.issue, "bug"))
	require.NoError(t, w.Label("triage", repo, w.issue, "BUG"), "it has it")
	require.NoError(t, w.Label("triage", repo, w.pull, "Bug"), "labels are the repository's")
	require.ErrorContains(t, w.DeleteIssue(repo, w.pull), "no pull request")
	require.NoError(t, w.DeleteIssue(repo, w.issue))
	require.Error(t, failed(w.Comment("owner", repo, w.issue, "x")))
	for _, text := range []string{strings.Repeat("é", entity.MaxText+1), " \n"} {
		require.ErrorContains(t, failed(w.Comment("read", repo, w.pull, text)), "Body")
		require.ErrorContains(t, failed(w.OpenIssue("read", repo, text, "")), "title")
		require.ErrorContains(t, w.note("read", line20, text), "body")
		require.Error(t, CheckText("IssueComment", text))
	}
	require.NoError(t, CheckText("IssueComment", strings.Repeat("é", entity.MaxText)))
	require.Equal(t, []string{"issue closed owner", "issue reopened owner", "thread locked owner", "thread unlocked owner",
		"bug labeled triage", "bug labeled triage", "issue deleted owner"}, w.told())
	require.Equal(t, "https://github.example/acme/app/pull/1", number(w.Thread(repo, w.pull))(t).Page)
	require.Equal(t, 3, number(w.OpenIssue("read", repo, "t", ""))(t), "numbers are not used again")
}

// What is said has one order, whatever it is; a reaction is given once.
func TestWhatIsSaidIsOrdered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, failed(w.Comment("read", repo, w.pull, "one")))
	note := number(w.ReviewComment("write", repo, w.pull, line20, "two"))(t)
	require.NoError(t, failed(w.Review("write", repo, w.pull, NewReview{Body: "three", Notes: []Note{{line20, "four"}}})))
	reply := number(w.ReplyTo("read", repo, w.pull, note, "five"))(t)
	require.Error(t, failed(w.ReplyTo("read", repo, w.pull, reply, "to a reply")))
	require.NoError(t, failed(w.Comment("read", repo, w.pull, "six")))
	var texts []string
	for _, s := range number(w.Said(repo, w.pull))(t) {
		texts = append(texts, s.Body)
		require.Equal(t, s, number(w.Saying(s.Kind, s.ID))(t))
		require.Equal(t, s.Body == "five", s.InReplyTo == note)
	}
	require.Equal(t, []string{"one", "two", "three", "four", "five", "six"}, texts)

	list := &w.thread(w.issue).Reactions
	for _, content := range []string{"+1", "+1", "eyes"} {
		w.React(list, w.user("read"), content)
	}
	require.Equal(t, []Reaction{{"read", "+1"}, {"read", "eyes"}},
		number(w.Reactions(IssueItself, w.thread(w.issue).ID))(t))
}

func TestATransferMovesTheComments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddRepo(Repo{Name: "acme/other", Files: map[string]string{"a.txt": "a\n"}}))
	number(w.Comment("read", repo, w.issue, "Still broken"))(t)
	w.told()
	old := w.thread(w.issue)
	for n, to := range map[int]string{w.pull: "other", w.issue: "app"} {
		_, err := w.TransferIssue(repo, n, to)
		require.ErrorContains(t, err, "cannot transfer")
	}
	n := number(w.TransferIssue(repo, w.issue, "other"))(t)
	moved := number(w.core.State.Issue("acme/other", n))(t)
	require.Same(t, moved, old.TransferredTo)
	require.True(t, old.Gone)
	require.Empty(t, old.Comments)
	require.Len(t, moved.Comments, 1)
	require.Same(t, moved, moved.Comments[0].Issue)
	require.Equal(t, []string{"transfer  owner"}, w.told())
}
