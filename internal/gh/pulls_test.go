package gh_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

const pulls = root + "/pulls"

func TestAnIssuesPullRequestIsOpenedAndFoundAgain(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	up := w.onBranch(t, "main", write("README.md", "hi\n"))
	up.Branch, up.New = "tenon/issue-1", true
	sha, err := w.app.Upload(ctx, w.repo, up)
	require.NoError(t, err)
	_, found, err := w.app.FindPull(ctx, w.repo, "tenon/issue-1")
	require.NoError(t, err)
	require.False(t, found)
	made, err := w.app.CreatePull(ctx, w.repo, port.NewPull{Title: "Say hi", Body: "Fixes #1", Head: "tenon/issue-1",
		Base: "main", Draft: true})
	require.NoError(t, err)
	require.True(t, made.Draft)
	require.Equal(t, port.Head{Repo: w.repo, User: false, Branch: "tenon/issue-1", SHA: sha}, made.Head)
	require.True(t, strings.HasSuffix(made.URL, "/octo-org/hello-joint/pull/2"), made.URL)
	again, found, err := w.app.FindPull(ctx, w.repo, "tenon/issue-1")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, made.Number, again.Number)
	_, err = w.app.CreatePull(ctx, w.repo, port.NewPull{Title: "Say hi", Head: "tenon/issue-1", Base: "main", Draft: true})
	require.ErrorContains(t, err, "A pull request already exists")

	require.NoError(t, w.Merge(hello, made.Number))
	merged, found, err := w.app.FindPull(ctx, w.repo, "tenon/issue-1")
	require.NoError(t, err)
	require.True(t, found)
	require.True(t, merged.Merged)
	require.Equal(t, "closed", merged.State)
}

func TestOnlyTheBranchsOwnPullRequestIsFound(t *testing.T) {
	t.Parallel()
	const own, fork = `{"id":700}`, `{"id":9}`
	d := newFakeAPI(t)
	d.on("GET "+pulls, ok(`[{"number":4,"head":{"ref":"other","repo":`+own+`}},
		{"number":3,"head":{"ref":"a/b","repo":`+fork+`}},
		{"number":2,"merged_at":"2026-11-20T12:00:00Z","head":{"ref":"a/b","repo":`+own+`}},
		{"number":1,"head":{"ref":"a/b","repo":null}}]`))
	got, found, err := d.client(t).FindPull(context.Background(), joint, "a/b")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, 2, got.Number)
	require.True(t, got.Merged, "lists do not say it but by the time")
	require.Equal(t, "direction=desc&head=octo-org%3Aa%2Fb&per_page=100&sort=created&state=all",
		d.calls("GET " + pulls)[0].query)
	_, _, err = d.client(t).FindPull(context.Background(), joint, "")
	require.ErrorContains(t, err, "branch is empty")
}

func TestAPlanWithoutDraftsGetsAnOrdinaryPullRequest(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	refused := response{status: 422, body: `{"message":"Draft pull requests are not supported in this repository."}`}
	d.on("POST "+pulls, refused, response{status: 201, body: `{"number":2}`})
	made, err := d.client(t).CreatePull(ctx, joint, port.NewPull{Title: "t", Head: "a", Base: "main", Draft: true})
	require.NoError(t, err)
	require.Equal(t, 2, made.Number)
	sent := d.calls("POST " + pulls)
	require.Len(t, sent, 2)
	require.Contains(t, sent[0].body, `"draft":true`)
	require.Contains(t, sent[1].body, `"draft":false`)

	d.on("POST "+pulls, refusal(422, "No commits between main and a"))
	_, err = d.client(t).CreatePull(ctx, joint, port.NewPull{Title: "t", Head: "a", Base: "main", Draft: true})
	require.ErrorContains(t, err, "opening a pull request from a in octo-org/hello-joint: GitHub answered 422: No commits")
	require.Len(t, d.calls("POST "+pulls), 3)
}

func TestAForkTellsWhoMayPushToIt(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(getPull, ok(`{"number":17,"maintainer_can_modify":true,"html_url":"https://x/17","head":{"ref":"a","repo":`+
		`{"id":9,"name":"fork","owner":{"login":"mona","type":"User"}}}}`))
	got, err := d.client(t).PullRequest(context.Background(), joint, 17)
	require.NoError(t, err)
	require.True(t, got.Maintainable)
	require.True(t, got.Head.User)
	require.Equal(t, "https://x/17", got.URL)
}

