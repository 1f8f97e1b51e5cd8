package sim

import "github.com/tenon-bot/tenon/internal/github/sim/entity"

// Lag makes GitHub fall behind the branches of a repository (or catch up with them), as it does for seconds after a
// push. Meanwhile its pull requests keep their heads, files and refs/pull/N/head, the list of commits does not know
// what was pushed, and that of pull requests not what was opened. Workflows that are dispatched begin when it has
// caught up. Git shows the branches as they are. Pull requests from forks are behind the forks' branches.
func (s branches) Lag(repo string, yes bool) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return err
	}
	if yes {
		return s.fallBehind(r)
	}
	late := r.Lag
	r.Lag = nil
	if late != nil {
		for _, dispatch := range late.Dispatched {
			dispatch()
		}
	}
	for _, is := range r.Issues {
		if p := is.Pull; p != nil && is.Open && p.HeadRepo != nil {
			if err := PullRequests(s).followHead(is, s.AdminOf(p.HeadRepo.Owner)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fallBehind makes GitHub know the branches as they are now, until it catches up.
func (s branches) fallBehind(r *entity.Repository) error {
	branches, err := r.Git.Branches()
	r.Lag = &entity.Lag{Branches: branches, Opened: map[*entity.Issue]bool{}}
	return err
}
