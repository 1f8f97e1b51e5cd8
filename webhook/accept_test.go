package webhook_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/mux"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/webhook"
)

var (
	written = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

	mona  = port.User{ID: 1001, Login: "mona"}
	joint = port.RepoRef{Installation: 55001, ID: 700100, NodeID: "R_kgDOAAqvJA", Owner: "octo-org", Name: "hello-joint",
		DefaultBranch: "main"}
	pull = port.Thread{Number: 17, Pull: true, Title: "Start the server even without a cache", State: "open",
		URL: "https://github.com/octo-org/hello-joint/pull/17"}
)

func TestACommentOnAPullRequestIsQueued(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	w := s.deliver("issue_comment", payload(t, "issue_comment"))
	require.Equal(t, http.StatusAccepted, w.Code, w.Body)
	require.Equal(t, []port.Event{{
		Delivery: guid,
		Kind:     port.IssueComment,
		Action:   "created",
		Repo:     joint,
		Thread:   pull,
		Comment: port.Comment{Kind: port.IssueComment, ID: 990001, Author: mona, Updated: written,
			URL:  "https://github.com/octo-org/hello-joint/pull/17#issuecomment-990001",
			Body: "/tenon fix the nil check in `server/start.go`\n\nIt is line 42."},
		Sender:   mona,
		Received: noon,
		Private:  true,
	}}, s.queue.events)
}

func TestAReviewCommentComesWithItsPlace(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	pull := pull
	pull.Head = pullHead
	w := s.deliver("pull_request_review_comment", payload(t, "pull_request_review_comment"))
	require.Equal(t, http.StatusAccepted, w.Code, w.Body)
	require.Equal(t, []port.Event{{
		Delivery: guid,
		Kind:     port.ReviewComment,
		Action:   "created",
		Repo:     joint,
		Thread:   pull,
		Comment: port.Comment{Kind: port.ReviewComment, ID: 990102, InReplyTo: 990100, Author: mona, Updated: written,
			URL:  "https://github.com/octo-org/hello-joint/pull/17#discussion_r990102",
			Body: "@tenon, return early here instead",
			Path: "server/start.go", StartLine: 40, Line: 42, Side: "RIGHT",
			Hunk:   "@@ -38,7 +38,9 @@ func Start(cache *Cache) error {\n \tif cache == nil {\n+\t\tlog.Print(\"no cache\")\n",
			Commit: "6dcb09b5b57875f334f61aebed695e2e4193db5e"},
		Sender:   mona,
		Received: noon,
		Private:  true,
	}}, s.queue.events)
}

func TestWhatThePayloadSaysReachesTheEvent(t *testing.T) {
	t.Parallel()
	const issue, review = "issue_comment", "pull_request_review_comment"
	for name, c := range map[string]struct {
		event, at string
		value     any
		check     func(*testing.T, port.Event)
	}{
		"an issue is no pull request": {issue, "issue.pull_request", "delete",
			func(t *testing.T, ev port.Event) { require.False(t, ev.Thread.Pull) }},
		"a closed thread": {issue, "issue.state", "closed",
			func(t *testing.T, ev port.Event) { require.Equal(t, "closed", ev.Thread.State) }},
		"a locked thread": {issue, "issue.locked", true,
			func(t *testing.T, ev port.Event) { require.True(t, ev.Thread.Locked) }},
		"a locked pull request": {review, "pull_request.locked", true,
			func(t *testing.T, ev port.Event) { require.True(t, ev.Thread.Locked) }},
		"an archived repository": {issue, "repository.archived", true,
			func(t *testing.T, ev port.Event) { require.True(t, ev.Repo.Archived) }},
		"the first comment of a thread": {review, "comment.in_reply_to_id", "delete", func(t *testing.T, ev port.Event) {
			require.Zero(t, ev.Comment.InReplyTo)
		}},
		"an outdated place has no line": {review, "comment.line", nil,
			func(t *testing.T, ev port.Event) { require.Zero(t, ev.Comment.Line) }},
		"a comment on one line": {review, "comment.start_line", nil,
			func(t *testing.T, ev port.Event) { require.Zero(t, ev.Comment.StartLine) }},
		"a range that starts on the other side of the diff": {review, "comment.start_side", "LEFT",
			func(t *testing.T, ev port.Event) {
				require.Zero(t, ev.Comment.StartLine)
				require.Equal(t, 42, ev.Comment.Line)
			}},
		"an author who is gone": {issue, "comment.user", nil,
			func(t *testing.T, ev port.Event) { require.Zero(t, ev.Comment.Author) }},
		"a command in capitals": {issue, "comment.body", "/Tenon HELP",
			func(t *testing.T, ev port.Event) { require.Equal(t, "/Tenon HELP", ev.Comment.Body) }},
		"a field that changed its shape and that nobody reads": {issue, "issue.reactions", []any{"none"},
			func(*testing.T, port.Event) {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			w := s.deliver(c.event, with(t, c.event, c.at, c.value))
			require.Equal(t, http.StatusAccepted, w.Code, w.Body)
			require.Len(t, s.queue.events, 1)
			c.check(t, s.queue.events[0])
		})
	}
}

