package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
)

// change is what a run does to the files of a branch.
type change struct {
	// stage makes the change on a checkout as a policy allows it, and returns the result of each part.
	stage func(ctx context.Context, checkout repo.Checkout, p policy.Policy) (engine.Outcome, error)
	// cautions returns the cautions of the edits that were staged last; nil for what is no edit. operates reports that it
	// is file operations, and chosen that a person named or ticked what is changed.
	cautions         func() []record.Caution
	operates, chosen bool
	// message returns the message of the commit.
	message func(a record.Application) string
	// numbers are those of the parts; nil if they are counted from 1.
	numbers []int
	// rewrite has the parts written again for a new tip, if they are in conflict with it, and reports whether they were;
	// nil if nobody can.
	rewrite func(ctx context.Context, head record.Target, results []engine.Result) (bool, error)
	// retest has further parts written after a workflow failed on those so far, and reports whether there are any; nil if
	// nobody can. results are those of the parts so far.
	retest func(ctx context.Context, head record.Target, test record.Verification, results []engine.Result) (bool, error)
	// unfinished reports whether further parts were being written when an outage of the model ended that; nil if nobody
	// writes them.
	unfinished func() bool
	// apart stages the parts of files that results name, on the versions of these files that the parts were written for;
	// nil if there are no others than those of the branch. The checkout is nil if those versions are gone.
	apart func(ctx context.Context, results []record.Result, p policy.Policy) (repo.Checkout, error)
	// stops returns, as a clause, why what was staged is not to be committed any more; empty if it is, as always if the
	// function is nil.
	stops func(ctx context.Context) (why string, err error)
	// merged returns the commit that what was staged last merges into the branch, the second parent of the new commit, and
	// the newest that both have in common; nil if it is no merge. Such a commit is made even if it changes nothing. The
	// function is nil for all other changes.
	merged func() (theirs, common repo.Checkout)
}

// changer makes the changes of a run.
type changer struct {
	files    *workspace
	messages messages
	policy   policy.Policy
}

// wording adds to what is known of every run what its command tells of itself, for which no model was asked.
type wording func(report.Summary) report.Summary

// sumOfStaged returns the SHA-256 of what was staged, in hexadecimal: of paths, modes and the names of git's objects.
func sumOfStaged(checkout repo.Checkout) (string, error) {
	staged, err := checkout.Changes()
	if err != nil {
		return "", fmt.Errorf("listing what was staged: %w", err)
	}
	var list strings.Builder
	for _, s := range staged {
		fmt.Fprintf(&list, "%q %s %s\n", s.Path, s.Mode, s.Blob)
	}
	sum := sha256.Sum256([]byte(list.String()))
	return hex.EncodeToString(sum[:]), nil
}
