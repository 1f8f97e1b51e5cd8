package ghtest

import "slices"

// PullState is a pull request as everybody can read it.
type PullState struct {
	Number            int
	Title, Body, User string
	// Head is "owner:branch", SHA its commit; Base is a branch.
	Head, SHA, Base string
	Draft, Open     bool
}

// Pulls returns the pull requests of a repository, oldest first.
func (s *Server) Pulls(repo string) ([]PullState, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return nil, err
	}
	var list []PullState
	for _, is := range r.issues {
		if p := is.pull; p != nil {
			list = append(list, PullState{
				Number: is.number, Title: is.title, Body: is.body, User: is.user.login,
				Head: p.headLabel, SHA: p.headSHA, Base: p.baseRef, Draft: p.draft, Open: is.open,
			})
		}
	}
	slices.SortFunc(list, func(a, b PullState) int { return a.Number - b.Number })
	return list, nil
}