func TestDeliveriesThatNobodyNeedsAreNotQueued(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event string
		body  []byte
	}{
		"an event without commands":        {"star", []byte(`{"action":"created"}`)},
		"an event that GitHub may add":     {"joinery", []byte(`not even JSON`)},
		"a comment that its author edited": {"issue_comment", with(t, "issue_comment", "action", "edited")},
		"a deleted review comment": {"pull_request_review_comment", with(t, "pull_request_review_comment", "action",
			"deleted")},
		"a comment of a bot": {"issue_comment", with(t, "issue_comment", "sender.type", "Bot")},
		"a comment without any command": {"issue_comment", with(t, "issue_comment", "comment.body",
			"Looks good; tenon is fine.")},
		"an empty comment": {"issue_comment", with(t, "issue_comment", "comment.body", "")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			w := s.deliver(c.event, c.body)
			require.Equal(t, http.StatusNoContent, w.Code, w.Body)
			require.Empty(t, w.Body.String())
			require.Empty(t, s.queue.events)
		})
	}
}

func TestAPingIsAnswered(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	w := s.deliver("ping", []byte(`{"zen":"Keep it logically awesome.","hook_id":1}`))
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), "signature is right")
	require.Empty(t, s.queue.events)
}

// later is a queue's error with a RetryAfter.
type later time.Duration

func (later) Error() string               { return "database is locked at /var/lib/tenon" }
func (l later) RetryAfter() time.Duration { return time.Duration(l) }

func TestNothingIsAcknowledgedThatTheQueueDidNotTake(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		wait string
	}{
		"the queue names a wait":         {later(7 * time.Second), "7"},
		"a wait too short to be written": {later(0), "1"},
		"a wait without measure":         {later(1000 * time.Hour), "3600"},
		"the queue names none":           {errors.New("disk is full"), "30"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			s.queue.err = c.err
			w := s.deliver("issue_comment", payload(t, "issue_comment"))
			require.Equal(t, http.StatusServiceUnavailable, w.Code)
			require.Equal(t, c.wait, w.Header().Get("Retry-After"))
			require.Contains(t, w.Body.String(), "redeliver it later")
			require.NotContains(t, w.Body.String(), c.err.Error(), "the cause is for the log")
		})
	}
}

