package sim

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
func (s PullRequests) Pulls(repo string) ([]PullState, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	var list []PullState
	for _, is := range r.Issues {
		if p := is.Pull; p != nil {
			list = append(list, PullState{
				Number: is.Number, Title: is.Title, Body: is.Body, User: is.User.Login,
				Head: p.HeadLabel, SHA: p.HeadSHA, Base: p.BaseRef, Draft: p.Draft, Open: is.Open,
			})
		}
	}
	slices.SortFunc(list, func(a, b PullState) int { return a.Number - b.Number })
	return list, nil
}
