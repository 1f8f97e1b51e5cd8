package webhook_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// triggers are the payloads in testdata/payloads, each named after its event and action.
const (
	reviewed = "pull_request_review.submitted"
	opened   = "issues.opened"
	issueTag = "issues.labeled"
	pullTag  = "pull_request.labeled"
	pressed  = "check_run.requested_action"
	edited   = "issue_comment.edited"
)

var (
	hubot = port.User{ID: 1002, Login: "hubot-jones"}
	// pullHead is the head of the pull request in the payloads that tell of it.
	pullHead = "6dcb09b5b57875f334f61aebed695e2e4193db5e"
	tenon    = port.User{ID: 4711001, Login: "tenon[bot]", Bot: true}
	issue    = port.Thread{Number: 21, Title: "The server panics without a cache", State: "open",
		URL: "https://github.com/octo-org/hello-joint/issues/21"}
)

func boxes(second string) string {
	return "**2 edits fit.** Tick those to commit.\n\n- [x] **1** `server/start.go:42` <!-- tenon:block=1 -->\n" +
		"- [" + second + "] **2** `server/stop.go:7` <!-- tenon:block=2 -->\n\n<!-- tenon:preview=k3v9x1p7q2m4 -->"
}

func TestEveryTriggerIsQueued(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]port.Event{
		reviewed: {Kind: port.Review, Action: "submitted", Thread: pull, Comment: port.Comment{
			Kind: port.Review, ID: 80, NodeID: "PRR_kwDOAAqvJM5S", Author: mona, Updated: written,
			Body: "Nearly there.\n\n/tenon fix the names",
			URL:  "https://github.com/octo-org/hello-joint/pull/17#pullrequestreview-80"}},
		opened: {Kind: port.IssueBody, Action: "opened", Thread: issue, Comment: port.Comment{
			Kind: port.IssueBody, ID: 21, Author: mona, Updated: written, URL: issue.URL,
			Body: "It panics in `server/start.go:42`.\n\n@tenon start without one\n"}},
		issueTag: {Kind: port.Labeled, Action: "labeled", Label: "tenon", Thread: issue, Comment: port.Comment{
			Kind: port.IssueBody, ID: 21, Author: hubot, Updated: written, URL: issue.URL,
			Body: "It panics in `server/start.go:42`."}},
		pullTag: {Kind: port.Labeled, Action: "labeled", Label: "tenon", Thread: pull, Comment: port.Comment{
			Kind: port.IssueBody, ID: 17, Author: hubot, Updated: written, URL: pull.URL,
			Body: "It panics in `server/start.go:42`."}},
		pressed: {Kind: port.Pressed, Action: "requested_action", Thread: port.Thread{Number: 17, Pull: true, URL: pull.URL},
			Button: &port.Button{Verb: "undo", Run: "k3v9x1p7q2m4", Check: 128620228}},
		edited: {Kind: port.Ticked, Action: "edited", Thread: pull, Before: boxes(" "), Comment: port.Comment{
			Kind: port.IssueComment, ID: 990200, Author: tenon, Updated: written, Body: boxes("x"),
			URL: "https://github.com/octo-org/hello-joint/pull/17#issuecomment-990200"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			w := s.deliver(name, payload(t, name))
			require.Equal(t, http.StatusAccepted, w.Code, w.Body)
			want.Delivery, want.Received, want.Repo, want.Sender, want.Private = guid, noon, joint, mona, true
			switch {
			case !want.Thread.Pull:
				want.Thread.Text = &want.Comment.Body
			case name == reviewed || name == pullTag:
				want.Thread.Head = pullHead
			}
			require.Equal(t, want.Kind == port.Pressed, s.queue.events[0].Signed != "", "there is no other time of the act")
			s.queue.events[0].Signed = ""
			require.Equal(t, []port.Event{want}, s.queue.events)
		})
	}
}

func TestACommandThatDoesNotWaitIsMarked(t *testing.T) {
	t.Parallel()
	for body, immediate := range map[string]bool{"/tenon help": true, "@tenon fix it": false, "/tenon hepl": true,
		"@TENON[bot]: help": true} {
		for _, c := range []struct{ event, at string }{{"issue_comment", "comment.body"}, {reviewed, "review.body"},
			{opened, "issue.body"}} {
			s := newServer(t)
			w := s.deliver(c.event, with(t, c.event, c.at, body))
			require.Equal(t, http.StatusAccepted, w.Code, w.Body)
			require.Equal(t, immediate, s.queue.events[0].Immediate, "%s in %s", body, c.event)
		}
	}
}

