package ghtest

import (
	"net/http"
	"slices"
)

// reviewOfPath returns the review in the path, of the pull request in the path.
func (c *call) reviewOfPath() (*review, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	id, err := c.number("review_id")
	if err != nil {
		return nil, err
	}
	if rv := c.state.reviews[id]; rv != nil && rv.issue == is {
		return rv, nil
	}
	return nil, notFound()
}

// listReviews: "The list of reviews returns in chronological order."
func listReviews(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	return paged(c, is.pull.reviews, c.reviewJSON)
}

func getReview(c *call) (*answer, error) {
	rv, err := c.reviewOfPath()
	if err != nil {
		return nil, err
	}
	return ok(c.reviewJSON(rv))
}

// createReview: "To create a pending review for a pull request, leave the event parameter blank."
func createReview(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	var in newReview
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	rv, err := c.draftReview(is, c.sender(), in)
	if err != nil {
		return nil, err
	}
	c.addReview(rv)
	if in.Event != "" {
		c.submit(rv, reviewStates[in.Event])
	}
	return ok(c.reviewJSON(rv))
}

// updateReview: "Updates the contents of a specified review summary comment."
func updateReview(c *call) (*answer, error) {
	rv, err := c.reviewOfPath()
	if err != nil {
		return nil, err
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	switch {
	case rv.user != c.sender():
		return nil, notAccessible()
	case isBlank(body):
		return nil, reviewRefused("Could not edit the pull request review: body cannot be blank")
	}
	if err := rv.check("", body); err != nil {
		return nil, err
	}
	from := rv.body
	rv.body = body
	if rv.state != reviewPending {
		c.emitReview("edited", rv, c.sender(), object{"body": object{"from": from}})
	}
	return ok(c.reviewJSON(rv))
}

// submitReview: "When you leave this blank, the API returns HTTP 422 (Unrecognizable entity)".
func submitReview(c *call) (*answer, error) {
	rv, err := c.reviewOfPath()
	if err != nil {
		return nil, err
	}
	var in struct{ Body, Event *string }
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Event == nil || *in.Event == "":
		return nil, notSupplied("event")
	case rv.state != reviewPending:
		return nil, reviewRefused("Can not submit a review that is not pending")
	}
	body := rv.body
	set(&body, in.Body)
	if err := rv.check(*in.Event, body); err != nil {
		return nil, err
	}
	rv.body = body
	c.submit(rv, reviewStates[*in.Event])
	return ok(c.reviewJSON(rv))
}

// listCommentsOfReview lists the comments of one review.
func listCommentsOfReview(c *call) (*answer, error) {
	rv, err := c.reviewOfPath()
	if err != nil {
		return nil, err
	}
	notes := slices.Clone(rv.pending)
	for _, rc := range rv.issue.pull.comments {
		if rc.review == rv.id {
			notes = append(notes, rc)
		}
	}
	return paged(c, notes, c.reviewCommentJSON)
}

// deleteReview: "Deletes a pull request review that has not been submitted. Submitted reviews cannot be deleted."
func deleteReview(c *call) (*answer, error) {
	rv, err := c.reviewOfPath()
	if err != nil {
		return nil, err
	}
	if rv.state != reviewPending {
		return nil, refuse(http.StatusUnprocessableEntity, "Can not delete a non-pending pull request review")
	}
	delete(c.state.reviews, rv.id)
	p := rv.issue.pull
	p.reviews = slices.DeleteFunc(p.reviews, func(o *review) bool { return o == rv })
	return ok(c.reviewJSON(rv))
}
