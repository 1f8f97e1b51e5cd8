package githttp

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// GitRefusal is the answer to a request of git that GitHub refuses.
type GitRefusal struct {
	Status int
	Text   string
}

// NotFound reports whether GitHub says that there is no such repository, or none that may be known.
func (e *GitRefusal) NotFound() bool { return e.Status == http.StatusNotFound }

// Error returns the status and the text of the answer.
func (e *GitRefusal) Error() string { return fmt.Sprintf("git answered %d: %s", e.Status, e.Text) }

// PushRefusal is why a ref was not moved: git's output.
type PushRefusal struct{ Text string }

// Error returns git's output.
func (e *PushRefusal) Error() string { return e.Text }

// enterGit returns a repository for whoever has a token. The caller holds the lock.
func (s Door) enterGit(repo, token, service string) (*gitCall, error) {
	g := &gitCall{service: service}
	if no := s.accessGit(g, repo, token); no != nil {
		return nil, &GitRefusal{no.Status, strings.TrimSpace(no.Body.String())}
	}
	return g, nil
}

// Fetch returns the git repository of a name that it has or had, as whoever has a token can fetch it.
func (s Door) Fetch(repo, token string) (*git.Repository, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	g, err := s.enterGit(repo, token, "git-upload-pack")
	if err != nil {
		return nil, err
	}
	return g.repo.Git, nil
}

// Receive moves a ref, as a push with a token does. The error is git.ErrMoved if the ref is not where the update
// expects it, and a *PushRefusal if GitHub rejects the push.
func (s Door) Receive(repo, token string, u git.Update) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	g, err := s.enterGit(repo, token, "git-receive-pack")
	if err != nil {
		return err
	}
	if at := g.repo.Git.Ref(u.Name); at == u.To {
		return nil
	} else if at != u.From {
		return git.ErrMoved
	}
	why, err := s.declines(g, u)
	switch {
	case err != nil:
		return err
	case why != "":
		return &PushRefusal{why}
	}
	if err := g.repo.Git.Update(u); err != nil {
		return err
	}
	return s.acts.RefsMoved(g.repo, s.acts.SenderOf(g.token))
}

// declines returns what git's hook says against a push, "" for nothing.
func (s Door) declines(g *gitCall, u git.Update) (string, error) {
	branch, _ := strings.CutPrefix(u.Name, "refs/heads/")
	if len(g.lent) > 0 && !slices.Contains(g.lent, u.Name) {
		return "permission denied", nil
	}
	if rule := g.repo.Protected[branch]; rule != nil {
		lines, beside := rule.Report(s.acts.RepoPage(g.repo), branch)
		return strings.Join(append(lines, beside), "\n"), nil
	}
	if g.token.May("workflows", "write") {
		return "", nil
	}
	name, err := NewWorkflow(g.repo, u.To)
	if name == "" || err != nil {
		return "", err
	}
	return fmt.Sprintf("refusing to allow a GitHub App to create or update workflow `%s` without `workflows` permission",
		name), nil
}

// Look returns the git repository of a repository, for who looks at it on GitHub.
func (s Door) Look(repo string) (*git.Repository, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	return r.Git, nil
}

// Serves reports whether git serves a commit of a repository: as long as GitHub has not caught up with the branches of
// forks, only what its own refs lead to.
func (s Door) Serves(repo, sha string) (bool, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		r = s.State.FormerRepo(repo)
	}
	if r == nil || r.Git.Kind(sha) != git.KindCommit {
		return false, nil
	}
	refs, err := r.Git.Refs("refs/")
	leads := func(ref git.Ref) bool { return r.Git.IsAncestor(sha, ref.SHA) }
	return r.Lag == nil || slices.ContainsFunc(refs, leads), err
}
