package bottest

import (
	"context"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// StartWorkflow starts a workflow on a branch.
func (g *GitHub) StartWorkflow(ctx context.Context, ref port.RepoRef, workflow, branch string) error {
	call := Call{Op: "StartWorkflow", Text: workflow, Write: true}
	_, err := do(ctx, g.faults, call, func() (none struct{}, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if strings.Trim(workflow, ".") == "" || strings.Contains(workflow, "/") || branch == "" {
			return none, callerError("starting a workflow: %q is not the name of a file, or the branch is missing", workflow)
		}
		r, err := g.reach(ref, "actions:write")
		if err == nil {
			err = r.writable()
		}
		if err != nil {
			return none, err
		}
		if _, ok := r.workflowText(r.defaultBranch, workflow); !ok {
			return none, notFound()
		}
		sha := r.git.branch(branch)
		if sha == "" {
			return none, &port.RejectedError{Branch: branch, Text: "No ref found for: " + branch}
		}
		if text, _ := r.workflowText(branch, workflow); !strings.Contains(text, "workflow_dispatch") {
			return none, &port.RejectedError{Branch: branch, Text: "Workflow does not have 'workflow_dispatch' trigger"}
		}
		run := &workflowRun{id: g.id("workflow run"), file: workflow, sha: sha, dispatched: true}
		r.ci.runs = append(r.ci.runs, run)
		g.plan(r, sha, run, r.ci.dispatched, workflow)
		return none, nil
	})
	return err
}

// workflowText returns a workflow's file on a branch.
func (r *repository) workflowText(branch, workflow string) (string, bool) {
	c := r.git.objects[r.git.branch(branch)]
	if c == nil {
		return "", false
	}
	f, ok := c.tree[".github/workflows/"+workflow]
	return string(f.data), ok
}

// foundRun is a workflow run that may be there.
type foundWorkflowRun struct {
	port.WorkflowRun
	ok bool
}

// WorkflowRun finds the newest run of a workflow that was started on a commit.
func (g *GitHub) WorkflowRun(ctx context.Context, ref port.RepoRef, workflow, sha string) (
	port.WorkflowRun, bool, error,
) {
	out, err := do(ctx, g.faults, Call{Op: "WorkflowRun", Text: workflow}, func() (out foundWorkflowRun, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, "actions:read")
		if err != nil {
			return out, err
		}
		if _, ok := r.workflowText(r.defaultBranch, workflow); !ok {
			return out, notFound()
		}
		for _, w := range r.ci.runs {
			if w.dispatched && w.file == workflow && w.sha == sha {
				out = foundWorkflowRun{port.WorkflowRun{ID: w.id, Page: r.runPage(w), Outcome: port.OutcomeOf(w.conclusion()),
					Conclusion: w.conclusion()}, true}
			}
		}
		return out, nil
	})
	return out.WorkflowRun, out.ok, err
}

func (r *repository) runPage(w *workflowRun) string {
	return fmt.Sprintf("%s%s/actions/runs/%d", site, r.fullName(), w.id)
}

// MoveBranch moves a branch forward.
func (g *GitHub) MoveBranch(ctx context.Context, ref port.RepoRef, branch, from, to string) error {
	_, err := do(ctx, g.faults, Call{Op: "MoveBranch", Text: branch, Write: true}, func() (none struct{}, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		return none, g.moveBranch(ref, branch, from, to)
	})
	return err
}

func (g *GitHub) moveBranch(ref port.RepoRef, branch, from, to string) error {
	if branch == "" || from != "" && !isSHA(from) || !isSHA(to) {
		return callerError("moving a branch: its name, or one of the commits, is missing")
	}
	r, err := g.reach(ref, "contents:write")
	if err == nil {
		err = r.writable()
	}
	if err != nil {
		return err
	}
	name := "refs/heads/" + branch
	switch at := r.git.refs[name]; {
	case r.git.objects[to] == nil:
		return unprocessable("GitHub has no commit %s", to)
	case at == to:
		return nil
	case at != from:
		return fmt.Errorf("moving %s: %w", branch, port.ErrMoved)
	case from != "" && !r.git.has(to, from):
		return callerError("moving %s: %s is no descendant of %s", branch, to, from)
	}
	if why := r.protected[branch]; why != "" {
		return &port.RejectedError{Branch: branch, Text: why}
	}
	r.git.refs[name] = to
	g.wrote()
	g.refsMoved(r, g.bot)
	g.pushed(r, branch, to)
	return nil
}

// DeleteBranch deletes a branch.
func (g *GitHub) DeleteBranch(ctx context.Context, ref port.RepoRef, branch string) error {
	_, err := do(ctx, g.faults, Call{Op: "DeleteBranch", Text: branch, Write: true}, func() (none struct{}, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, "contents:write")
		if err == nil {
			err = r.writable()
		}
		switch {
		case err != nil:
			return none, err
		case branch == "" || branch == r.defaultBranch:
			return none, callerError("deleting a branch: it is not the default one, and has a name")
		case r.git.branch(branch) == "":
			return none, nil
		case r.protected[branch] != "":
			return none, unprocessable("%s", r.protected[branch])
		}
		delete(r.git.refs, "refs/heads/"+branch)
		g.refsMoved(r, g.bot)
		return none, nil
	})
	return err
}
