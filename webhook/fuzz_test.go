package webhook_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// FuzzDelivery sends any signed body: it is queued with all fields, not needed, or refused with a sentence.
func FuzzDelivery(f *testing.F) {
	for _, event := range []string{"issue_comment", "pull_request_review_comment"} {
		f.Add(event, payload(f, event))
		f.Add(event, with(f, event, "comment.body", "@"))
		f.Add(event, with(f, event, "installation", nil))
	}
	for _, event := range []string{reviewed, opened, issueTag, pullTag, pressed, edited} {
		f.Add(event, payload(f, event))
		f.Add(event, with(f, event, "sender", nil))
	}
	f.Add(pressed, with(f, pressed, "check_run.external_id", "k3v9x1p7q2m4/999999999"))
	for _, event := range []string{suiteDone, workflowDone, statusSet} {
		f.Add(event, payload(f, event))
		f.Add(event, with(f, event, "installation", nil))
	}
	f.Add("ping", []byte("{}"))
	f.Add("issue_comment", []byte(`{"action":"created","issue":{"number":1e2},"comment":{"id":9007199254740993}}`))
	f.Fuzz(func(t *testing.T, event string, body []byte) {
		s, noted := reports(t, "tenon", nil)
		w := s.deliver(event, body)
		for _, sha := range *noted {
			require.Regexp(t, "^[0-9]+/[0-9]+@[0-9a-f]{40,64}$", sha)
		}
		switch w.Code {
		case http.StatusAccepted:
			if len(*noted) > 0 {
				require.Empty(t, s.queue.events)
				return
			}
			require.Len(t, s.queue.events, 1)
			ev := s.queue.events[0]
			require.Positive(t, ev.Repo.Installation)
			require.Positive(t, ev.Repo.ID)
			require.Positive(t, ev.Thread.Number)
			require.Positive(t, ev.Sender.ID)
			require.Regexp(t, `^[\w.-]+/[\w.-]+$`, ev.Repo.String())
			require.False(t, ev.Sender.Bot)
			requireWhole(t, ev)
		case http.StatusBadRequest:
			require.NotEmpty(t, w.Body.String())
			require.Empty(t, s.queue.events)
		default:
			require.Contains(t, []int{http.StatusOK, http.StatusNoContent}, w.Code)
			require.Empty(t, s.queue.events)
		}
	})
}

// requireWhole checks that an event has all fields of its kind.
func requireWhole(t *testing.T, ev port.Event) {
	if ev.Kind == port.Pressed {
		require.Regexp(t, "^[a-z0-9]{12}$", ev.Button.Run)
		require.Positive(t, ev.Button.Check)
		require.Zero(t, ev.Comment)
		return
	}
	require.Positive(t, ev.Comment.ID)
	switch ev.Kind {
	case port.Labeled:
		require.NotEmpty(t, ev.Label)
		require.Equal(t, port.IssueBody, ev.Comment.Kind)
	case port.Ticked:
		require.True(t, markdown.MayTick(ev.Before, ev.Comment.Body))
		require.Equal(t, port.IssueComment, ev.Comment.Kind)
	default:
		require.Equal(t, ev.Kind, ev.Comment.Kind)
	}
}
