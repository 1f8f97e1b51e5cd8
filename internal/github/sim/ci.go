package sim

import (
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// IntegrationOf returns another App, which owner's account has as if installed.
func (s Checks) IntegrationOf(slug string) *model.Integration {
	ci := &s.State.CI
	if in := ci.Apps[slug]; in != nil {
		return in
	}
	in := &model.Integration{ID: 15368 + int64(len(ci.Apps)), Slug: slug, Name: slug, Created: s.App.Created,
		Owner: s.App.Owner}
	if slug == model.ActionsApp {
		in.Name = "GitHub Actions"
	}
	ci.Apps[slug] = in
	return in
}

// RunsOf returns the check runs of a suite, oldest first.
func (s Checks) RunsOf(suite *model.CheckSuite) []*model.CheckRun {
	return SortedByID(s.State.Checks, func(run *model.CheckRun) bool { return run.Suite == suite })
}

// LatestOf returns the newest check run of each name of a suite, oldest first.
func (s Checks) LatestOf(suite *model.CheckSuite) []*model.CheckRun {
	var list []*model.CheckRun
	newest := map[string]int{}
	for _, run := range s.RunsOf(suite) {
		if i, has := newest[run.Name]; has {
			list[i] = run
			continue
		}
		newest[run.Name] = len(list)
		list = append(list, run)
	}
	return list
}

// SuiteState returns the status and the conclusion of a suite.
func (s Checks) SuiteState(suite *model.CheckSuite) (status, conclusion string) {
	if suite.Run != nil {
		return suite.Run.Status, suite.Run.Conclusion
	}
	runs := s.LatestOf(suite)
	if len(runs) == 0 {
		return "queued", ""
	}
	for _, run := range runs {
		if run.Status != "completed" {
			return "in_progress", ""
		}
		conclusion = worse(conclusion, run.Conclusion)
	}
	return "completed", conclusion
}

// severity orders conclusions, the one that decides first.
var severity = []string{"action_required", "timed_out", "failure", "startup_failure", "cancelled", "success", "neutral",
	"skipped"}

// worse returns the conclusion of two that decides about both.
func worse(a, b string) string {
	for _, c := range severity {
		if a == c || b == c {
			return c
		}
	}
	return a
}
