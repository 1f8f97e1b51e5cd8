package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// tested says, beside the commit, that a workflow passed before it was made; empty if none did.
func (r Summary) tested() string {
	if r.SHA == "" || r.Test.State != record.VerifyPassed || r.Test.Commit != r.SHA {
		return ""
	}
	return "tested by " + r.workflowLink()
}

// unverified says why a commit was not tested, or what failed in the test of edits that were not committed.
func (r Summary) unverified() string {
	switch {
	case r.SHA != "" && r.Test.State == record.VerifyUntested:
		return r.Test.Why
	case r.SHA == "" && r.Unpushed != "" && r.Test.State == record.VerifyFailed && r.Test.Why == "":
		return fmt.Sprintf("%s failed%s. The edits are below.", r.workflowLink(), failedJobs(r.Test.Failed))
	case r.SHA == "" && r.Test.State == record.VerifyFailed && r.Unpushed == sentence.TestFailed:
		return r.Test.Why
	}
	return ""
}

// unchecked says that CI does not check the commit.
func (r Summary) unchecked() string {
	if r.SHA == "" || !r.ByJob {
		return ""
	}
	return sentence.NoWorkflowsStart
}

// workflowLink links to GitHub's run of the workflow that tested the edits. No address of others is in it.
func (r Summary) workflowLink() string {
	name := markdown.Code(markdown.Clip(r.Test.Workflow, markdown.MaxCell))
	if r.Test.WorkflowRun == 0 || r.Links == nil {
		return name
	}
	return fmt.Sprintf("[%s](%s)", name, r.Links.WorkflowRun(r.Test.WorkflowRun))
}

// failedJobs names jobs that failed, behind what says that something did.
func failedJobs(names []string) string {
	var list []string
	for _, name := range names[:min(len(names), maxNamed)] {
		list = append(list, markdown.Code(markdown.Clip(name, markdown.MaxCell)))
	}
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, ", ")
}
