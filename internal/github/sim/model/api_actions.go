package model

import (
	"slices"
)

// LatestJobs returns the newest job of each name, in the order of the workflow.
func (run *WorkflowRun) LatestJobs() []*Job {
	list := []*Job{}
	for _, j := range run.Jobs {
		same := func(other *Job) bool { return other.Check.Name == j.Check.Name }
		if i := slices.IndexFunc(list, same); i >= 0 {
			list[i] = j
			continue
		}
		list = append(list, j)
	}
	return list
}
