package entity

// Listener is told of what happened. Emit and the methods named after it are called with the lock held; actor is the
// user who did it, and changes or extra is added to the payload.
type Listener interface {
	EmitComment(action string, co *Comment, actor *User, changes Object)
	EmitReviewComment(action string, rc *ReviewComment, actor *User, changes Object)
	EmitIssue(action string, is *Issue, actor *User, extra Object)
	EmitTransfer(from, to *Issue, actor *User)
	EmitPull(action string, is *Issue, actor *User, extra Object)
	EmitThread(action string, is *Issue, actor *User, extra Object)
	EmitLabel(action string, is *Issue, actor *User, l *Label)
	EmitReview(action string, rv *Review, actor *User, changes Object)
	EmitReviewThread(action string, rc *ReviewComment, actor *User)
	EmitCheck(action string, run *CheckRun, actor *User, extra Object)
	EmitSuite(action string, suite *CheckSuite, actor *User)
	EmitWorkflowRun(action string, run *WorkflowRun)
	EmitJob(action string, j *Job)
	EmitStatus(st *CommitStatus)
	EmitInstallation(action string, in *Installation)
	EmitCoverage(in *Installation, before []*Repository)
	Emit(event, action string, r *Repository, subject int64, actor *User, payload Object)
	// WaitFor waits for the response to the delivery of an event. It is called without the lock.
	WaitFor(event string, subject int64)
	// Delivered returns the number of deliveries so far, and WaitSince waits for the responses to those after the first
	// n. The lock is held at the one and not at the other.
	Delivered() int
	WaitSince(n int)
}
