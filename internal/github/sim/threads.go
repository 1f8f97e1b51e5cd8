package sim

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Threads changes issues and the conversations of pull requests.
type Threads struct{ *entity.Core }

// OpenIssue opens an issue as a user who can read the repository. It returns the number after the response to the
// delivery.
func (s Threads) OpenIssue(as, repo, title, body string) (int, error) {
	is, err := s.openIssue(as, repo, title, body)
	if err != nil {
		return 0, err
	}
	s.Events.WaitFor("issues", is.ID)
	return is.Number, nil
}

func (s Threads) openIssue(as, repo, title, body string) (*entity.Issue, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	is, err := s.newThread(as, repo, title, body)
	if err == nil {
		s.Events.EmitIssue("opened", is, is.User, nil)
	}
	return is, err
}

// newThread adds a thread as a user who can read the repository.
func (s Threads) newThread(as, repo, title, body string) (*entity.Issue, error) {
	u, r, err := s.Actor(as, repo, entity.RoleRead)
	if err != nil {
		return nil, err
	}
	if err := CheckThread("Issue", &title, &body); err != nil {
		return nil, err
	}
	return s.AddThread(r, u, title, body), nil
}

// AddThread adds an issue or pull request with the next number.
func (s Threads) AddThread(r *entity.Repository, author *entity.User, title, body string) *entity.Issue {
	now := s.Now()
	r.LastNumber++
	is := &entity.Issue{ID: s.State.ID("issue"), Number: r.LastNumber, Repo: r, Title: title, Body: body, User: author,
		Open:    true,
		Created: now, Updated: now}
	r.Issues[is.Number] = is
	return is
}

// maxTitle is GitHub's limit for the title of an issue or pull request, in characters.
const maxTitle = 256

// CheckThread checks the texts of an issue or pull request; nil means that a text is absent.
func CheckThread(resource string, title, body *string) error {
	switch {
	case title != nil && entity.IsBlank(*title):
		return entity.Invalid(resource, "title", "missing_field", "")
	case title != nil && utf8.RuneCountInString(*title) > maxTitle:
		return entity.Invalid(resource, "title", "custom", "title is too long (maximum is 256 characters)")
	case body != nil && utf8.RuneCountInString(*body) > entity.MaxText:
		return entity.Invalid(resource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}

// EditThread changes the title and the text of an issue or pull request, as its author or a user with write permission.
func (s Threads) EditThread(as, repo string, number int, title, body string) error {
	return s.WithIssue(repo, number, func(is *entity.Issue) error {
		u, r, err := s.Actor(as, repo, entity.RoleRead)
		switch {
		case err != nil:
			return err
		case is.User != u && !r.RoleOf(u).AtLeast(entity.RoleWrite):
			return fmt.Errorf("%s may not edit #%d", as, number)
		}
		if err := CheckThread("Issue", &title, &body); err != nil {
			return err
		}
		is.Title, is.Body = title, body
		s.Events.EmitThread("edited", is, u, entity.Object{"changes": entity.Object{}})
		return nil
	})
}

// Lock locks a conversation, or unlocks it.
func (s Threads) Lock(repo string, number int, locked bool) error {
	return s.ChangeIssue(repo, number, func(is *entity.Issue) error {
		is.Locked = locked
		action := "unlocked"
		if locked {
			action = "locked"
		}
		s.Events.EmitThread(action, is, s.AdminOf(is.Repo.Owner), nil)
		return nil
	})
}

// DeleteIssue deletes an issue. Requests for it are answered with 410.
func (s Threads) DeleteIssue(repo string, number int) error {
	return s.ChangeIssue(repo, number, func(is *entity.Issue) error {
		if is.Pull != nil {
			return errors.New("GitHub deletes no pull request")
		}
		is.Gone = true
		s.Events.EmitIssue("deleted", is, s.AdminOf(is.Repo.Owner), nil)
		return nil
	})
}
