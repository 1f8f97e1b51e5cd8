package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
)

// land makes a commit of what was staged and moves the branch to it: by the API, which signs it, or by git, as the settings say;
// to a fork by git. ErrMoved when the branch does not stand at the target's commit any more, and then nothing has happened.
// What GitHub says against it, a person reads.
func (s *session) push(ctx context.Context, t record.Target, checkout repo.Checkout, req repo.CommitRequest) (sha string, err error) {
	if req.Fork = t.Fork; t.Fork != nil || s.policy.Push {
		c, err := checkout.Commit(ctx, req)
		return c.SHA, pushError(t, err)
	}
	changes, err := checkout.Changes()
	if err != nil {
		return "", fmt.Errorf("listing what was staged for %s: %w", t.Branch, err)
	}
	sha, err = s.GitHub.Upload(ctx, s.ev.Repo, port.Upload{
		Branch: t.Branch, New: t.New, Parent: checkout.SHA(), Tree: checkout.Tree(), Changes: changes, Message: req.Message,
	})
	return sha, pushError(t, err)
}

// landing turns GitHub's no to a commit into a sentence.
func pushError(t record.Target, err error) error {
	var rejected *port.RejectedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &rejected):
		return errors.Join(err, &port.UserError{Text: fmt.Sprintf("GitHub refused the push to %s, so nothing was committed:\n\n%s\n\nA rule or protection of that branch keeps this app from writing to it. A maintainer can allow it there.",
			markdown.Code(t.Branch), markdown.CodeBlock(markdown.Clip(rejected.Text, 1000)))})
	case errors.Is(err, port.ErrDenied):
		return errors.Join(err, &port.UserError{Text: "GitHub does not let this app write to the repository, so nothing was committed. A maintainer can grant it the permission *Contents: write* in the settings of the installation."})
	}
	return fmt.Errorf("committing to %s: %w", t.Branch, err)
}

// refusedPush says why GitHub did not take a commit to a fork; empty when that is not what happened.
func refusedPush(err error) string {
	var rejected *port.RejectedError
	switch {
	case errors.As(err, &rejected):
		return "GitHub refused the push to the fork: " + markdown.Clip(rejected.Text, 1000)
	case errors.Is(err, port.ErrDenied):
		return "GitHub does not let this app write to the fork; its owner can install the app there"
	}
	return ""
}
