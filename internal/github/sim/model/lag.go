package model

// Lag is what GitHub knows of the branches of a repository while it has not caught up with them.
type Lag struct {
	// branches are the tips of the branches when it began, by name.
	Branches map[string]string
	// opened are the pull requests that were opened meanwhile.
	Opened map[*Issue]bool
	// dispatched are the runs of workflows that were asked for meanwhile.
	Dispatched []func()
}
