package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// MergeMethod is how a pull request is merged, by the names of the REST API.
type MergeMethod string

// The methods.
const (
	ByMerge  MergeMethod = "merge"
	BySquash MergeMethod = "squash"
	ByRebase MergeMethod = "rebase"
)

// Merge merges a pull request by a merge commit, as an owner of its repository; a conflict is an error.
func (s branches) Merge(repo string, number int) error { return s.MergeBy(repo, number, ByMerge) }

// MergeBy merges a pull request by a method, as an owner of its repository; a conflict is an error.
func (s branches) MergeBy(repo string, number int, method MergeMethod) error {
	return s.mergeAs(repo, number, func(is *entity.Issue, base string) (string, error) {
		return s.merged(is, base, method)
	})
}

// MergeByHand merges a pull request by a merge commit that somebody made: it has the base with some files changed.
func (s branches) MergeByHand(repo string, number int, files map[string]File) error {
	return s.mergeAs(repo, number, func(is *entity.Issue, base string) (string, error) {
		o, hub := is.Repo.Git, HubSignature(s.Now())
		tree, err := o.WriteFiles(base, files)
		if err != nil {
			return "", err
		}
		return o.WriteCommit(git.Commit{Tree: tree, Parents: []string{base, is.Pull.HeadSHA}, Author: hub, Committer: hub,
			Message: fmt.Sprintf("Merge pull request #%d by hand\n", is.Number)})
	})
}

// mergeAs merges a pull request by the commit that make returns for the tip of its base.
func (s branches) mergeAs(repo string, number int, make func(is *entity.Issue, base string) (string, error)) error {
	return s.ChangeIssue(repo, number, func(is *entity.Issue) error {
		p, r := is.Pull, is.Repo
		if p == nil || !is.Open {
			return fmt.Errorf("%s#%d is no open pull request", repo, number)
		}
		base, now := r.Git.Branch(p.BaseRef), s.Now()
		sha, err := make(is, base)
		if err != nil {
			return err
		}
		if err := r.Git.Update(git.Update{Name: "refs/heads/" + p.BaseRef, From: base, To: sha}); err != nil {
			return err
		}
		p.Merged, p.MergedBy, p.MergeSHA = &now, s.AdminOf(r.Owner), sha
		if err := PullRequests(s).ChangeState(is, s.AdminOf(r.Owner), false, ""); err != nil {
			return err
		}
		return s.RefsMoved(r, s.AdminOf(r.Owner))
	})
}

// merged stores what a pull request is merged by, and returns the commit that its base is to be moved to.
func (s branches) merged(is *entity.Issue, base string, method MergeMethod) (string, error) {
	p, o := is.Pull, is.Repo.Git
	hub := HubSignature(s.Now())
	switch method {
	case ByMerge:
		message := fmt.Sprintf("Merge pull request #%d from %s\n", is.Number, p.HeadLabel)
		return o.MergeCommit(base, p.HeadSHA, git.Commit{Author: hub, Committer: hub, Message: message})
	case BySquash:
		tree, err := o.Merge(base, p.HeadSHA)
		if err != nil {
			return "", err
		}
		author := git.Signature{Name: is.User.Login, Email: is.User.Email(), When: s.Now()}
		return o.WriteCommit(git.Commit{Tree: tree, Parents: []string{base}, Author: author, Committer: hub,
			Message: fmt.Sprintf("%s (#%d)\n", is.Title, is.Number)})
	case ByRebase:
		return s.rebased(is, base)
	}
	return "", fmt.Errorf("there is no method %q", method)
}

// rebased stores the commits of a pull request on top of its base. "Rebase and merge on GitHub will always update the
// committer information and create new commit SHAs": https://docs.github.com/en/pull-requests (about merge methods).
func (s branches) rebased(is *entity.Issue, base string) (string, error) {
	commits, err := PullRequests(s).PullCommits(is)
	if err != nil {
		return "", err
	}
	tip := base
	for _, c := range slices.Backward(commits) {
		if len(c.Parents) != 1 {
			continue
		}
		tree, err := is.Repo.Git.MergeFrom(c.Parents[0], tip, c.SHA)
		if err != nil {
			return "", err
		}
		tip, err = is.Repo.Git.WriteCommit(git.Commit{Tree: tree, Parents: []string{tip}, Author: c.Author,
			Committer: HubSignature(s.Now()), Message: strings.TrimSuffix(c.Message, "\n") + "\n"})
		if err != nil {
			return "", err
		}
	}
	return tip, nil
}
