package gh_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

const root = "/repos/octo-org/hello-joint"

func TestWhatSomebodyMayDo(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]port.Permission{
		`{"permission":"admin","role_name":"admin"}`:    port.PermissionAdmin,
		`{"permission":"write","role_name":"maintain"}`: port.PermissionMaintain,
		`{"permission":"write","role_name":"write"}`:    port.PermissionWrite,
		`{"permission":"read","role_name":"triage"}`:    port.PermissionTriage,
		`{"permission":"read","role_name":"read"}`:      port.PermissionRead,
		`{"permission":"none","role_name":"none"}`:      port.PermissionNone,
		`{"permission":"write","role_name":"release"}`:  port.PermissionWrite, // a custom role
		`{"permission":"read","role_name":"admin"}`:     port.PermissionRead,  // a custom role's name gives nothing
		`{"permission":"read","role_name":"maintain"}`:  port.PermissionRead,
		`{"permission":"owner"}`:                        port.PermissionNone, // unknown words give nothing
		`{}`:                                            port.PermissionNone,
	} {
		d := newFakeAPI(t)
		d.on("GET "+root+"/collaborators/mona/permission", ok(answer))
		got, err := d.client(t).Permission(context.Background(), joint, "mona")
		require.NoError(t, err)
		require.Equal(t, want, got, answer)
	}
}

func TestAPermissionThatCannotBeAskedIsNone(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	got, err := c.Permission(context.Background(), joint, "ghost")
	require.ErrorIs(t, err, port.ErrNotFound)
	require.EqualError(t, err,
		"asking for the permission of ghost in octo-org/hello-joint: GitHub answered 404: Not Found")
	require.Equal(t, port.PermissionNone, got)
	for _, login := range []string{"", ".", ".."} {
		_, err = c.Permission(context.Background(), joint, login)
		require.ErrorContains(t, err, "is not a login")
	}
	_, err = c.Permission(context.Background(), joint, "x/../../mona")
	require.Error(t, err)
	require.Len(t, d.calls("GET "+root+"/collaborators/x%2F..%2F..%2Fmona/permission"), 1,
		"a login stays one segment of the path")
}

func TestAPullRequestIsRead(t *testing.T) {
	t.Parallel()
	const format = `{"number":17,"title":"No cache","state":"closed","merged":true,"locked":true,"draft":true,
		"base":{"ref":"main","repo":{"id":700}},"head":{"ref":"feature/x","sha":"6dcb","repo":%s}}`
	for repo, want := range map[string]port.RepoRef{
		`{"id":700,"name":"hello-joint","owner":{"login":"octo-org"}}`: joint,
		`{"id":9,"node_id":"R_9","name":"fork","default_branch":"dev","archived":true,"owner":{"login":"mona"}}`: {ID: 9,
			NodeID: "R_9", Owner: "mona", Name: "fork", DefaultBranch: "dev", Archived: true},
		`null`: {},
	} {
		d := newFakeAPI(t)
		d.on(getPull, ok(fmt.Sprintf(format, repo)))
		got, err := d.client(t).PullRequest(context.Background(), joint, 17)
		require.NoError(t, err)
		require.Equal(t, port.PullRequest{Number: 17, Title: "No cache", State: "closed", Merged: true, Locked: true,
			Draft: true, Base: "main",
			Head: port.Head{Repo: want, Branch: "feature/x", SHA: "6dcb"}}, got)
	}
}

func TestADeletedIssueIsNotThere(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(comment, refusal(410, "This issue was deleted"))
	c := d.client(t)
	_, err := c.Post(context.Background(), joint, conversation(17), "x")
	require.ErrorIs(t, err, port.ErrNotFound)
	var p permanent
	require.ErrorAs(t, err, &p)
	require.True(t, p.Permanent())
	d.on(comment, refusal(404, "Not Found"))
	_, err = c.Post(context.Background(), joint, conversation(17), "x")
	require.ErrorIs(t, err, port.ErrNotFound)
	require.ErrorAs(t, err, &p)
	require.False(t, p.Permanent(), "what is new may not be there yet")
}

