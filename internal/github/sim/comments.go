package sim

import (
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// CheckNewComment checks the rules for new comments.
func CheckNewComment(is *model.Issue, by *model.User, body string) error {
	switch {
	case is.LockedFor(by):
		return model.Refuse(http.StatusForbidden, "Unable to create comment because issue is locked.")
	case model.IsBlank(body):
		return model.Invalid("IssueComment", "data", "unprocessable", "Body cannot be blank")
	case utf8.RuneCountInString(body) > model.MaxText:
		return model.Invalid("IssueComment", "data", "unprocessable", "Body is too long (maximum is 65536 characters)")
	}
	return nil
}

func (s Threads) AddComment(is *model.Issue, by *model.User, body string) *model.Comment {
	return s.addCommentVia(is, by, "", body)
}

// addCommentVia is addComment for what another App writes on behalf of a user; "" is none.
func (s Threads) addCommentVia(is *model.Issue, by *model.User, app, body string) *model.Comment {
	now := s.Now()
	co := &model.Comment{ID: s.State.ID("comment"), Order: s.State.ID("order"), Issue: is, User: by,
		ViaApp:   by == s.App.Bot,
		OtherApp: model.OrElse(app, tokens(s).appOf(by)), Body: body,
		Created: now, Updated: now}
	is.Comments, is.Updated = append(is.Comments, co), now
	s.State.Comments[co.ID] = co
	s.Events.EmitComment("created", co, by, nil)
	return co
}

// CheckText checks the rules for an edited text.
func CheckText(resource, body string) error {
	switch {
	case model.IsBlank(body):
		return model.Invalid(resource, "body", "custom", "body cannot be blank")
	case utf8.RuneCountInString(body) > model.MaxText:
		return model.Invalid(resource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}

func (s Threads) RewriteComment(co *model.Comment, by *model.User, body string) {
	from := co.Body
	co.Body, co.Updated = body, s.Now()
	s.Events.EmitComment("edited", co, by, model.Object{"body": model.Object{"from": from}})
}

func (s Threads) DropComment(co *model.Comment, by *model.User) {
	delete(s.State.Comments, co.ID)
	co.Issue.Comments = slices.DeleteFunc(co.Issue.Comments, func(o *model.Comment) bool { return o == co })
	s.Events.EmitComment("deleted", co, by, nil)
}