// A running run must notice that its thread was closed, also when a bot closed it.
func TestTheEndOfAThreadIsQueuedInItsLine(t *testing.T) {
	t.Parallel()
	for name, actions := range map[string][]string{issueTag: {"closed", "locked", "transferred", "deleted"},
		pullTag: {"closed", "locked"}} {
		for _, action := range actions {
			for kind, sender := range map[string]port.User{"User": mona, "Bot": {ID: mona.ID, Login: mona.Login, Bot: true}} {
				s := newServer(t)
				root := payload(t, name)
				var fields map[string]any
				require.NoError(t, json.Unmarshal(root, &fields))
				fields["action"] = action
				fields["sender"].(map[string]any)["type"] = kind
				body, err := json.Marshal(fields)
				require.NoError(t, err)
				w := s.deliver(name, body)
				require.Equal(t, http.StatusAccepted, w.Code, w.Body)
				require.NotEmpty(t, s.queue.events[0].Signed)
				s.queue.events[0].Signed = ""
				thread := map[string]port.Thread{issueTag: issue, pullTag: pull}[name]
				require.Equal(t, []port.Event{{
					Kind: port.Closed, Action: action, Thread: thread, Delivery: guid, Received: noon, Repo: joint, Sender: sender,
					Private: true,
				}}, s.queue.events)
			}
		}
	}
}

// Labels of what was merged may ask for backports; the settings decide.
func TestAMergedPullRequestBringsItsLabelsForBackports(t *testing.T) {
	t.Parallel()
	labels := []any{}
	for _, name := range []string{"bug", "backport v1", "Backport v2", "backport", strings.Repeat("x", 300)} {
		labels = append(labels, map[string]any{"name": name})
	}
	want := []string{"backport v1", "Backport v2"}
	for i := range 200 {
		labels = append(labels, map[string]any{"name": fmt.Sprint("backport x", i)})
		if i < 95 {
			want = append(want, fmt.Sprint("backport x", i))
		}
	}
	for name, c := range map[string]struct {
		action string
		merged bool
		want   []string
	}{
		"merged":       {"closed", true, want},
		"only closed":  {"closed", false, nil},
		"locked later": {"locked", true, nil},
	} {
		s := newServer(t)
		var fields map[string]any
		require.NoError(t, json.Unmarshal(payload(t, pullTag), &fields))
		fields["action"] = c.action
		pull := fields["pull_request"].(map[string]any)
		pull["merged"], pull["labels"] = c.merged, labels
		body, err := json.Marshal(fields)
		require.NoError(t, err)
		require.Equal(t, http.StatusAccepted, s.deliver(pullTag, body).Code)
		require.Equal(t, port.Closed, s.queue.events[0].Kind)
		require.Equal(t, c.want, s.queue.events[0].Labels, name)
		require.False(t, s.queue.events[0].Immediate)
	}
}

func TestATriggerThatStartsNothingIsNotQueued(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event, at string
		value     any
	}{
		"a review without a text":              {reviewed, "review.body", nil},
		"a review without a command":           {reviewed, "review.body", "Well done."},
		"a review that was edited":             {reviewed, "action", "edited"},
		"a bot's review":                       {reviewed, "sender.type", "Bot"},
		"an issue without a text":              {opened, "issue.body", nil},
		"an issue without a command":           {opened, "issue.body", "tenon panics."},
		"an issue that a bot opened":           {opened, "sender.type", "Bot"},
		"an issue that was transferred":        {opened, "changes", map[string]any{"old_issue": map[string]any{"id": 1}}},
		"an issue that was reopened":           {opened, "action", "reopened"},
		"a label that was taken away":          {issueTag, "action", "unlabeled"},
		"a label that a bot set":               {issueTag, "sender.type", "Bot"},
		"a label that tenon set":               {issueTag, "sender.login", "Tenon[bot]"},
		"a label longer than any":              {pullTag, "label.name", strings.Repeat("x", 201)},
		"a push to a pull request":             {pullTag, "action", "synchronize"},
		"a check run that was completed":       {pressed, "action", "completed"},
		"a button of another App":              {pressed, "check_run.app.slug", "other"},
		"a button that a bot pressed":          {pressed, "sender.type", "Bot"},
		"an edit by tenon itself":              {edited, "sender.login", "tenon[bot]"},
		"an edit by a bot":                     {edited, "sender.type", "Bot"},
		"an edit of somebody else's comment":   {edited, "comment.user.login", "mona"},
		"an edit of a comment of nobody":       {edited, "comment.user", nil},
		"an edit of another App's comment":     {edited, "comment.user.login", "tenon-2[bot]"},
		"an edit that left the text as it was": {edited, "changes", map[string]any{}},
		"an edit that took a tick away":        {edited, "comment.body", strings.ReplaceAll(boxes(" "), "[x]", "[ ]")},
		"an edit of words alone":               {edited, "comment.body", "Hm. " + boxes(" ")},
		"an edit of an answer without boxes":   {edited, "comment.body", "/tenon fix it"},
		"an edit that took the preview's mark": {edited, "comment.body", strings.ReplaceAll(boxes("x"), "tenon:preview",
			"tenon:run")},
		"a preview's mark that somebody copied": {edited, "comment.user", map[string]any{"login": "mallory", "id": 7}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			w := s.deliver(c.event, with(t, c.event, c.at, c.value))
			require.Equal(t, http.StatusNoContent, w.Code, w.Body)
			require.Empty(t, s.queue.events)
		})
	}
}

