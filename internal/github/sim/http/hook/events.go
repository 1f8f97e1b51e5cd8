package hook

import (
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

// Events writes the payloads of what happened. The caller of its methods holds the lock, but for those that wait.
type Events struct {
	*Hooks
	acts sim.Acts
}

// EventsOf returns the writer of payloads that a webhook delivers.
func EventsOf(hooks *Hooks, acts sim.Acts) Events { return Events{hooks, acts} }

// Emit delivers an event about a repository, if the App is installed there and subscribed to it. The caller holds the
// lock; the delivery is sent concurrently.
func (s Events) Emit(event, action string, r *entity.Repository, subject int64, by *entity.User,
	payload entity.Object) {
	if !s.delivers(event, action, r) {
		return
	}
	in := s.State.InstallationFor(r)
	payload["repository"] = s.form.Repository(r)
	payload["installation"] = entity.Object{"id": in.ID, "node_id": sim.NodeID("INST", in.ID)}
	s.deliver(event, action, in, r.ID, subject, by, payload)
}

func (s Events) emitWith(event, action string, r *entity.Repository, subject int64, by *entity.User, p,
	changes entity.Object) {
	if changes != nil {
		p["changes"] = changes
	}
	s.Emit(event, action, r, subject, by, p)
}

// EmitIssue emits an event of an issue, with extra fields.
func (s Events) EmitIssue(action string, is *entity.Issue, by *entity.User, extra entity.Object) {
	if !s.delivers("issues", action, is.Repo) {
		return
	}
	p := entity.Object{"issue": s.form.Issue(is)}
	maps.Copy(p, extra)
	s.Emit("issues", action, is.Repo, is.ID, by, p)
}

// EmitTransfer emits that an issue left a repository, and that it is one of another.
func (s Events) EmitTransfer(from, to *entity.Issue, by *entity.User) {
	s.EmitIssue("transferred", from, by, entity.Object{"changes": entity.Object{
		"new_issue": s.form.Issue(to), "new_repository": s.form.Repository(to.Repo)}})
	s.EmitIssue("opened", to, by, entity.Object{"changes": entity.Object{
		"old_issue": s.form.Issue(from), "old_repository": s.form.Repository(from.Repo)}})
}

// EmitPull emits an event of a pull request, with extra fields.
func (s Events) EmitPull(action string, is *entity.Issue, by *entity.User, extra entity.Object) {
	if !s.delivers("pull_request", action, is.Repo) {
		return
	}
	p := entity.Object{"number": is.Number, "pull_request": s.form.Pull(is, false)}
	maps.Copy(p, extra)
	s.Emit("pull_request", action, is.Repo, is.Pull.ID, by, p)
}

// EmitThread emits an event that issues and pull requests have in common, and updates the thread.
func (s Events) EmitThread(action string, is *entity.Issue, by *entity.User, extra entity.Object) {
	is.Updated = s.Now()
	if is.Pull != nil {
		s.EmitPull(action, is, by, extra)
		return
	}
	s.EmitIssue(action, is, by, extra)
}

// EmitLabel emits that a label was put on an issue or pull request, or removed.
func (s Events) EmitLabel(action string, is *entity.Issue, by *entity.User, l *entity.Label) {
	s.EmitThread(action, is, by, entity.Object{"label": s.form.Label(is.Repo, l)})
}

// EmitComment emits an event of a comment on an issue or pull request.
func (s Events) EmitComment(action string, co *entity.Comment, by *entity.User, changes entity.Object) {
	if !s.delivers("issue_comment", action, co.Issue.Repo) {
		return
	}
	p := entity.Object{"issue": s.form.Issue(co.Issue), "comment": s.form.Comment(co)}
	s.emitWith("issue_comment", action, co.Issue.Repo, co.ID, by, p, changes)
}

// EmitReviewComment emits an event of a comment on lines.
func (s Events) EmitReviewComment(action string, rc *entity.ReviewComment, by *entity.User, changes entity.Object) {
	if !s.delivers("pull_request_review_comment", action, rc.Issue.Repo) {
		return
	}
	p := entity.Object{"pull_request": s.form.Pull(rc.Issue, true), "comment": s.form.ReviewComment(rc)}
	s.emitWith("pull_request_review_comment", action, rc.Issue.Repo, rc.ID, by, p, changes)
}

// EmitReviewThread emits that the thread of a comment was resolved or reopened.
func (s Events) EmitReviewThread(action string, rc *entity.ReviewComment, by *entity.User) {
	if !s.delivers("pull_request_review_thread", action, rc.Issue.Repo) {
		return
	}
	comments := []entity.Object{}
	for _, c := range rc.Issue.Pull.Comments {
		if c.Thread == rc.Thread {
			comments = append(comments, s.form.ReviewComment(c))
		}
	}
	p := entity.Object{"pull_request": s.form.Pull(rc.Issue, true), "thread": entity.Object{"node_id": sim.NodeID("PRRT",
		rc.Thread.ID),
		"comments": comments}}
	s.Emit("pull_request_review_thread", action, rc.Issue.Repo, rc.Thread.ID, by, p)
}

// EmitReview emits an event of a review. In payloads, the state is in lower case, and an empty body is null.
func (s Events) EmitReview(action string, rv *entity.Review, by *entity.User, changes entity.Object) {
	if !s.delivers("pull_request_review", action, rv.Issue.Repo) {
		return
	}
	o := s.form.Review(rv)
	o["state"], o["body"] = strings.ToLower(rv.State), form.TextOrNull(rv.Body)
	p := entity.Object{"review": o, "pull_request": s.form.Pull(rv.Issue, true)}
	s.emitWith("pull_request_review", action, rv.Issue.Repo, rv.ID, by, p, changes)
}

// EmitInstallation emits an event of an installation: created, deleted, suspend, unsuspend.
func (s Events) EmitInstallation(action string, in *entity.Installation) {
	p := entity.Object{"installation": s.form.Installation(in), "repositories": s.form.Briefly(s.acts.Covered(in)),
		"requester": nil}
	s.deliver("installation", action, in, 0, in.ID, s.AdminOf(in.Account), p)
}

// EmitCoverage emits which repositories were added to an installation and removed from it.
func (s Events) EmitCoverage(in *entity.Installation, before []*entity.Repository) {
	after := s.acts.Covered(in)
	without := func(list, other []*entity.Repository) []*entity.Repository {
		return slices.DeleteFunc(slices.Clone(list), func(r *entity.Repository) bool { return slices.Contains(other, r) })
	}
	for action, changed := range map[string][]*entity.Repository{"added": without(after, before),
		"removed": without(before, after)} {
		if len(changed) == 0 {
			continue
		}
		o := s.form.Installation(in)
		p := entity.Object{"installation": o, "repository_selection": o["repository_selection"], "requester": nil,
			"repositories_added": []entity.Object{}, "repositories_removed": []entity.Object{}}
		p["repositories_"+action] = s.form.Briefly(changed)
		s.deliver("installation_repositories", action, in, 0, in.ID, s.AdminOf(in.Account), p)
	}
}

// EmitCheck emits an event of a check run, with extra fields.
func (s Events) EmitCheck(action string, run *entity.CheckRun, by *entity.User, extra entity.Object) {
	if !s.delivers("check_run", action, run.Repo) {
		return
	}
	o := s.form.CheckRun(run)
	o["check_suite"] = s.form.SimpleCheckSuite(run.Suite)
	p := entity.Object{"check_run": o}
	maps.Copy(p, extra)
	s.Emit("check_run", action, run.Repo, run.ID, by, p)
}

// EmitSuite emits an event of a check suite.
func (s Events) EmitSuite(action string, suite *entity.CheckSuite, by *entity.User) {
	if !s.delivers("check_suite", action, suite.Repo) {
		return
	}
	s.Emit("check_suite", action, suite.Repo, suite.ID, by, entity.Object{"check_suite": s.form.CheckSuite(suite)})
}

// EmitWorkflowRun emits an event of a workflow run.
func (s Events) EmitWorkflowRun(action string, run *entity.WorkflowRun) {
	if !s.delivers("workflow_run", action, run.Suite.Repo) {
		return
	}
	p := entity.Object{"workflow_run": s.form.WorkflowRun(run), "workflow": s.form.Workflow(run.Workflow)}
	s.Emit("workflow_run", action, run.Suite.Repo, run.ID, run.Actor, p)
}

// EmitJob emits an event of a job.
func (s Events) EmitJob(action string, j *entity.Job) {
	if !s.delivers("workflow_job", action, j.Run.Suite.Repo) {
		return
	}
	p := entity.Object{"workflow_job": s.form.Job(j)}
	s.Emit("workflow_job", action, j.Run.Suite.Repo, j.Check.ID, j.Run.Actor, p)
}

// EmitStatus emits a status, which has no action.
func (s Events) EmitStatus(st *entity.CommitStatus) {
	r := st.Repo
	if !s.delivers("status", "", r) {
		return
	}
	commit, err := r.Git.Commit(st.SHA)
	if err != nil {
		s.Log.Error("fake GitHub", "error", err)
		return
	}
	branches := []entity.Object{}
	if name := s.acts.BranchAt(r, st.SHA); name != "" {
		branches = append(branches, s.form.Code(r).Branch(name, st.SHA))
	}
	p := s.form.Status(st)
	for _, field := range []string{"node_id", "url", "creator"} {
		delete(p, field)
	}
	p["name"], p["sha"], p["branches"], p["commit"] = r.FullName(), st.SHA, branches, s.form.Code(r).Commit(commit)
	s.Emit("status", "", r, st.ID, st.Creator, p)
}
