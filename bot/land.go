package bot

import (
	"context"
	"errors"
	"fmt"
)

// land makes a commit of what was staged and moves the branch to it: by the API, which signs it, or by git, as the settings say;
// to a fork by git. ErrMoved when the branch does not stand at the target's commit any more, and then nothing has happened.
// What GitHub says against it, a person reads.
func (s *session) land(ctx context.Context, t target, checkout Checkout, req CommitRequest) (sha string, err error) {
	if req.Fork = t.Fork; t.Fork != nil || s.policy.Push {
		c, err := checkout.Commit(ctx, req)
		return c.SHA, landing(t, err)
	}
	changes, err := checkout.Changes()
	if err != nil {
		return "", fmt.Errorf("listing what was staged for %s: %w", t.Branch, err)
	}
	sha, err = s.GitHub.Upload(ctx, s.ev.Repo, Upload{
		Branch: t.Branch, New: t.New, Parent: checkout.SHA(), Tree: checkout.Tree(), Changes: changes, Message: req.Message,
	})
	return sha, landing(t, err)
}

// landing turns GitHub's no to a commit into a sentence.
func landing(t target, err error) error {
	var rejected *RejectedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &rejected):
		return errors.Join(err, &UserError{fmt.Sprintf("GitHub refused the push to %s, so nothing was committed:\n\n%s\n\nA rule or protection of that branch keeps this app from writing to it. A maintainer can allow it there.",
			codeSpan(t.Branch), codeBlock(clip(rejected.Text, 1000)))})
	case errors.Is(err, ErrDenied):
		return errors.Join(err, &UserError{"GitHub does not let this app write to the repository, so nothing was committed. A maintainer can grant it the permission *Contents: write* in the settings of the installation."})
	}
	return fmt.Errorf("committing to %s: %w", t.Branch, err)
}

// refusedPush says why GitHub did not take a commit to a fork; empty when that is not what happened.
func refusedPush(err error) string {
	var rejected *RejectedError
	switch {
	case errors.As(err, &rejected):
		return "GitHub refused the push to the fork: " + clip(rejected.Text, 1000)
	case errors.Is(err, ErrDenied):
		return "GitHub does not let this app write to the fork; its owner can install the app there"
	}
	return ""
}
