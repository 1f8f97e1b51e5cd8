package entity

import (
	"net/http"
	"time"
	"unicode/utf8"
)

// Review is a review of a pull request.
type Review struct {
	ID, Order int64 // Order is that among all that is said
	Issue     *Issue
	User      *User
	Body      string
	State     string // "PENDING" until it is submitted, then one of ReviewStates
	Commit    string
	Submitted time.Time
	Pending   []*ReviewComment // its comments until it is submitted
	Reactions []*Reaction
}

// ReviewPending is the state of a review that was not submitted. Its author alone sees it.
const ReviewPending = "PENDING"

// ReviewStates are the states of a review by its event.
var ReviewStates = map[string]string{"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED",
	"COMMENT": "COMMENTED"}

// Check returns an error unless the review may be submitted with an event ("" leaves it pending) and a
// body. "body: Required when using REQUEST_CHANGES or COMMENT for the event parameter."
func (rv *Review) Check(event, body string) error {
	own := rv.Issue.User == rv.User
	switch {
	case event != "" && ReviewStates[event] == "":
		return ReviewRefused("Variable $event of type PullRequestReviewEvent was provided invalid value")
	case utf8.RuneCountInString(body) > MaxText:
		return ReviewRefused("Body is too long (maximum is 65536 characters)")
	case event == "APPROVE" && own:
		return ReviewRefused("Can not approve your own pull request")
	case event == "REQUEST_CHANGES" && own:
		return ReviewRefused("Can not request changes on your own pull request")
	case event == "COMMENT" && IsBlank(body):
		return ReviewRefused("Could not comment pull request review.")
	case event == "REQUEST_CHANGES" && IsBlank(body):
		return ReviewRefused("Could not request changes for pull request review.")
	}
	return nil
}

// ReviewRefused returns the 422 of reviews, whose errors are strings.
func ReviewRefused(why string) *APIError {
	return &APIError{Status: http.StatusUnprocessableEntity, Message: "Unprocessable Entity", Errors: []any{why}}
}
