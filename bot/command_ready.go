package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// runReady marks the pull request that tenon opened for an issue as ready for review, where the settings allow it. The
// same command again, or another attempt at it, changes nothing more.
func runReady(ctx context.Context, r *run) error {
	if !r.policy.Ready {
		return sentence.ReadyNotAllowed()
	}
	t, err := r.target(ctx)
	if err != nil {
		return err
	}
	if t.Pull == 0 {
		return sentence.NothingReady()
	}
	pull, err := r.bot.GitHub.PullRequest(ctx, r.ev.Repo, t.Pull)
	if err != nil {
		return fmt.Errorf("reading pull request %d: %w", t.Pull, err)
	}
	if _, ofIssue := history.IssueOf(t.Branch); !ofIssue || t.Fork != nil || !r.bot.isOwn(pull.Author) {
		return sentence.ReadyNotOwn()
	}
	if pull.Draft {
		err := r.bot.GitHub.MarkReady(ctx, r.ev.Repo, pull)
		if errors.Is(err, port.ErrDenied) {
			return sentence.ReadyDenied(err)
		}
		if err != nil {
			return fmt.Errorf("marking pull request %d as ready: %w", t.Pull, err)
		}
	}
	return r.answers().reply(ctx, sentence.Ready(pull.Number))
}
