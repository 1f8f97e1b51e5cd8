package ghtest

// checkRun is a check run of the App.
type checkRun struct{ id int64 }