// linked scripts one page of a list, with the Link header to the next and the last page.
func linked(d *fakeAPI, path string, page, last int, items any) response {
	body, _ := json.Marshal(items)
	a := response{200, http.Header{}, string(body)}
	if page < last {
		a.header.Set("Link", fmt.Sprintf(`<%s%s?page=%d>; rel="next", <%s%s?page=%d>; rel="last"`, d.server.URL, path, page+1,
			d.server.URL, path, last))
	}
	return a
}

func TestThePathsOfAPullRequestAreBounded(t *testing.T) {
	t.Parallel()
	type file struct {
		Filename string `json:"filename"`
		Status   string `json:"status"`
		Patch    string `json:"patch"`
	}
	d := newFakeAPI(t)
	path := root + "/pulls/17/files"
	var pages []response
	for page := range 5 {
		files := make([]file, 100)
		for i := range files {
			files[i] = file{fmt.Sprintf("f%03d", page*100+i), "modified", "@@ -1 +1 @@"}
		}
		files[0].Status = "removed"
		pages = append(pages, linked(d, path, page+1, 5, files))
	}
	d.on("GET "+path, pages...)
	got, err := d.client(t).ChangedFiles(context.Background(), joint, 17)
	require.NoError(t, err)
	require.Len(t, got, 300)
	require.Equal(t, port.ChangedFile{Path: "f001", Patch: "@@ -1 +1 @@"}, got[0])
	require.Equal(t, "f303", got[299].Path)
	require.NotContains(t, got, port.ChangedFile{Path: "f100", Patch: "@@ -1 +1 @@"}, "a deleted file")
	asked := d.calls("GET " + path)
	require.Len(t, asked, 4)
	require.Equal(t, "page=4&per_page=100", asked[3].query)
}