// What is refused because of tenon's own trouble is told, and nothing else is.
func TestItIsToldWhenSomethingWasRefusedThatCouldBeAcceptedLater(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk is full")
	uninstalled := []byte(`{"action": "deleted", "installation": {"id": 7, "account": {}}}`)
	comment := payload(t, "issue_comment")
	for name, c := range map[string]struct {
		event string
		body  []byte
		err   error
		slug  string
		told  int
	}{
		"a command that is stored":     {"issue_comment", comment, nil, "tenon", 0},
		"a command that is not":        {"issue_comment", comment, broken, "tenon", 1},
		"the end of an installation":   {"installation", uninstalled, broken, "tenon", 1},
		"a button of an unknown App":   {pressed, with(t, pressed, "check_run.app.slug", "tenon"), nil, "", 1},
		"more commands than a limit":   {"issue_comment", comment, &port.TooMany{Of: "sender"}, "tenon", 0},
		"what could never be accepted": {"issue_comment", []byte(`{`), nil, "tenon", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := 0
			h, err := webhook.New(webhook.Options{Secret: []byte(secret), Queue: &memory{err: c.err},
				Slug: func() string { return c.slug }, Now: func() time.Time { return noon }, Refused: func() { told++ },
				Uninstalled: func(context.Context, int64) error { return c.err }})
			require.NoError(t, err)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, signed(c.event, c.body))
			require.Equal(t, c.told, told, "%d: %s", w.Code, w.Body)
		})
	}
}

// hanging is a queue whose database does not answer.
type hanging struct{}

func (hanging) Submit(ctx context.Context, _ port.Event) error { return hang(ctx) }

func hang(ctx context.Context) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

// GitHub waits 10 seconds and then notes a timeout, without a reason.
func TestARefusalComesBeforeGitHubGivesUp(t *testing.T) {
	t.Parallel()
	for event, body := range map[string][]byte{
		"issue_comment": payload(t, "issue_comment"),
		"installation":  []byte(`{"action": "deleted", "installation": {"id": 7, "account": {}}}`),
	} {
		synctest.Test(t, func(t *testing.T) {
			h, err := webhook.New(webhook.Options{Secret: []byte(secret), Queue: hanging{},
				Slug: func() string { return "tenon" }, Now: func() time.Time { return noon },
				Uninstalled: func(ctx context.Context, _ int64) error { return hang(ctx) }})
			require.NoError(t, err)
			router := mux.NewRouter()
			h.Routes(router)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // GitHub's patience
			defer cancel()
			w := httptest.NewRecorder()
			router.ServeHTTP(w, signed(event, body).WithContext(ctx))
			require.NoError(t, ctx.Err(), "GitHub did not wait for the response to %s", event)
			require.Equal(t, http.StatusServiceUnavailable, w.Code)
			require.Contains(t, w.Body.String(), "redeliver it later")
		})
	}
}

func TestAHandlerNeedsASecretAQueueAndAName(t *testing.T) {
	t.Parallel()
	_, err := webhook.New(webhook.Options{Queue: &memory{}})
	require.ErrorContains(t, err, "webhook secret is empty")
	_, err = webhook.New(webhook.Options{Secret: []byte(strings.Repeat("s", 16))})
	require.ErrorContains(t, err, "no queue")
	_, err = webhook.New(webhook.Options{Secret: []byte(strings.Repeat("s", 16)), Queue: &memory{}})
	require.ErrorContains(t, err, "App's name")
}

func TestTheRepositoriesOfAnInstallationChange(t *testing.T) {
	t.Parallel()
	var told []int64
	h, err := webhook.New(webhook.Options{Secret: []byte(secret), Queue: &memory{}, Slug: func() string { return "tenon" },
		RepositoriesChanged: func(installation int64) { told = append(told, installation) }})
	require.NoError(t, err)
	router := mux.NewRouter()
	h.Routes(router)
	s := server{router, &memory{}}
	for _, event := range []string{"installation_repositories", "installation", "issue_comment"} {
		s.deliver(event, []byte(`{"action":"added","installation":{"id":55001}}`))
	}
	require.Equal(t, []int64{55001}, told)
	require.Equal(t, http.StatusNoContent, s.deliver("installation_repositories", []byte(`{"inst`)).Code)
	forged := signed("installation_repositories", []byte(`{"installation":{"id":1}}`))
	forged.Header.Set("X-Hub-Signature-256", "sha256="+strings.Repeat("0", 64))
	require.Equal(t, http.StatusUnauthorized, s.send(forged).Code)
	require.Equal(t, []int64{55001}, told)
	require.Equal(t, http.StatusNoContent, newServer(t).deliver("installation_repositories",
		[]byte(`{"action":"added","installation":{"id":55001}}`)).Code, "nobody is told")
}
