package web_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/web"
	"github.com/tenon-bot/tenon/internal/web/webtest"
)

// theirs is a repository of the same owner that ann may not read.
var theirs = port.RepoRef{ID: 8, Owner: "acme", Name: "vault"}

// ranAgo is a run in a repository that ended so long ago.
func ranAgo(id string, repo port.RepoRef, d time.Duration, change func(*port.Ended)) port.Ended {
	e := port.Ended{Run: id, Delivery: "d-" + id, Repository: repo.ID, Owner: repo.Owner, Repo: repo.Name, Thread: 4,
		Pull: true, Person: "maria", PersonID: 3, Command: "fix", Outcome: port.EndCommitted,
		Started: noon.Add(-d - time.Minute), At: noon.Add(-d), Edits: []port.EditCount{{Outcome: "applied", Count: 2}},
		Models: []port.ModelUse{{Model: "strong", Calls: 1, In: 900, Out: 100, Nanos: 5_000_000}}}
	if change != nil {
		change(&e)
	}
	return e
}

// listed is a site with lists.
type listed struct {
	*site
	lists      *webtest.Lists
	operations *webtest.Operations
}

func newListed(runs ...port.Ended) listed {
	l := listed{newSite(), &webtest.Lists{Runs: runs}, &webtest.Operations{}}
	l.handler = web.New(web.Options{Visitors: l.visitors, Runs: l.runs, Live: l.live, Acts: l.acts, Lists: l.lists,
		Operations: l.operations, Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler)})
	return l
}

var errGitHubIsOut = errors.New("GitHub is out")

