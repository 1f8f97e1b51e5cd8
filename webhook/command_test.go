package webhook_test

import (
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What looks like no command is not stored, and every command is.
func TestOnlyCommandsAreStored(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		"/tenon fix it":                        http.StatusAccepted,
		"  /TENON fix it":                      http.StatusAccepted,
		"Hm.\r\n\r\n/tenon fix it":             http.StatusAccepted,
		"/tenon":                               http.StatusAccepted,
		"/tenon frobnicate":                    http.StatusAccepted, // is answered
		"@tenon fix it":                        http.StatusAccepted,
		"@Tenon[bot], fix it":                  http.StatusAccepted,
		"<!-- x -->\n@tenon: fix it":           http.StatusAccepted,
		"> /tenon fix it":                      http.StatusNoContent,
		"> quoted\n\n/tenon fix it":            http.StatusAccepted,
		"```\n/tenon fix it\n```":              http.StatusAccepted, // a worker finds that it is none
		"    /tenon fix it":                    http.StatusAccepted, // a worker finds that it is none
		"say `/tenon fix it`":                  http.StatusNoContent,
		"<!--\n/tenon fix it\n-->":             http.StatusAccepted, // a worker finds that it is none
		"I would write /tenon fix it":          http.StatusNoContent,
		"@tenon-team fix it":                   http.StatusNoContent,
		"@mona what does /tenon do?":           http.StatusNoContent,
		"mail me at mona@example.com":          http.StatusNoContent,
		"/tenonx fix it":                       http.StatusNoContent,
		"thanks, @tenon":                       http.StatusNoContent,
		strings.Repeat("@", 60_000) + "@tenon": http.StatusNoContent,
	} {
		for _, c := range []struct{ event, at string }{{"issue_comment", "comment.body"}, {reviewed, "review.body"},
			{"pull_request_review_comment", "comment.body"}, {opened, "issue.body"}} {
			s := newServer(t)
			w := s.deliver(c.event, with(t, c.event, c.at, body))
			require.Equal(t, want, w.Code, "%.60q in %s: %s", body, c.event, w.Body)
			require.Equal(t, want == http.StatusAccepted, len(s.queue.events) == 1)
		}
	}
}

// While GitHub cannot say what the App is called, no command may be lost, and what would be judged wrongly is put off.
func TestAnAppWithoutANameLosesNoCommand(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		"/tenon help":       http.StatusAccepted,
		"@tenon fix it":     http.StatusAccepted,
		"@mona looks good":  http.StatusAccepted, // for all that is known, the App is called mona
		"looks good":        http.StatusNoContent,
		"> /tenon fix it":   http.StatusNoContent,
		"what does /tenon?": http.StatusNoContent,
	} {
		s := newServerOf(t, "")
		w := s.deliver("issue_comment", with(t, "issue_comment", "comment.body", body))
		require.Equal(t, want, w.Code, "%s: %s", body, w.Body)
		for _, ev := range s.queue.events {
			require.Equal(t, body == "/tenon help", ev.Immediate)
		}
	}
	const accepted, unneeded, later = http.StatusAccepted, http.StatusNoContent, http.StatusServiceUnavailable
	for name, c := range map[string]struct {
		event string
		body  []byte
		want  int
	}{
		"a button":                       {pressed, with(t, pressed, "check_run.app.slug", "tenon"), later},
		"a button of an App with a name": {pressed, with(t, pressed, "check_run.app.slug", ""), accepted},
		"a box of an App":                {edited, payload(t, edited), later},
		"a box of a person":              {edited, with(t, edited, "comment.user.type", "User"), unneeded},
		"a label":                        {issueTag, payload(t, issueTag), accepted},
		"the end of a thread":            {issueTag, with(t, issueTag, "action", "closed"), accepted},
		"a bot":                          {"issue_comment", with(t, "issue_comment", "sender.type", "Bot"), unneeded},
	} {
		s := newServerOf(t, "")
		w := s.deliver(c.event, c.body)
		require.Equal(t, c.want, w.Code, "%s: %s", name, w.Body)
		if c.want == later {
			require.Equal(t, "30", w.Header().Get("Retry-After"))
			require.Contains(t, w.Body.String(), "redelivered automatically")
			require.Empty(t, s.queue.events)
		}
	}
}

// An issue that is opened with a label and a mention is one command, which of the two only a worker tells: it knows the
// App's name.
func TestALabelBesideAMentionIsJudgedByAWorker(t *testing.T) {
	t.Parallel()
	tagged := with(t, opened, "issue.body", "@tenon fix it")
	tagged = []byte(strings.Replace(string(tagged), `"action":"opened"`, `"action":"labeled","label":{"name":"tenon"}`, 1))
	for _, slug := range []string{"", "tenon"} {
		s := newServerOf(t, slug)
		require.Equal(t, http.StatusAccepted, s.deliver(issueTag, tagged).Code)
		require.True(t, s.queue.events[0].Opening)
	}
}

// A recorded delivery cannot be sent again when the queue has forgotten the first one.
func TestAnOldCommentIsRefused(t *testing.T) {
	t.Parallel()
	const limit = 30 * 24 * time.Hour
	for event, at := range map[string]string{"issue_comment": "comment.updated_at", reviewed: "review.submitted_at",
		issueTag: "issue.updated_at", opened: "issue.updated_at", edited: "comment.updated_at"} {
		s := newServer(t)
		w := s.deliver(event, with(t, event, at, noon.Add(-limit).Format(time.RFC3339)))
		require.Equal(t, http.StatusAccepted, w.Code, "%s: %s", event, w.Body)
		w = s.deliver(event, with(t, event, at, noon.Add(-limit-time.Second).Format(time.RFC3339)))
		require.Equal(t, http.StatusBadRequest, w.Code, event)
		require.Contains(t, w.Body.String(), "the payload is from 2026-10-21, and GitHub delivers none of more than 30 days")
		require.Len(t, s.queue.events, 1)
	}
}

// Anybody may send a comment: what it takes to accept one is a matter of its length, not of what is in it.
func TestACommentThatIsHardToParseIsAcceptedLikeAnyOther(t *testing.T) { // not parallel: it counts what is allocated
	accepted := func(body string) uint64 {
		s, delivery := newServer(t), with(t, "issue_comment", "comment.body", body)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w := s.deliver("issue_comment", delivery)
		runtime.ReadMemStats(&after)
		require.Equal(t, http.StatusAccepted, w.Code)
		return after.TotalAlloc - before.TotalAlloc
	}
	lists := strings.Repeat("- ", 100) + "x\n"
	hard := "/tenon fix it\n\n" + lists + strings.Repeat(" ", 100) + lists + strings.Repeat("\n", 60_000) + "@"
	require.Less(t, accepted(hard), 2*accepted("/tenon fix "+strings.Repeat("x\n", len(hard)/2)))
}