func TestAForkTellsWhetherMorePeopleReadItThanItsBase(t *testing.T) {
	t.Parallel()
	ranks := []string{`"private":true`, `"private":true,"visibility":"internal"`, `"private":false,"visibility":"public"`}
	for base, ofBase := range ranks {
		for head, ofHead := range ranks {
			d := newFakeAPI(t)
			d.on(getPull, ok(`{"head":{"repo":{"id":9,`+ofHead+`}},"base":{"repo":{"id":700,`+ofBase+`}}}`))
			got, err := d.client(t).PullRequest(context.Background(), joint, 17)
			require.NoError(t, err)
			require.Equal(t, head > base, got.Head.Exposed, "%s of %s", ofHead, ofBase)
		}
	}
	d := newFakeAPI(t)
	d.on(getPull, ok(`{"head":{"repo":null},"base":{"repo":{"id":700,"private":true}}}`))
	got, err := d.client(t).PullRequest(context.Background(), joint, 17)
	require.NoError(t, err)
	require.False(t, got.Head.Exposed, "it was deleted")
}

func TestTheThreadsThatNobodyResolved(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	var firsts []int64
	for _, text := range []string{"rename it", "document it", "drop it"} {
		id, err := w.ReviewComment("mona", hello, w.pull, sim.Place{Path: "server/start.go", Line: 1}, text)
		require.NoError(t, err)
		firsts = append(firsts, id)
	}
	asked := port.Comment{Kind: port.ReviewComment, ID: firsts[0]}
	made, err := w.app.Post(ctx, w.repo, inThreadOf(w.pull, &asked), "how?")
	require.NoError(t, err)
	require.NoError(t, w.ResolveThread("mona", firsts[1]))
	threads, err := w.app.UnresolvedThreads(ctx, w.repo, w.pull)
	require.NoError(t, err)
	require.Len(t, threads, 2)
	first := threads[0]
	require.Equal(t, "server/start.go", first.Path)
	require.Equal(t, 1, first.Line)
	require.Len(t, first.Comments, 2)
	require.Equal(t, firsts[0], first.Comments[0].ID)
	require.Equal(t, "mona", first.Comments[0].Author.Login)
	require.Equal(t, "rename it", first.Comments[0].Body)
	require.Zero(t, first.Comments[0].InReplyTo)
	require.Equal(t, firsts[0], first.Comments[1].InReplyTo)
	require.Equal(t, port.User{Login: "tenon[bot]", Bot: true}, first.Comments[1].Author, "as REST calls it")
	require.Equal(t, made.ID, first.Comments[1].ID)
	require.NotEmpty(t, first.Comments[0].Hunk)

	_, err = w.Push(hello, "feature/x", map[string]string{"server/start.go": "package other\n"}, "change the line")
	require.NoError(t, err)
	threads, err = w.app.UnresolvedThreads(ctx, w.repo, w.pull)
	require.NoError(t, err)
	require.True(t, threads[0].Outdated)
	require.Zero(t, threads[0].Line)
	_, err = w.app.UnresolvedThreads(ctx, w.repo, 99)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func TestManyThreadsAreReadInPages(t *testing.T) {
	t.Parallel()
	page := func(resolved string, n int, more string) response {
		node := `{"id":"T","isResolved":` + resolved +
			`,"comments":{"nodes":[{"fullDatabaseId":"4000000000","author":null}]}}`
		return ok(`{"data":{"repository":{"pullRequest":{"reviewThreads":{"pageInfo":{"hasNextPage":` + more +
			`,"endCursor":"c"},"nodes":[` +
			strings.TrimSuffix(strings.Repeat(node+",", n), ",") + `]}}}}}`)
	}
	d := newFakeAPI(t)
	d.on(graph, page("true", 50, "true"), page("false", 50, "true"), page("false", 50, "true"), page("false", 50, "true"))
	got, err := d.client(t).UnresolvedThreads(context.Background(), joint, 17)
	require.NoError(t, err)
	require.Len(t, got, 100)
	require.Equal(t, int64(4_000_000_000), got[0].Comments[0].ID, "more than 32 bits hold")
	require.Len(t, d.calls(graph), 3)
	require.NotContains(t, d.calls(graph)[0].body, `"after":"c"`)
	require.Contains(t, d.calls(graph)[1].body, `"after":"c"`)

	d.on(graph, page("true", 1, "true"))
	got, err = d.client(t).UnresolvedThreads(context.Background(), joint, 17)
	require.NoError(t, err)
	require.Empty(t, got)
	require.Len(t, d.calls(graph), 3+20, "a search ends")
}

func TestSuggestionsStandOnLinesOfTheDiff(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	_, err := w.Push(hello, "feature/x", map[string]string{"server/start.go": "package server\n\nvar a = 1\n"}, "more")
	require.NoError(t, err)
	pr, err := w.app.PullRequest(ctx, w.repo, w.pull)
	require.NoError(t, err)
	note := port.Suggestion{Path: "server/start.go", StartLine: 1, Line: 3, Body: "```suggestion\npackage server\n```"}
	made, err := w.app.Suggest(ctx, w.repo, w.pull, pr.Head.SHA, "two edits",
		[]port.Suggestion{note, {Path: "server/start.go", Line: 3, Body: "x"}})
	require.NoError(t, err)
	require.Equal(t, port.Review, made.Kind)
	notes, err := w.ReviewComments(hello, w.pull)
	require.NoError(t, err)
	require.Len(t, notes, 2)
	require.Equal(t, 3, notes[0].Line)

	note.Line = 40
	_, err = w.app.Suggest(ctx, w.repo, w.pull, pr.Head.SHA, "beyond", []port.Suggestion{note})
	require.True(t, asPermanent(err), "%v", err)
	for _, notes := range [][]port.Suggestion{nil, make([]port.Suggestion, 101), {{Path: "server/start.go", Line: 1}}} {
		_, err = w.app.Suggest(ctx, w.repo, w.pull, pr.Head.SHA, "x", notes)
		require.Error(t, err)
	}
}

func TestARunGoesOnInARenamedRepository(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	issue, err := w.OpenIssue("mona", hello, "Broken", "x")
	require.NoError(t, err)
	up := w.onBranch(t, "feature/x", write("README.md", "hi\n"))
	require.NoError(t, w.RenameRepo(hello, "new-joint"))
	now, err := w.app.Repository(ctx, w.repo)
	require.NoError(t, err)
	require.Equal(t, "octo-org/new-joint", now.String())

	made, err := w.app.Post(ctx, w.repo, conversation(w.pull), "by the old name")
	require.NoError(t, err)
	require.NoError(t, w.app.Edit(ctx, w.repo, w.pull, made, "still"))
	_, err = w.app.Upload(ctx, w.repo, up)
	require.NoError(t, err)
	got, err := w.app.Issue(ctx, w.repo, issue)
	require.NoError(t, err)
	require.Equal(t, "octo-org/new-joint", got.Repo)
}

func TestATransferredIssueSaysWhereItIs(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	number, err := w.OpenIssue("mona", hello, "Broken", "x")
	require.NoError(t, err)
	for name, public := range map[string]bool{"open": true, "closed": false} {
		require.NoError(t, w.AddRepo(sim.Repo{Name: "octo-org/" + name, Public: public,
			Files: map[string]string{"x": "x\n"}}))
	}
	there, err := w.TransferIssue(hello, number, "open")
	require.NoError(t, err)
	got, err := w.app.Issue(ctx, w.repo, number)
	require.NoError(t, err)
	require.Equal(t, "octo-org/open", got.Repo)
	require.Equal(t, there, got.Number)
	_, err = w.app.Post(ctx, w.repo, conversation(number), "x")
	require.ErrorIs(t, err, port.ErrNotFound, "nothing is said in a repository that the event is not about")
	_, err = w.TransferIssue("octo-org/open", there, "closed")
	require.NoError(t, err)
	_, err = w.app.Issue(ctx, w.repo, number)
	require.ErrorIs(t, err, port.ErrNotFound)
}
