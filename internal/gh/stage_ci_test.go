package gh_test

import (
	"io"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

// appPermissions returns those of the app, and more, as in "actions:write".
func appPermissions(more ...string) map[string]string {
	all := map[string]string{"metadata": "read", "contents": "write", "pull_requests": "write", "issues": "write",
		"checks": "write", "statuses": "read", "actions": "read"}
	for _, m := range more {
		name, level, _ := strings.Cut(m, ":")
		all[name] = level
	}
	return all
}

// What CI does.

func (s *stage) StartJobs(repo, sha string, jobs ...string) {
	s.t.Helper()
	s.act(s.server.CI(repo, sha).Starts(jobs...))
}

func (s *stage) EndJob(repo, sha string, job ciJob) {
	s.t.Helper()
	end := sim.JobEnd{Conclusion: job.Conclusion}
	if job.Log != "" {
		end.Log = func() io.Reader { return strings.NewReader(job.Log) }
	}
	s.act(s.server.CI(repo, sha).Job(job.Name).Ends(end))
}

func (s *stage) Rerun(repo, sha string) { s.act(s.server.CI(repo, sha).Reruns()) }

func (s *stage) LoseLog(repo, sha, job string) { s.act(s.server.CI(repo, sha).Job(job).LogExpires()) }

func (s *stage) Check(repo, sha, app, name, conclusion, summary string, notes ...port.Annotation) {
	s.t.Helper()
	check := sim.Check{App: app, Name: name, Conclusion: conclusion, Title: name, Summary: summary}
	for _, n := range notes {
		check.Annotations = append(check.Annotations, sim.Annotation{Path: n.Path, Line: n.StartLine,
			EndLine: n.EndLine, Level: n.Level, Title: n.Title, Message: n.Message})
	}
	s.act(s.server.CI(repo, sha).Check(check))
}

func (s *stage) Status(repo, sha, context, state, description string) {
	s.t.Helper()
	s.act(s.server.CI(repo, sha).Status(context, state, description, "https://ci.example/"+context))
}

func (s *stage) AddWorkflow(repo, branch, file, on string) {
	s.t.Helper()
	_, err := s.server.Push(repo, branch, map[string]string{".github/workflows/" + file: "on: " + on + "\n"}, "Add it")
	s.act(err)
}

func (s *stage) EndWorkflow(repo, sha, file, conclusion string) {
	s.t.Helper()
	s.act(s.server.CI(repo, sha).Workflow(file).Job("verify").Ends(sim.JobEnd{Conclusion: conclusion}))
}
