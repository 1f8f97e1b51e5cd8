package githttp

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
	"github.com/tenon-bot/tenon/internal/github/sim/http/transport"
)

// admitGit returns GitHub's errors: 401 without valid credentials, 404 for a repository that the token cannot access,
// and 403 for a missing permission.
func (s Door) admitGit(g *gitCall, r *http.Request) *transport.Recorder {
	if g.service != "git-upload-pack" && g.service != "git-receive-pack" {
		return plain(http.StatusForbidden,
			"Please upgrade your git client.\nGitHub.com no longer supports git over dumb-http.")
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	vars := mux.Vars(r)
	name := vars["owner"] + "/" + strings.TrimSuffix(vars["repo"], ".git")
	if no := s.accessGit(g, name, traffic.Credentials(r)); no != nil || strings.EqualFold(g.repo.FullName(), name) {
		return no
	}
	return s.redirectGit(g.repo, r)
}

// accessGit finds the repository of a name that it has or had, for whoever has a token. The caller holds the lock.
func (s Door) accessGit(g *gitCall, name, password string) *transport.Recorder {
	repo, err := s.State.Repo(name)
	if err != nil {
		repo = s.State.FormerRepo(name)
	}
	push := g.service == "git-receive-pack"
	if password == "" && (repo == nil || !repo.Public || push) {
		return unauthorized("Authentication required.")
	}
	if password != "" {
		if g.token, _ = s.acts.CheckToken(password); g.token == nil {
			return unauthorized("Invalid username or token. Password authentication is not supported for Git operations.")
		}
	}
	if repo == nil {
		return plain(http.StatusNotFound, "Repository not found.")
	}
	g.repo = repo
	return s.refuseGit(g, push)
}

// refuseGit returns the error for a token without the permission.
func (s Door) refuseGit(g *gitCall, push bool) *transport.Recorder {
	covered := g.token != nil && g.token.Covers(g.repo)
	if push && !covered {
		g.lent = s.acts.EditableBranches(g.repo, g.token)
	}
	switch {
	case !g.repo.Public && !covered && len(g.lent) == 0:
		return plain(http.StatusNotFound, "Repository not found.")
	case push && !covered && len(g.lent) == 0:
		return plain(http.StatusForbidden, fmt.Sprintf("Permission to %s.git denied to %s.", g.repo.FullName(),
			s.acts.SenderOf(g.token).Login))
	case push && !s.acts.MayWrite(g.token, g.repo, "contents"):
		return plain(http.StatusForbidden, "Write access to repository not granted.")
	case !g.repo.Public && !g.token.May("contents", "read"):
		return plain(http.StatusForbidden, "Read access to repository not granted.")
	case push && g.repo.Archived:
		return plain(http.StatusForbidden, "This repository was archived so it is read-only.")
	}
	return nil
}

// redirectGit redirects from an old name of a repository to the new one. git follows that for the advertisement.
func (s Door) redirectGit(repo *entity.Repository, r *http.Request) *transport.Recorder {
	a := plain(http.StatusMovedPermanently, "Moved Permanently")
	to := s.acts.RepoPage(repo) + ".git/" + mux.Vars(r)["service"]
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	a.Header().Set("Location", to)
	return a
}
