package webhook_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What is no command is not stored, and every command is.
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
		"```\n/tenon fix it\n```":              http.StatusNoContent,
		"    /tenon fix it":                    http.StatusNoContent,
		"say `/tenon fix it`":                  http.StatusNoContent,
		"<!--\n/tenon fix it\n-->":             http.StatusNoContent,
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
			require.Contains(t, w.Body.String(), "redelivered by itself")
			require.Empty(t, s.queue.events)
		}
	}
}

// An issue that is opened with a label and a mention is one command, which of the two only the App's name tells.
func TestALabelBesideAMentionWaitsForTheName(t *testing.T) {
	t.Parallel()
	tagged := with(t, opened, "issue.body", "@tenon fix it")
	tagged = []byte(strings.Replace(string(tagged), `"action":"opened"`, `"action":"labeled","label":{"name":"tenon"}`, 1))
	s := newServerOf(t, "")
	require.Equal(t, http.StatusServiceUnavailable, s.deliver(issueTag, tagged).Code)
	s = newServer(t)
	require.Equal(t, http.StatusNoContent, s.deliver(issueTag, tagged).Code)
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
		require.Contains(t, w.Body.String(), "the comment is from 2026-10-21, and GitHub delivers none of more than 30 days")
		require.Len(t, s.queue.events, 1)
	}
}
