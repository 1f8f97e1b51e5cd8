package bot

import (
	"context"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// whyNoMerge returns why the base is not merged into the branch of a target, as a clause; empty if it may be.
func (r *run) whyNoMerge(ctx context.Context, t record.Target) string {
	if t.Fork == nil {
		return t.ReadOnly
	}
	if l := r.firstLook(ctx); t.ReadOnly == "" && l.err == nil && l.pull.Head.Exposed {
		return sentence.ForkExposes
	}
	return t.ReadOnly
}

// forkStops returns why a fork is not to get a merge any more, as a clause. A push names the fork: by now, another
// repository may have its name, or it may be open to people who cannot read the base.
func (m merging) forkStops(ctx context.Context) (why string, err error) {
	pull, err := m.github.PullRequest(ctx, m.repo, m.target.Pull)
	if err != nil {
		return "", fmt.Errorf("reading pull request %d again before the push: %w", m.target.Pull, err)
	}
	why = readOnlyReason(pull, port.AppToken)
	switch {
	case why != "":
		return why, nil
	case pull.Head.Exposed:
		return sentence.ForkExposes, nil
	case !strings.EqualFold(pull.Head.Repo.String(), m.target.Fork.String()):
		return sentence.ForkReplaced, nil
	}
	return "", nil
}
