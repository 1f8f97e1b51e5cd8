package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/sentence"
)

const (
	// verifyPatience is how long a test of edits may take, from when it began.
	verifyPatience = time.Hour
	// firstLook is when a run looks for a result of which nothing was reported; each further look is after twice the time.
	firstLook = time.Minute
	// maxFailedJobs is how many jobs that failed are recorded.
	maxFailedJobs = 10
	// maxVerifications is how many tests a run may begin: the branch may move meanwhile, and the model may be asked again.
	maxVerifications = 6
)

// errRestless is the error for edits that were tested so often that no further test is begun.
var errRestless = errors.New("the branch, or the edits, changed during each test")

// verifier has a workflow of the repository test edits before they reach their branch: it commits them to a scratch
// branch and starts the workflow there, and the run sleeps until there is a result. Each state is recorded before what
// comes next, so that a resumed run neither starts a test twice nor forgets its branch.
type verifier struct {
	github  port.GitHub
	watches port.Watches
	files   *workspace
	ev      port.Event
	journal *record.Journal
	run     string
	now     func() time.Time
	// cancelled returns who cancelled the run, nil if nobody did.
	cancelled func() *port.CancelledError
	log       *slog.Logger
}

// scratchBranch is the branch on which the edits of a run are tested.
func scratchBranch(run string) string { return "tenon/verify-" + run }

// resume looks for the result of a test that an earlier attempt started. It returns a *port.WaitError while there is
// none.
func (v verifier) resume(ctx context.Context) error {
	test, ok := v.journal.Record().Verifying()
	if !ok || test.State != record.VerifyStarted {
		return nil
	}
	_, err := v.look(ctx, test)
	return err
}

// verify has a workflow test what was staged on the commit of a target, and returns the end of the test. commit commits
// it to another branch. The error is a *port.WaitError while there is no result, and port.ErrMoved if the branch is no
// longer at that commit.
func (v verifier) verify(ctx context.Context, head record.Target, checkout repo.Checkout, workflow string,
	commit func(ctx context.Context, to record.Target) (sha string, err error)) (record.Verification, error) {
	test := record.Verification{Workflow: workflow, Base: head.SHA}
	var err error
	if test.Staged, err = sumOfStaged(checkout); err != nil {
		return test, err
	}
	if end, ok := v.endOf(test); ok {
		return end, nil
	}
	if err := v.stillAt(ctx, head); err != nil {
		return test, err
	}
	if test, err = v.begin(ctx, test); err != nil {
		return test, err
	}
	if by := v.cancelled(); by != nil {
		return v.endCancelled(ctx, test, by)
	}
	to := record.Target{Branch: test.Branch, SHA: head.SHA, New: true, From: head.Ref()}
	test.Commit, err = commit(ctx, to)
	if errors.Is(err, port.ErrMoved) { // it is there, from an earlier test or attempt
		if err = v.github.DeleteBranch(ctx, v.ev.Repo, test.Branch); err == nil {
			test.Commit, err = commit(ctx, to)
		}
	}
	if err != nil {
		return v.unable(ctx, test, err, sentence.ScratchRefused(workflow, test.Branch))
	}
	if err := v.github.StartWorkflow(ctx, v.ev.Repo, workflow, test.Branch); err != nil {
		return v.unable(ctx, test, err, notStarted(workflow, err))
	}
	test.State = record.VerifyStarted
	if err := v.put(ctx, test); err != nil {
		return test, err
	}
	return v.look(ctx, test)
}

// skip records that edits are committed without a test; why is a sentence for people.
func (v verifier) skip(ctx context.Context, workflow, why string) (record.Verification, error) {
	test := record.Verification{State: record.VerifyUntested, Workflow: workflow, Begun: v.now().UTC(), Why: why}
	if end, ok := v.endOf(test); ok {
		return end, nil
	}
	return test, v.put(ctx, test)
}

// endOf returns how a test of the same edits ended before; ok is false if there was none, or it has not ended. What
// keeps a workflow from testing anything, unless it failed before, and who cancels the run, ends it for all edits.
func (v verifier) endOf(test record.Verification) (end record.Verification, ok bool) {
	for _, past := range v.journal.Record().Verifications {
		switch past.State {
		case record.VerifyCancelled:
			end, ok = past, true
		case record.VerifyUntested:
			if past.Workflow == test.Workflow && !v.failedBefore() {
				end, ok = past, true
			}
		case record.VerifyPassed, record.VerifyFailed:
			if past.IsOf(test) {
				end, ok = past, true
			}
		}
	}
	return end, ok
}

// stillAt returns port.ErrMoved if the branch of a target is no longer at its commit: its edits need no test.
func (v verifier) stillAt(ctx context.Context, head record.Target) error {
	if head.New {
		return nil
	}
	tip, ok, err := v.files.branches().tip(ctx, head)
	if err != nil {
		return fmt.Errorf("asking for the tip of %s before a test: %w", head.Branch, err)
	}
	if !ok || tip != head.SHA {
		return fmt.Errorf("testing edits of %s: %w", head.Branch, port.ErrMoved)
	}
	return nil
}

// begin records that a test begins, unless an earlier attempt did.
func (v verifier) begin(ctx context.Context, test record.Verification) (record.Verification, error) {
	if last := v.journal.Record().LastVerification(); last.State == record.VerifyBegun && last.IsOf(test) {
		return last, nil
	}
	begun := 0
	for _, past := range v.journal.Record().Verifications {
		if past.State == record.VerifyBegun {
			begun++
		}
	}
	if begun == maxVerifications {
		return test, errRestless
	}
	test.State, test.Begun, test.Branch = record.VerifyBegun, v.now().UTC(), scratchBranch(v.run)
	return test, v.put(ctx, test)
}

