package sim

import (
	"fmt"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Comment comments on an issue or pull request as a user. It returns the comment's id after the response to the
// delivery.
func (s Threads) Comment(as, repo string, number int, body string) (int64, error) {
	return s.CommentVia(as, "", repo, number, body)
}

// CommentVia is Comment for what an App with that slug writes on behalf of the user.
func (s Threads) CommentVia(as, app, repo string, number int, body string) (int64, error) {
	id, err := s.comment(as, app, repo, number, body)
	if err == nil {
		s.Events.WaitFor("issue_comment", id)
	}
	return id, err
}

func (s Threads) comment(as, app, repo string, number int, body string) (int64, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u, _, err := s.Actor(as, repo, entity.RoleRead)
	if err != nil {
		return 0, err
	}
	is, err := s.State.Issue(repo, number)
	if err != nil {
		return 0, err
	}
	if err := CheckNewComment(is, u, body); err != nil {
		return 0, err
	}
	return s.addCommentVia(is, u, app, body).ID, nil
}

// EditComment edits a comment of a conversation as its author, or as a user with write permission.
func (s Threads) EditComment(as string, id int64, body string) error {
	err := s.withComment(as, id, func(co *entity.Comment, u *entity.User) error {
		if err := CheckText("IssueComment", body); err != nil {
			return err
		}
		s.RewriteComment(co, u, body)
		return nil
	})
	if err == nil {
		s.Events.WaitFor("issue_comment", id)
	}
	return err
}

// DeleteComment deletes a comment of a conversation as its author, or as a user with write permission.
func (s Threads) DeleteComment(as string, id int64) error {
	err := s.withComment(as, id, func(co *entity.Comment, u *entity.User) error {
		s.DropComment(co, u)
		return nil
	})
	if err == nil {
		s.Events.WaitFor("issue_comment", id)
	}
	return err
}

// withComment calls do with a comment and the user, who must be its author or have write permission.
func (s Threads) withComment(as string, id int64, do func(*entity.Comment, *entity.User) error) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	co := s.State.Comments[id]
	if co == nil {
		return fmt.Errorf("no comment %d", id)
	}
	u, r, err := s.Actor(as, co.Issue.Repo.FullName(), entity.RoleRead)
	if err != nil {
		return err
	}
	if co.User != u && !r.RoleOf(u).AtLeast(entity.RoleWrite) {
		return fmt.Errorf("%s may not change the comment of %s", as, co.User.Login)
	}
	return do(co, u)
}

// CheckNewComment returns GitHub's refusal of a new comment, or nil.
func CheckNewComment(is *entity.Issue, author *entity.User, body string) error {
	switch {
	case is.LockedFor(author):
		return entity.Refuse(http.StatusForbidden, "Unable to create comment because issue is locked.")
	case entity.IsBlank(body):
		return entity.Invalid("IssueComment", "data", "unprocessable", "Body cannot be blank")
	case utf8.RuneCountInString(body) > entity.MaxText:
		return entity.Invalid("IssueComment", "data", "unprocessable", "Body is too long (maximum is 65536 characters)")
	}
	return nil
}

// AddComment adds a comment to a conversation.
func (s Threads) AddComment(is *entity.Issue, author *entity.User, body string) *entity.Comment {
	return s.addCommentVia(is, author, "", body)
}

// addCommentVia is AddComment for what another App writes on behalf of a user; "" is none.
func (s Threads) addCommentVia(is *entity.Issue, author *entity.User, app, body string) *entity.Comment {
	now := s.Now()
	co := &entity.Comment{ID: s.State.ID("comment"), Order: s.State.ID("order"), Issue: is, User: author,
		ViaApp:   author == s.App.Bot,
		OtherApp: entity.OrElse(app, appOf(author)), Body: body,
		Created: now, Updated: now}
	is.Comments, is.Updated = append(is.Comments, co), now
	s.State.Comments[co.ID] = co
	s.Events.EmitComment("created", co, author, nil)
	return co
}

// CheckText returns GitHub's refusal of the new text of a resource, or nil.
func CheckText(resource, body string) error {
	switch {
	case entity.IsBlank(body):
		return entity.Invalid(resource, "body", "custom", "body cannot be blank")
	case utf8.RuneCountInString(body) > entity.MaxText:
		return entity.Invalid(resource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}

// RewriteComment replaces the body of a comment.
func (s Threads) RewriteComment(co *entity.Comment, actor *entity.User, body string) {
	from := co.Body
	co.Body, co.Updated = body, s.Now()
	s.Events.EmitComment("edited", co, actor, entity.Object{"body": entity.Object{"from": from}})
}

// DropComment deletes a comment.
func (s Threads) DropComment(co *entity.Comment, actor *entity.User) {
	delete(s.State.Comments, co.ID)
	co.Issue.Comments = slices.DeleteFunc(co.Issue.Comments, func(o *entity.Comment) bool { return o == co })
	s.Events.EmitComment("deleted", co, actor, nil)
}
