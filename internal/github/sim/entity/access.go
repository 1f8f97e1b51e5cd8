package entity

import (
	"fmt"
	"maps"
	"slices"
)

// WithRepo calls do with a repository, under the lock.
func (c *Core) WithRepo(repo string, do func(*Repository)) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	r, err := c.State.Repo(repo)
	if err == nil {
		do(r)
	}
	return err
}

// Writable returns a repository that is not archived: an archived one is read-only for everybody. The caller holds the
// lock.
func (c *Core) Writable(repo string) (*Repository, error) {
	r, err := c.State.Repo(repo)
	if err == nil {
		err = r.writable()
	}
	return r, err
}

// WithIssue calls do with an issue or pull request that was not deleted, under the lock.
func (c *Core) WithIssue(repo string, number int, do func(*Issue) error) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	is, err := c.State.Issue(repo, number)
	if err != nil {
		return err
	}
	return do(is)
}

// ChangeIssue is WithIssue in a repository that is not archived.
func (c *Core) ChangeIssue(repo string, number int, do func(*Issue) error) error {
	return c.WithIssue(repo, number, func(is *Issue) error {
		if err := is.Repo.writable(); err != nil {
			return err
		}
		return do(is)
	})
}

// Actor returns the user who acts and the repository, or an error if the user's role does not allow it or the
// repository is archived. Bots of other Apps are considered as installed.
func (c *Core) Actor(as, repo string, least Role) (*User, *Repository, error) {
	u, err := c.State.User(as)
	if err != nil {
		return nil, nil, err
	}
	r, err := c.Writable(repo)
	switch {
	case err != nil:
		return nil, nil, err
	case !r.RoleOf(u).AtLeast(least) && u.Kind != UserBot:
		return nil, nil, fmt.Errorf("%s has no %s permission on %s", as, least, repo)
	}
	return u, r, nil
}

// AdminOf returns an admin of an account, who acts where no other user is named.
func (c *Core) AdminOf(account *User) *User {
	for _, login := range slices.Sorted(maps.Keys(account.Owners)) {
		return c.State.Users[login]
	}
	return account
}
