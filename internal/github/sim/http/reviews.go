package simhttp

import (
	"net/http"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// listReviews: "The list of reviews returns in chronological order."
func listReviews(c *call) (*answer, error) {
	is, err := findPull(c)
	if err != nil {
		return nil, err
	}
	return paged(c, is.Pull.Reviews, c.form.Review)
}

func getReview(c *call) (*answer, error) {
	rv, err := findReview(c)
	if err != nil {
		return nil, err
	}
	return ok(c.form.Review(rv))
}

// createReview: "To create a pending review for a pull request, leave the event parameter blank."
func createReview(c *call) (*answer, error) {
	is, err := findPull(c)
	if err != nil {
		return nil, err
	}
	var in sim.ReviewInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	rv, err := c.DraftReview(is, c.sender(), in)
	if err != nil {
		return nil, err
	}
	c.AddReview(rv)
	if in.Event != "" {
		c.Submit(rv, entity.ReviewStates[in.Event])
	}
	return ok(c.form.Review(rv))
}

// updateReview: "Updates the contents of a specified review summary comment."
func updateReview(c *call) (*answer, error) {
	rv, err := findReview(c)
	if err != nil {
		return nil, err
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	switch {
	case rv.User != c.sender():
		return nil, notAccessible()
	case entity.IsBlank(body):
		return nil, entity.ReviewRefused("Could not edit the pull request review: body cannot be blank")
	}
	if err := rv.Check("", body); err != nil {
		return nil, err
	}
	from := rv.Body
	rv.Body = body
	if rv.State != entity.ReviewPending {
		c.Events.EmitReview("edited", rv, c.sender(), entity.Object{"body": entity.Object{"from": from}})
	}
	return ok(c.form.Review(rv))
}

// submitReview: "When you leave this blank, the API returns HTTP 422 (Unrecognizable entity)".
func submitReview(c *call) (*answer, error) {
	rv, err := findReview(c)
	if err != nil {
		return nil, err
	}
	var in struct{ Body, Event *string }
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Event == nil || *in.Event == "":
		return nil, entity.NotSupplied("event")
	case rv.State != entity.ReviewPending:
		return nil, entity.ReviewRefused("Can not submit a review that is not pending")
	}
	body := rv.Body
	entity.Set(&body, in.Body)
	if err := rv.Check(*in.Event, body); err != nil {
		return nil, err
	}
	rv.Body = body
	c.Submit(rv, entity.ReviewStates[*in.Event])
	return ok(c.form.Review(rv))
}

// listCommentsOfReview lists the comments of one review.
func listCommentsOfReview(c *call) (*answer, error) {
	rv, err := findReview(c)
	if err != nil {
		return nil, err
	}
	notes := slices.Clone(rv.Pending)
	for _, rc := range rv.Issue.Pull.Comments {
		if rc.Review == rv.ID {
			notes = append(notes, rc)
		}
	}
	return paged(c, notes, c.form.ReviewComment)
}

// deleteReview: "Deletes a pull request review that has not been submitted. Submitted reviews cannot be deleted."
func deleteReview(c *call) (*answer, error) {
	rv, err := findReview(c)
	if err != nil {
		return nil, err
	}
	if rv.State != entity.ReviewPending {
		return nil, entity.Refuse(http.StatusUnprocessableEntity, "Can not delete a non-pending pull request review")
	}
	delete(c.State.Reviews, rv.ID)
	p := rv.Issue.Pull
	p.Reviews = slices.DeleteFunc(p.Reviews, func(o *entity.Review) bool { return o == rv })
	return ok(c.form.Review(rv))
}
