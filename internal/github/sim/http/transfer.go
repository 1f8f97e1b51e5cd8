package simhttp

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

// TransferIssue moves an issue, with its comments, to another repository of the same owner, and returns its number
// there.
func (s *Server) TransferIssue(repo string, number int, to string) (int, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	is, err := s.State.Issue(repo, number)
	if err != nil {
		return 0, err
	}
	target, err := s.State.RepoOf(is.Repo.Owner, to)
	if err != nil {
		return 0, err
	}
	if is.Pull != nil || target == is.Repo {
		return 0, fmt.Errorf("GitHub cannot transfer %s#%d to %s", repo, number, to)
	}
	moved := s.AddThread(target, is.User, is.Title, is.Body)
	moved.Open, moved.Created, moved.Comments, moved.Reactions = is.Open, is.Created, is.Comments, is.Reactions
	for _, co := range moved.Comments {
		co.Issue = moved
	}
	by, shape := s.AdminOf(is.Repo.Owner), form.New(s.Core)
	is.Gone, is.TransferredTo, is.Comments = true, moved, nil
	s.Events.EmitIssue("transferred", is, by,
		entity.Object{"changes": entity.Object{"new_issue": shape.Issue(moved), "new_repository": shape.Repository(target)}})
	s.Events.EmitIssue("opened", moved, by,
		entity.Object{"changes": entity.Object{"old_issue": shape.Issue(is), "old_repository": shape.Repository(is.Repo)}})
	return moved.Number, nil
}
