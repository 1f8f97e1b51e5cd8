package sim

import "fmt"

// TransferIssue moves an issue, with its comments, to another repository of the same owner, and returns its number
// there.
func (s Threads) TransferIssue(repo string, number int, to string) (int, error) {
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
	is.Gone, is.TransferredTo, is.Comments = true, moved, nil
	s.Events.EmitTransfer(is, moved, s.AdminOf(is.Repo.Owner))
	return moved.Number, nil
}
