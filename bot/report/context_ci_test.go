package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

func TestTheAnswerTellsWhatTheModelSawOfCI(t *testing.T) {
	t.Parallel()
	ci := &record.CI{More: 2, Failed: []record.FailedCheck{
		{Name: "test (ubuntu)", Log: record.LogRead, Lines: 1200}, {Name: "test (macos)", Log: record.LogRead, Lines: 1,
			SameAs: "test (ubuntu)"}, {Name: "`lint`", Log: record.LogGone, Lines: 1}, {Name: "e2e", Log: record.LogDenied},
		{Name: "docs", Log: record.LogUnread, Page: lathe + "/runs/1"}, {Name: "ci/other", Page: "https://ci.example/1"},
	}}
	require.Equal(t, []string{
		"failed check `test (ubuntu)`: 1,200 lines of its output",
		"failed check `test (macos)`: the same output as `test (ubuntu)`",
		"failed check `` `lint` ``: 1 line of its output; GitHub no longer has its log",
		"failed check `e2e`: its log could not be read",
		"failed check [`docs`](" + lathe + "/runs/1): its log could not be read",
		"failed check `ci/other`",
		"… and 2 more",
	}, failedChecks(ci, onLathe))
	require.Contains(t, contextFold(record.Prompt{CI: ci}, nil, nil, onLathe),
		">The model saw 0 files and 8 failed checks<")
	require.Empty(t, failedChecks(nil, onLathe))
}

func TestTheAnswerSaysWhatWasMissingOfCI(t *testing.T) {
	t.Parallel()
	for note, ci := range map[string]*record.CI{
		"": nil,
		"GitHub did not say which checks of the branch failed, so the model did not see what CI reports.": {Unknown: true},
		"The logs of failed jobs could not be read: this app does not have the permission `actions: read` here. " +
			sentence.HowToGrant: {
			Missing: []string{"actions: read"}, Failed: []record.FailedCheck{{Name: "a", Log: record.LogDenied}}},
		"GitHub no longer has the logs of `a` and `b`, so the model did not see why they failed. GitHub did not " +
			"return the log of `c`, so the model did not see why it failed.": {Failed: []record.FailedCheck{
			{Name: "a", Log: record.LogGone}, {Name: "b", Log: record.LogGone}, {Name: "c", Log: record.LogUnread}}},
	} {
		require.Equal(t, note, ciNote(ci))
	}
	unasked := &record.CI{Missing: []string{"statuses: read"}, Failed: []record.FailedCheck{{Name: "a"}}}
	require.Empty(t, ciNote(unasked), "nobody asked why it failed")
	unasked.Task = true
	both := &record.CI{Task: true, Missing: []string{"statuses: read", "actions: read"}}
	require.Equal(t, "The logs of failed jobs, and some of what CI reports, could not be read: this app does not have "+
		"the permissions `statuses: read` and `actions: read` here. "+sentence.HowToGrant, ciNote(both))
	require.Contains(t, ciNote(unasked), "Some of what CI reports could not be read: this app does not have the "+
		"permission `statuses: read` here.")
}

// hostileCI is what a prompt told of checks whose names and conclusions are s.
func hostileCI(s string) *record.CI {
	return &record.CI{Task: true, Failed: []record.FailedCheck{
		{Name: s, Conclusion: s, Page: s, Log: record.LogGone}, {Name: s, Log: record.LogUnread, Lines: 3},
		{Name: "test", Log: record.LogRead, SameAs: s},
	}}
}