func TestAnAnswerGoesWhereItWasAsked(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	reply := "POST " + root + "/pulls/17/comments/990100/replies"
	for name, c := range map[string]struct {
		at   port.Place
		call string
		sent string
	}{
		"the conversation": {conversation(17), comment, `{"body":"done <b> & ✓"}`},
		"a review": {port.Place{Number: 17, Kind: port.Review}, "POST " + root + "/pulls/17/reviews",
			`{"body":"done <b> & ✓","event":"COMMENT"}`},
		"a thread's first comment": {inThreadOf(17, &port.Comment{Kind: port.ReviewComment, ID: 990100}), reply,
			`{"body":"done <b> & ✓"}`},
		"a thread's later comment": {inThreadOf(17, &port.Comment{Kind: port.ReviewComment, ID: 990102, InReplyTo: 990100}),
			reply, `{"body":"done <b> & ✓"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on(c.call, response{status: 201, body: `{"id":5,"node_id":"N_5","html_url":"https://x/5","body":"done <b> & ✓",` +
				`"user":{"id":1,"login":"tenon[bot]","type":"Bot"}}`})
			made, err := d.client(t).Post(ctx, joint, c.at, "done <b> & ✓")
			require.NoError(t, err)
			require.Equal(t, port.Comment{Kind: c.at.Kind, ID: 5, NodeID: "N_5", URL: "https://x/5", Body: "done <b> & ✓",
				Author: port.User{ID: 1, Login: "tenon[bot]", Bot: true}}, made)
			require.JSONEq(t, c.sent, d.calls(c.call)[0].body)
		})
	}
	d := newFakeAPI(t)
	for _, at := range []port.Place{{Number: 17}, {Number: 17, Kind: port.IssueBody}, inThreadOf(17, nil),
		inThreadOf(17, &port.Comment{Kind: port.IssueComment, ID: 4})} {
		_, err := d.client(t).Post(ctx, joint, at, "x")
		require.ErrorContains(t, err, "cannot be commented on")
	}
	require.Empty(t, d.got)
}

func TestABodyThatGitHubRefusesIsNotSent(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(comment, response{status: 201, body: `{"id":1}`})
	_, err := c.Post(ctx, joint, conversation(17), strings.Repeat("é", 65536))
	require.NoError(t, err, "the limit is in characters")
	_, err = c.Post(ctx, joint, conversation(17), strings.Repeat("é", 65537))
	require.EqualError(t, err, "the comment has 65537 characters; GitHub accepts at most 65536")
	_, err = c.Post(ctx, joint, conversation(17), " \n\t")
	require.ErrorContains(t, err, "blank")
	_, err = c.Post(ctx, joint, conversation(0), "x")
	require.ErrorContains(t, err, "0 is not the number")
	var p permanent
	require.ErrorAs(t, err, &p)
	require.True(t, p.Permanent())
	require.Len(t, d.calls(comment), 1)
}

func TestGitHubsWordsAreKeptInBounds(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(comment, response{status: 422, body: `{"message":"Validation\nFailed","errors":[{"field":"body","code":` +
		`"custom"},{"message":"` + strings.Repeat("é", 400) + `"}]}`})
	_, err := d.client(t).Post(context.Background(), joint, conversation(17), "x")
	require.ErrorContains(t, err, "GitHub answered 422: Validation Failed; body custom; éé")
	require.Less(t, len(err.Error()), 600)
	require.NotContains(t, err.Error(), "\uFFFD")
}

func TestAReactionGoesToItsComment(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for kind, path := range map[port.EventKind]string{
		port.IssueComment:  root + "/issues/comments/5/reactions",
		port.ReviewComment: root + "/pulls/comments/5/reactions",
		port.IssueBody:     root + "/issues/5/reactions",
	} {
		d := newFakeAPI(t)
		d.on("POST "+path, response{status: 201, body: `{"id":1}`}, ok(`{"id":1}`))
		c := d.client(t)
		require.NoError(t, c.React(ctx, joint, port.Comment{Kind: kind, ID: 5}, port.ReactionDown))
		require.NoError(t, c.React(ctx, joint, port.Comment{Kind: kind, ID: 5}, port.ReactionDown), "it stands already")
		require.JSONEq(t, `{"content":"-1"}`, d.calls("POST " + path)[0].body)
		err := c.React(ctx, joint, port.Comment{Kind: kind, ID: 6}, port.ReactionEyes)
		require.ErrorIs(t, err, port.ErrNotFound)
		require.ErrorContains(t, err, "adding the reaction eyes to "+strings.ReplaceAll(string(kind), "_",
			" ")+" 6 of octo-org/hello-joint: GitHub answered 404")
	}
}

func TestACommitIsFoundByItsTrailer(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	path := "GET " + root + "/commits"
	d.on(path, ok(`[{"sha":"c3","commit":{"message":"later"}},{"sha":"b2","commit":{"message":"fix: x\n\nTenon-Run: `+
		`abc"}},{"sha":"a1","commit":{"message":"Tenon-Run: abc"}}]`))
	at := strings.Repeat("c3", 20)
	sha, found, err := c.FindCommit(ctx, joint, at, "Tenon-Run: abc")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "b2", sha)
	require.Equal(t, "per_page=100&sha="+at, d.calls(path)[0].query)
	_, found, err = c.FindCommit(ctx, joint, at, "Tenon-Run: xyz")
	require.NoError(t, err)
	require.False(t, found)

	for _, refused := range []response{refusal(409, "Git Repository is empty."), refusal(404, "Not Found"),
		refusal(422, "No commit found for SHA: "+at)} {
		d.on(path, refused)
		_, _, err = c.FindCommit(ctx, joint, at, "x")
		require.ErrorIs(t, err, port.ErrNotFound)
	}
	for _, wrong := range []string{"main", "", at[1:], strings.ToUpper(at)} {
		_, _, err = c.FindCommit(ctx, joint, wrong, "x")
		require.ErrorContains(t, err, "not the name of a commit")
	}
	_, _, err = c.FindCommit(ctx, joint, at, "")
	require.ErrorContains(t, err, "empty")
}