func TestWhatATriggerSaysReachesTheEvent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event, at string
		value     any
		check     func(*testing.T, port.Event)
	}{
		"a label in whatever words": {issueTag, "label.name", "good first issue",
			func(t *testing.T, ev port.Event) { require.Equal(t, "good first issue", ev.Label) }},
		"a label on an issue without text": {issueTag, "issue.body", nil,
			func(t *testing.T, ev port.Event) { require.Empty(t, ev.Comment.Body) }},
		"a label on a closed issue": {issueTag, "issue.state", "closed",
			func(t *testing.T, ev port.Event) { require.Equal(t, "closed", ev.Thread.State) }},
		"a review of a locked thread": {reviewed, "pull_request.locked", true,
			func(t *testing.T, ev port.Event) { require.True(t, ev.Thread.Locked) }},
		"a repository that is public": {pullTag, "repository.private", false,
			func(t *testing.T, ev port.Event) { require.False(t, ev.Private) }},
		"a head that is no commit": {pullTag, "pull_request.head.sha", "main](x)",
			func(t *testing.T, ev port.Event) { require.Empty(t, ev.Thread.Head) }},
		"a head that is null": {reviewed, "pull_request.head", nil,
			func(t *testing.T, ev port.Event) { require.Empty(t, ev.Thread.Head) }},
		"a button whose commit is no longer a head": {pressed, "check_run.pull_requests", []any{},
			func(t *testing.T, ev port.Event) {
				require.Equal(t, port.Thread{Number: 17, URL: "https://github.com/octo-org/hello-joint/issues/17"}, ev.Thread)
			}},
		"a button whose commit is another's head": {pressed, "check_run.pull_requests", []any{map[string]any{"number": 18}},
			func(t *testing.T, ev port.Event) {
				require.False(t, ev.Thread.Pull)
			}},
		"a button without a word of its App": {pressed, "check_run.app", nil,
			func(t *testing.T, ev port.Event) { require.Equal(t, "undo", ev.Button.Verb) }},
		"an App whose name is written otherwise": {pressed, "check_run.app.slug", "Tenon", func(t *testing.T, ev port.Event) {
			require.Equal(t, int64(128620228), ev.Button.Check)
		}},
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

func TestABrokenTriggerNamesTheField(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event, at string
		value     any
		says      string
	}{
		"no review":                  {reviewed, "review", nil, "no review"},
		"no review id":               {reviewed, "review.id", 0, "no review.id"},
		"no reviewed pull request":   {reviewed, "pull_request", nil, "no pull_request"},
		"a review in words":          {reviewed, "review", "good", "review must be an object, not string"},
		"no opened issue":            {opened, "issue", nil, "no issue"},
		"no opened issue's number":   {opened, "issue.number", "delete", "no issue.number"},
		"no labelled issue":          {issueTag, "issue", nil, "no issue"},
		"no labelled pull request":   {pullTag, "pull_request", nil, "no pull_request"},
		"no labelled thread's state": {pullTag, "pull_request.state", "", "no pull_request.state"},
		"no label":                   {issueTag, "label", nil, "no label"},
		"no label's name":            {pullTag, "label.name", "", "no label.name"},
		"a label in words":           {issueTag, "label", "tenon", "label must be an object, not string"},
		"no check run":               {pressed, "check_run", nil, "no check_run"},
		"no check run's id":          {pressed, "check_run.id", 0, "no check_run.id"},
		"no button":                  {pressed, "requested_action", nil, "no requested_action"},
		"no repository's page":       {pressed, "repository.html_url", "", "no repository.html_url"},
		"a button of markup": {pressed, "requested_action.identifier", "<b>",
			`identifier is "<b>", which is on none of tenon's buttons`},
		"a button too long": {pressed, "requested_action.identifier", strings.Repeat("a", 21),
			"on none of tenon's buttons"},
		"a button without a verb": {pressed, "requested_action.identifier", "", "on none of tenon's buttons"},
		"no run": {pressed, "check_run.external_id", "",
			`external_id is "", which tenon does not write into check runs`},
		"a run alone":               {pressed, "check_run.external_id", "k3v9x1p7q2m4", "external_id"},
		"a run that is too short":   {pressed, "check_run.external_id", "k3v9x1p7q2m/17", "external_id"},
		"a run in capitals":         {pressed, "check_run.external_id", "K3V9X1P7Q2M4/17", "external_id"},
		"a thread that is a path":   {pressed, "check_run.external_id", "k3v9x1p7q2m4/../17", "external_id"},
		"a thread without a number": {pressed, "check_run.external_id", "k3v9x1p7q2m4/0", "external_id"},
		"a thread below nothing":    {pressed, "check_run.external_id", "k3v9x1p7q2m4/-1", "external_id"},
		"a thread beyond all":       {pressed, "check_run.external_id", "k3v9x1p7q2m4/99999999999999999999", "external_id"},
		"a thread with a line end":  {pressed, "check_run.external_id", "k3v9x1p7q2m4/17\n", "external_id"},
		"no edited comment":         {edited, "comment", nil, "no comment"},
		"no edited comment's id":    {edited, "comment.id", 0, "no comment.id"},
		"no edited comment's issue": {edited, "issue", nil, "no issue"},
		"a change in words":         {edited, "changes.body", "x", "changes.body must be an object, not string"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			w := s.deliver(c.event, with(t, c.event, c.at, c.value))
			require.Equal(t, http.StatusBadRequest, w.Code, w.Body)
			require.Contains(t, w.Body.String(), c.says)
			require.Empty(t, s.queue.events)
		})
	}
}

