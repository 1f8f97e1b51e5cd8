package webhook_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/webhook"
)

// The payload of an event in a job of GitHub Actions is that of the webhook, without an installation.
func TestAJobDecodesTheEventsThatWorkflowsStartWith(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event string
		kind  port.EventKind
	}{
		"issue_comment": {"issue_comment", port.IssueComment}, "pull_request_review_comment": {"", port.ReviewComment},
		reviewed: {"pull_request_review", port.Review}, opened: {"issues", port.IssueBody},
		issueTag: {"issues", port.Labeled}, pullTag: {"pull_request_target", port.Labeled},
	} {
		if c.event == "" {
			c.event = name
		}
		ev, err := webhook.Decode(c.event, with(t, name, "installation", "delete"), "tenon", "github-actions[bot]")
		require.NoError(t, err, name)
		require.Equal(t, c.kind, ev.Kind)
		require.Zero(t, ev.Repo.Installation)
		require.Equal(t, joint.ID, ev.Repo.ID)
	}
}

func TestTheBoxesOfAJobAreInTheCommentsOfItsToken(t *testing.T) {
	t.Parallel()
	body := with(t, edited, "comment.user.login", "github-actions[bot]")
	ev, err := webhook.Decode("issue_comment", body, "tenon", "github-actions[bot]")
	require.NoError(t, err)
	require.Equal(t, port.Ticked, ev.Kind)
	_, err = webhook.Decode("issue_comment", body, "tenon", "mona")
	require.ErrorIs(t, err, webhook.ErrUnneeded)
}

func TestAJobHasNothingToDoForOtherEvents(t *testing.T) {
	t.Parallel()
	for event, body := range map[string][]byte{
		"push":          []byte(`{}`),
		"issues":        with(t, opened, "action", "pinned"),
		"issue_comment": with(t, "issue_comment", "comment.body", "Thanks."),
	} {
		_, err := webhook.Decode(event, body, "tenon", "github-actions[bot]")
		require.ErrorIs(t, err, webhook.ErrUnneeded, event)
	}
	_, err := webhook.Decode("issue_comment", []byte(`{"action":`), "tenon", "github-actions[bot]")
	require.ErrorContains(t, err, "the body is not JSON")
	require.False(t, errors.Is(err, webhook.ErrUnneeded))
}
