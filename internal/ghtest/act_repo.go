package ghtest

// Archive archives a repository, which makes it read-only, or unarchives it.
func (s *Server) Archive(repo string, archived bool) error {
	return s.withRepo(repo, func(r *repository) { r.archived = archived })
}

// SetPublic makes a repository public, or private.
func (s *Server) SetPublic(repo string, public bool) error {
	return s.withRepo(repo, func(r *repository) { r.public = public })
}

// NoDrafts makes a repository one of a plan without draft pull requests.
func (s *Server) NoDrafts(repo string) error {
	return s.withRepo(repo, func(r *repository) { r.noDrafts = true })
}

// DeleteRepo deletes a repository. Pull requests from it keep the name of their head only.
func (s *Server) DeleteRepo(repo string) error {
	return s.withRepo(repo, func(r *repository) { r.deleted = true })
}

func (s *Server) withRepo(repo string, do func(*repository)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err == nil {
		do(r)
	}
	return err
}
