package bottest_test

import (
	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// What CI does, for a bottest.CIStage.

func (s *stage) StartJobs(repo, sha string, jobs ...string) { s.repo(repo).CI(sha).Starts(jobs...) }

func (s *stage) EndJob(repo, sha string, job bottest.CIJob) {
	if job.Conclusion == "failure" {
		s.repo(repo).CI(sha).Fails(job.Name, job.Log)
		return
	}
	s.repo(repo).CI(sha).Ends(job.Name, job.Conclusion)
}

func (s *stage) Rerun(repo, sha string) { s.repo(repo).CI(sha).Reruns() }

func (s *stage) LoseLog(repo, sha, job string) { s.repo(repo).CI(sha).LosesLog(job) }

func (s *stage) Check(repo, sha, app, name, conclusion, summary string, notes ...port.Annotation) {
	s.repo(repo).CI(sha).Check(app, name, conclusion, summary, notes...)
}

func (s *stage) Status(repo, sha, context, state, description string) {
	s.repo(repo).CI(sha).Status(context, state, description)
}

func (s *stage) AddWorkflow(repo, branch, file, on string) {
	s.repo(repo).Push(branch, map[string]string{".github/workflows/" + file: "on: " + on + "\n"})
}

func (s *stage) EndWorkflow(repo, sha, file, conclusion string) {
	s.repo(repo).EndWorkflow(sha, file, conclusion)
}