// send sends a form without fields, with a token.
func (l listed) send(path, token string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(url.Values{"csrf_token": {token}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	l.handler.ServeHTTP(w, r)
	return w
}

// body returns the page of a path, which must answer with a status.
func (l listed) body(t *testing.T, status int, path string) string {
	t.Helper()
	w := l.get(path)
	require.Equal(t, status, w.Code, path)
	return w.Body.String()
}

var runLink = regexp.MustCompile(`href="/runs/([a-z0-9-]+)"`)

// linked returns the runs that a page links to, in order.
func linked(page string) (ids []string) {
	for _, m := range runLink.FindAllStringSubmatch(page, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

func TestTheFirstPageListsTheRunsOfRepositoriesThatTheVisitorMayReadAndNoOthers(t *testing.T) {
	t.Parallel()
	l := newListed(ranAgo("a", ours, 3*time.Hour, nil), ranAgo("secret", theirs, 2*time.Hour, nil),
		ranAgo("b", ours, time.Hour, func(e *port.Ended) { e.Outcome, e.Reason = port.EndRefused, port.ReasonBudget }))
	l.lists.Events = []web.Open{{Run: "c", State: view.Waiting, Position: 2, Event: port.Event{Repo: ours}},
		{Run: "hush", State: view.Running, Event: port.Event{Repo: theirs}}}
	for _, path := range []string{"/", "/runs", "/runs?owner=ACME"} {
		page := l.body(t, http.StatusOK, path)
		want := []string{"b", "a"}
		if path == "/" {
			want = []string{"c", "b", "a"}
		}
		require.Equal(t, want, linked(page), path)
		require.NotContains(t, page, "vault")
		require.Contains(t, page, "the budget is used up")
	}
	require.Empty(t, linked(l.body(t, http.StatusOK, "/runs?repo=acme/vault")))
	l.visitors.Fault = errGitHubIsOut
	l.body(t, http.StatusBadGateway, "/runs")
}

func TestTheListIsFilteredByRepositoryPersonAndOutcome(t *testing.T) {
	t.Parallel()
	l := newListed(ranAgo("a", ours, 2*time.Hour, func(e *port.Ended) { e.Person = "joe" }),
		ranAgo("b", ours, time.Hour, func(e *port.Ended) { e.Outcome = port.EndAnswered }))
	for query, want := range map[string][]string{
		"repo=acme/shop": {"b", "a"}, "person=@joe": {"a"}, "outcome=answered": {"b"}, "person=joe&outcome=answered": nil,
	} {
		require.Equal(t, want, linked(l.body(t, http.StatusOK, "/runs?"+query)), query)
	}
	page := l.body(t, http.StatusOK, `/runs?person=%22%3E%3Cscript%3E&outcome=answered`)
	require.NotContains(t, page, "<script>")
	require.Contains(t, page, "<option selected>answered</option>")
	for query, problem := range map[string]string{
		"repo=shop": "owner/name", "outcome=better": "no such outcome", "before=x": "no such page",
		"repo=acme/shop&owner=octo": "none of the owner octo", "person=" + strings.Repeat("x", 200): "No name is as long",
	} {
		require.Contains(t, l.body(t, http.StatusBadRequest, "/runs?"+query), problem, query)
	}
}

func TestEveryRunIsOnOnePageOfTheList(t *testing.T) {
	t.Parallel()
	var runs []port.Ended
	var want []string
	for i := range 120 {
		runs = append(runs, ranAgo(fmt.Sprint("r", i), ours, time.Hour, nil),
			ranAgo(fmt.Sprint("x", i), theirs, time.Hour, nil))
		want = append([]string{fmt.Sprint("r", i)}, want...)
	}
	l := newListed(runs...)
	require.Equal(t, want, l.walk(t))
}

var older = regexp.MustCompile(`href="(/runs\?before=\d+)" rel="next"`)

// walk returns the runs of all pages of the list.
func (l listed) walk(t *testing.T) (all []string) {
	t.Helper()
	for path := "/runs"; path != ""; {
		page := l.body(t, http.StatusOK, path)
		all, path = append(all, linked(page)...), ""
		if m := older.FindStringSubmatch(page); m != nil {
			path = m[1]
		}
	}
	return all
}

func TestManyRepositoriesOfOthersHideNoRun(t *testing.T) {
	t.Parallel()
	runs := []port.Ended{ranAgo("ours", ours, time.Hour, nil)}
	for i := range 130 {
		repo := port.RepoRef{ID: int64(100 + i), Owner: "o", Name: fmt.Sprint("n", i)}
		runs = append(runs, ranAgo("x", repo, time.Hour, nil))
	}
	l := newListed(runs...)
	require.Equal(t, []string{"ours"}, l.walk(t))
	require.Contains(t, l.body(t, http.StatusOK, "/runs"), "There may be older ones")
}

func TestFiguresAreThoseOfTheRepositoriesThatTheVisitorMayRead(t *testing.T) {
	t.Parallel()
	l := newListed(ranAgo("old", ours, 50*24*time.Hour, nil),
		ranAgo("a", ours, time.Hour, func(e *port.Ended) {
			e.Repairs, e.Edits = 1, []port.EditCount{{Outcome: "failed", Reason: "not-found", Count: 3}}
		}),
		ranAgo("b", ours, 25*time.Hour, nil),
		ranAgo("taken", port.RepoRef{ID: 99, Owner: "acme", Name: "shop"}, 2*time.Hour, func(e *port.Ended) {
			e.Models[0].Model = "of-another-repository"
		}),
		ranAgo("secret", theirs, time.Hour, func(e *port.Ended) { e.Models[0].Model, e.Person = "hush", "eve" }),
		ranAgo("c", ours, time.Minute, func(e *port.Ended) { e.Outcome, e.Reason = port.EndRefused, port.ReasonBudget }))
	for _, path := range []string{"/repos/acme/shop", "/orgs/Acme"} {
		page := l.body(t, http.StatusOK, path)
		require.Contains(t, page, "<dt>Runs</dt><dd>3</dd>", path)
		require.Contains(t, page, "<dt>Committed</dt><dd>2</dd>")
		require.Contains(t, page, "<dt>Repair rate</dt><dd>33 %</dd>")
		require.Contains(t, page, "<dt>Edits</dt><dd>4 applied, 3 failed, 0 skipped</dd>")
		require.Contains(t, page, "<dt>Cost</dt><dd>$0.0150</dd>")
		require.Contains(t, page, "<title>Mar 4, not found: 3</title>")
		require.Contains(t, page, "<title>Mar 4, strong: 2k</title>")
		require.Contains(t, page, "the budget is used up")
		for _, hidden := range []string{"hush", "eve", "vault", "of-another-repository"} {
			require.NotContains(t, page, hidden)
		}
		require.Contains(t, l.body(t, http.StatusOK, path+"?days=90"), "<dt>Runs</dt><dd>4</dd>")
	}
	missing := l.body(t, http.StatusNotFound, "/repos/acme/none")
	require.Equal(t, missing, l.body(t, http.StatusNotFound, "/repos/acme/vault"))
	require.Equal(t, missing, l.body(t, http.StatusNotFound, "/orgs/nobody"))
	l.visitors.Who.Operator = true
	require.Contains(t, l.body(t, http.StatusOK, "/orgs/acme"), "<dt>Runs</dt><dd>5</dd>")
}

func TestTheQueueSaysWhatRunsAndWhyTheRestWaits(t *testing.T) {
	t.Parallel()
	l := newListed()
	l.lists.Events = []web.Open{
		{Run: "r1", State: view.Running,
			Event: port.Event{Repo: ours, Comment: port.Comment{Body: "/tenon fix <b>it</b>\nplease"}}},
		{Run: "r2", State: view.Waiting, Position: 1, Why: "an earlier command of the thread comes first",
			Event: port.Event{Repo: ours, Kind: port.Labeled}},
		{Run: "r3", State: view.Sleeping, Why: string(port.ModelOutage), Until: noon.Add(time.Hour),
			Event: port.Event{Repo: ours}},
		{Run: "r4", State: view.Running,
			Event: port.Event{Repo: theirs, Comment: port.Comment{Body: "/tenon fix the secret"}}},
		{Run: "r5", State: view.DeadLetter, Event: port.Event{Delivery: "unreadable"}},
	}
	page := l.body(t, http.StatusOK, "/queue")
	require.Equal(t, []string{"r1", "r2", "r3"}, linked(page))
	require.Contains(t, page, "/tenon fix &lt;b&gt;it&lt;/b&gt;</a>")
	require.Contains(t, page, "number 1 in the queue")
	require.Contains(t, page, "an earlier command of the thread comes first")
	require.Contains(t, page, "the model is not answering")
	require.Contains(t, page, "next attempt 1 hour from now")
	require.NotContains(t, page, "There are more")
	all := l.lists.Events
	for i := range 60 {
		other := port.RepoRef{ID: int64(100 + i), Owner: "o", Name: "n"}
		l.lists.Events = append(l.lists.Events, web.Open{Run: "x", Event: port.Event{Repo: other}})
	}
	require.Contains(t, l.body(t, http.StatusOK, "/queue"), "There are more", "GitHub was not asked for all")
	l.lists.Events = all
	l.visitors.Who.Operator = true
	page = l.body(t, http.StatusOK, "/queue")
	require.Equal(t, []string{"r1", "r2", "r3", "r4", "r5"}, linked(page))
	require.NotContains(t, page, "the secret", "an operator does not see what is written in a repository they cannot read")
	l.visitors.Fault = errGitHubIsOut
	require.NotContains(t, l.body(t, http.StatusOK, "/queue"), "please", "GitHub does not say that they may")
}

func TestOnlyOperatorsSeeAndChangeDeadLetters(t *testing.T) {
	t.Parallel()
	l := newListed()
	l.operations.Events = []web.Open{{Run: "r1", Delivery: "d-1", State: view.DeadLetter, Why: "no <use>",
		Event: port.Event{Repo: ours}}}
	l.operations.Installed = []web.Installation{{Account: "acme", Served: true,
		Problem: "acme has not accepted checks: write", Link: "https://github.com/settings"},
		{Account: "octo", Served: true, Blocked: noon.Add(time.Hour)}}
	for _, path := range []string{"/dead-letters", "/installations"} {
		l.body(t, http.StatusNotFound, path)
	}
	require.Equal(t, http.StatusNotFound, l.send("/dead-letters/d-1/drop", webtest.Token).Code)
	require.Empty(t, l.operations.Done())
	l.visitors.Who.Operator = true
	require.Contains(t, l.body(t, http.StatusOK, "/dead-letters"), "<pre>no &lt;use&gt;</pre>")
	w := l.send("/dead-letters/d-1/retry", webtest.Token)
	require.Equal(t, http.StatusSeeOther, w.Code)
	require.Contains(t, l.body(t, http.StatusOK, w.Header().Get("Location")), "is tried again")
	require.Equal(t, http.StatusForbidden, l.send("/dead-letters/d-1/drop", "of another").Code)
	require.Equal(t, http.StatusSeeOther, l.send("/dead-letters/d-1/drop", webtest.Token).Code)
	require.Equal(t, []string{"ann: retry d-1", "ann: drop d-1"}, l.operations.Done())
	l.operations.Fault = &port.UserError{Text: "it is running"}
	w = l.send("/dead-letters/d-1/retry", webtest.Token)
	require.Equal(t, http.StatusConflict, w.Code)
	require.Contains(t, w.Body.String(), "it is running")
	l.operations.Fault = port.ErrNotFound
	require.Equal(t, http.StatusNotFound, l.send("/dead-letters/d-2/retry", webtest.Token).Code)
	health := l.body(t, http.StatusOK, "/installations")
	require.Contains(t, health, "acme has not accepted checks: write")
	require.Contains(t, health, `href="https://github.com/settings"`)
	require.Contains(t, health, "GitHub asks that nothing is sent for 1 h 0 min.")
}