func (v verifier) put(ctx context.Context, test record.Verification) error {
	return record.Put(ctx, v.journal, record.Verified(len(v.journal.Record().Verifications)+1), test)
}

// look looks for the result of a test that was started. It asks to be woken before, so that it misses none.
func (v verifier) look(ctx context.Context, test record.Verification) (record.Verification, error) {
	if by := v.cancelled(); by != nil {
		return v.endCancelled(ctx, test, by)
	}
	if v.watches != nil {
		err := v.watches.Await(ctx, v.ev, test.Commit)
		if errors.Is(err, port.ErrLeaseLost) {
			return test, err
		}
		if err != nil {
			v.log.WarnContext(ctx, "cannot wake a run when its test ends; the run polls instead", "error", err)
		}
	}
	result, ok, err := v.github.WorkflowRun(ctx, v.ev.Repo, test.Workflow, test.Commit)
	if err != nil {
		return v.unable(ctx, test, err, sentence.ResultUnread(test.Workflow))
	}
	if test.WorkflowRun = result.ID; !ok || result.Outcome == port.CheckPending {
		return v.wait(ctx, test)
	}
	switch result.Conclusion {
	case "success":
		test.State = record.VerifyPassed
	case "failure", "timed_out":
		test.State, test.Failed = record.VerifyFailed, v.failedJobs(ctx, test)
	case "cancelled", "stale":
		test.State, test.Why = record.VerifyFailed, sentence.TestCancelled
	default: // such as "skipped": nothing ran that could have passed or failed
		test = v.untested(test, sentence.NothingTested(test.Workflow, result.Conclusion))
	}
	v.log.InfoContext(ctx, "the workflow that tests the edits ended", "workflow", test.Workflow,
		"conclusion", result.Conclusion, "result", string(test.State))
	return test, v.put(ctx, test)
}

// wait returns the error of a run that waits for the result of a test, or ends a test that took too long.
func (v verifier) wait(ctx context.Context, test record.Verification) (record.Verification, error) {
	waited := v.now().Sub(test.Begun)
	if waited >= verifyPatience {
		test = v.untested(test, sentence.NoResult(test.Workflow))
		return test, v.put(ctx, test)
	}
	return test, &port.WaitError{For: port.VerifyReport, After: min(max(waited, firstLook), verifyPatience-waited),
		Err: fmt.Errorf("waiting for the workflow %s on %s", test.Workflow, test.Branch)}
}

// unable ends a test that cannot be made, or says with err that it may be possible later. why is a sentence for people.
func (v verifier) unable(ctx context.Context, test record.Verification, err error,
	why string) (record.Verification, error) {
	var wait *port.WaitError
	later := errors.As(err, &wait) && !permanent(err) && v.now().Sub(test.Begun) < verifyPatience
	if ctx.Err() != nil || errors.Is(err, port.ErrLeaseLost) || later {
		return test, fmt.Errorf("testing edits by %s: %w", test.Workflow, err)
	}
	v.log.WarnContext(ctx, "cannot test the edits", "workflow", test.Workflow, "error", err)
	test = v.untested(test, why)
	return test, v.put(ctx, test)
}

// untested returns the end of a test without a result; why is a sentence for people. The edits are committed all the
// same, unless a test of the run failed before: what followed is to repair that, and nobody knows whether it does.
func (v verifier) untested(test record.Verification, why string) record.Verification {
	test.State, test.Why = record.VerifyUntested, why
	if v.failedBefore() {
		test.State, test.Why = record.VerifyFailed, sentence.FailedThenUntested(why)
	}
	return test
}

// failedBefore reports whether a test of the run failed.
func (v verifier) failedBefore() bool {
	return slices.ContainsFunc(v.journal.Record().Verifications, func(past record.Verification) bool {
		return past.State == record.VerifyFailed
	})
}

// endCancelled ends the test of a run that somebody cancelled.
func (v verifier) endCancelled(ctx context.Context, test record.Verification,
	cause *port.CancelledError) (record.Verification, error) {
	test.State, test.By = record.VerifyCancelled, cause.By
	return test, v.put(ctx, test)
}

// failedJobs returns the names of the jobs that failed, as far as they can be read.
func (v verifier) failedJobs(ctx context.Context, test record.Verification) (names []string) {
	jobs, err := v.github.FailedJobs(ctx, v.ev.Repo, test.WorkflowRun)
	if err != nil {
		v.log.InfoContext(ctx, "cannot read which jobs failed", "workflow", test.Workflow, "error", err)
	}
	for _, j := range jobs[:min(len(jobs), maxFailedJobs)] {
		names = append(names, markdown.Clip(secret.Redacted(j.Name), markdown.MaxCell))
	}
	return names
}

// notStarted says, as a sentence, why a workflow could not be started.
func notStarted(workflow string, err error) string {
	words := saidOf(err)
	switch {
	case words != "":
		return sentence.WorkflowRefused(workflow, words)
	case errors.Is(err, port.ErrDenied):
		return sentence.WorkflowDenied(workflow)
	case errors.Is(err, port.ErrNotFound):
		return sentence.NoWorkflow(workflow)
	}
	return sentence.WorkflowNotStarted(workflow)
}

// dropScratch deletes the scratch branch of a run that is over, if it may have one. One that GitHub keeps is logged.
func (v verifier) dropScratch(ctx context.Context) error {
	branch := v.journal.Record().LastVerification().Branch
	if branch == "" {
		return nil
	}
	err := v.github.DeleteBranch(ctx, v.ev.Repo, branch)
	if errors.Is(err, port.ErrDenied) || errors.Is(err, port.ErrNotFound) || permanent(err) {
		v.log.WarnContext(ctx, "cannot delete the scratch branch", "branch", branch, "error", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("deleting %s: %w", branch, err)
	}
	return nil
}
