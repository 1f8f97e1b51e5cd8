package record

import (
	"fmt"
	"time"
)

// VerifyState is how far a test of edits is.
type VerifyState string

// The states of a test. The first two are followed by one of the others.
const (
	// VerifyBegun means that the scratch branch may be there, VerifyStarted that the workflow was started on it.
	VerifyBegun   VerifyState = "begun"
	VerifyStarted VerifyState = "started"

	VerifyPassed VerifyState = "passed"
	VerifyFailed VerifyState = "failed"
	// VerifyCancelled means that somebody cancelled the run meanwhile.
	VerifyCancelled VerifyState = "cancelled"
	// VerifyUntested means that the workflow has no result, so that the edits are committed without.
	VerifyUntested VerifyState = "untested"
)

// Verification is a state of a test of edits by a workflow, before the edits reach their branch.
type Verification struct {
	State VerifyState `json:"state"`
	// Workflow is the name of its file, Begun when the test began.
	Workflow string    `json:"workflow"`
	Begun    time.Time `json:"begun"`
	// Branch is the scratch branch.
	Branch string `json:"branch,omitempty"`
	// Base is the commit that the edits were applied to, Staged the SHA-256 of what they change there, in hexadecimal, and
	// Commit the commit of them on the scratch branch, empty before there is one.
	Base   string `json:"base"`
	Staged string `json:"staged"`
	Commit string `json:"commit,omitempty"`
	// WorkflowRun is the id of GitHub's run of the workflow, 0 if there is none, and Failed are its jobs that failed.
	WorkflowRun int64    `json:"workflow_run,omitempty"`
	Failed      []string `json:"failed,omitempty"`
	// Why says why there is no result, as a sentence in Markdown, and By who cancelled the run.
	Why string `json:"why,omitempty"`
	By  string `json:"by,omitempty"`
}

// Ended reports whether the test came to an end. Its scratch branch may still be there.
func (v Verification) Ended() bool { return v.State != VerifyBegun && v.State != VerifyStarted }

// IsOf reports whether it is, or was, a test of the same edits of the same commit by the same workflow.
func (v Verification) IsOf(other Verification) bool {
	return v.Workflow == other.Workflow && v.Base == other.Base && v.Staged == other.Staged
}

// Verifying returns the test that has not ended; ok is false if there is none.
func (r Record) Verifying() (v Verification, ok bool) {
	v = r.LastVerification()
	return v, v.State != "" && !v.Ended()
}

// LastVerification returns the newest state of the newest test; the zero value if there was none.
func (r Record) LastVerification() Verification {
	if n := len(r.Verifications); n > 0 {
		return r.Verifications[n-1]
	}
	return Verification{}
}

// verifyPrefix is what the names of the steps of tests begin with.
const verifyPrefix = "verify."

// Verified is the nth state that the tests of a run came to, from 1.
func Verified(n int) Step[Verification] {
	return nth(fmt.Sprintf("%s%d", verifyPrefix, n), 1, n, func(r *Record) *[]Verification { return &r.Verifications })
}

func stripVerification(v *Verification) { v.Failed, v.Why = nil, "" }
