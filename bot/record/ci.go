package record

// CI is what a prompt says of the checks of the commit that it shows. Names are those that others chose, without
// secrets.
type CI struct {
	// Commit is whose checks they are.
	Commit string `json:"commit"`
	// Failed are those that failed, More counts the ones beside them.
	Failed []FailedCheck `json:"failed,omitempty"`
	More   int           `json:"more,omitempty"`
	// Task reports whether the task was to fix them.
	Task bool `json:"task,omitempty"`
	// Missing are the permissions without which something could not be read, such as "actions: read".
	Missing []string `json:"missing,omitempty"`
	// Unknown reports that the checks could not be read.
	Unknown bool `json:"unknown,omitempty"`
	// Fingerprint is equal for two commits on which the same checks failed with the same errors; empty if the errors were
	// not read.
	Fingerprint string `json:"fingerprint,omitempty"`
}

// FailedCheck is a check that failed.
type FailedCheck struct {
	Name       string `json:"name"`
	Conclusion string `json:"conclusion,omitempty"`
	// Page is where people read about it; it may be on any host.
	Page string `json:"page,omitempty"`
	// Log is the result of reading its log; empty if nobody asked for it, or it has none that tenon reads.
	Log LogState `json:"log,omitempty"`
	// Lines is how many lines the model was shown of its log, annotations and summary.
	Lines int `json:"lines,omitempty"`
	// SameAs is the name of the check whose lines are the same.
	SameAs string `json:"same_as,omitempty"`
}

// LogState is the result of reading the log of a job.
type LogState string

// The states of logs.
const (
	LogRead LogState = "read"
	// LogGone means that GitHub has it no more, or not yet.
	LogGone LogState = "gone"
	// LogDenied means that the app may not read it.
	LogDenied LogState = "denied"
	// LogUnread means that GitHub did not give it.
	LogUnread LogState = "unread"
)