// The queue accepts an event of 1 MiB. GitHub's texts have at most 65,536 characters, each up to six bytes in JSON.
func TestTheLargestTextsFitTheQueue(t *testing.T) {
	t.Parallel()
	const most, room = 65536, 1 << 20
	for _, character := range []string{"\u0001", "\u2028", "😀", `"`} {
		fill := func(text string) string { return text + strings.Repeat(character, most-len([]rune(text))) }
		var root map[string]any
		require.NoError(t, json.Unmarshal(payload(t, edited), &root))
		root["comment"].(map[string]any)["body"] = fill(boxes("x") + "\n\n")
		root["changes"] = map[string]any{"body": map[string]any{"from": fill(boxes(" ") + "\n\n")}}
		body, err := json.Marshal(root)
		require.NoError(t, err)
		s := newServer(t)
		require.Equal(t, http.StatusAccepted, s.deliver(edited, body).Code)
		stored, err := json.Marshal(s.queue.events[0])
		require.NoError(t, err)
		require.Less(t, len(stored), room)
	}
}

func TestALabelSaysWhetherAnIssueWasOpenedWithItAndWithACommand(t *testing.T) {
	t.Parallel()
	const soon, later = "2026-11-20T10:00:02Z", "2026-11-20T10:01:00Z"
	author, maintainer := map[string]any{"login": "mona", "id": 1001}, map[string]any{"login": "hubot-jones", "id": 1002}
	for name, c := range map[string]struct {
		body, updated string
		user          any
		opening       bool
	}{
		"set while opening":             {"/tenon fix it", soon, author, true},
		"set later":                     {"/tenon fix it", later, author, false},
		"set by somebody else":          {"/tenon fix it", soon, maintainer, false},
		"set on a text without command": {"> /tenon fix it", soon, author, false},
		"set on a command in code":      {"```\n/tenon fix it\n```", soon, author, true}, // a worker finds that it is none
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var root map[string]any
			require.NoError(t, json.Unmarshal(payload(t, issueTag), &root))
			is := root["issue"].(map[string]any)
			is["body"], is["updated_at"], is["user"] = c.body, c.updated, c.user
			body, err := json.Marshal(root)
			require.NoError(t, err)
			s := newServer(t)
			require.Equal(t, http.StatusAccepted, s.deliver(issueTag, body).Code)
			require.Equal(t, c.opening, s.queue.events[0].Opening)
		})
	}
}
