package bot

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// errFurtherEdits is the error for edits on which a workflow failed, and which are others now.
var errFurtherEdits = errors.New("the model has written further edits")

// test has the workflow that the settings name test what was staged, if they name one, and returns the end of the test.
func (c committer) test(ctx context.Context, head record.Target, commit newCommit,
	workflow string) (record.Verification, error) {
	if workflow == "" {
		return record.Verification{}, nil
	}
	if head.Fork != nil {
		return c.verifier.skip(ctx, workflow, sentence.OnFork(workflow))
	}
	return c.verifier.verify(ctx, head, commit.checkout, workflow,
		func(ctx context.Context, to record.Target) (string, error) { return c.push(ctx, to, commit) })
}

// place makes the commit of what was staged the tip of the branch: the one that passed its test, or else a new one.
func (c committer) place(ctx context.Context, head record.Target, commit newCommit,
	test record.Verification) (sha string, err error) {
	if test.State != record.VerifyPassed {
		return c.push(ctx, head, commit)
	}
	from := head.SHA
	if head.New {
		from = ""
	}
	if err := c.verifier.github.MoveBranch(ctx, c.ev.Repo, head.Branch, from, test.Commit); err != nil {
		return "", wrapPush(head, err) // the commit is on the scratch branch alone
	}
	return test.Commit, nil
}

// staged is a checkout with changes, and the results of the parts that made them.
type staged struct {
	checkout repo.Checkout
	results  []engine.Result
}

// leaveUnverified leaves edits that did not pass their test for people, with the reason why they were not committed. It
// returns errFurtherEdits if there are others now, which may pass.
func (c committer) leaveUnverified(ctx context.Context, head record.Target, ch change, s staged,
	test record.Verification, commit *record.Committed) error {
	switch {
	case test.State == record.VerifyCancelled:
		commit.Unpushed = sentence.CancelledInTest(test.By)
		return c.keepPatch(ctx, head, s.checkout, commit)
	case test.Why == sentence.TestCancelled:
		commit.Unpushed = test.Why
		return c.offer(ctx, head, s.checkout, commit)
	case test.Why == "" && ch.retest != nil:
		c.files.opened = nil // nobody is to see what was staged
		further, err := ch.retest(ctx, head, test, s.results)
		if further {
			return errFurtherEdits
		}
		if c.files.opened = s.checkout; err != nil {
			return err
		}
	}
	commit.Unpushed = sentence.TestFailed
	return c.offer(ctx, head, s.checkout, commit)
}
