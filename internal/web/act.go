package web

import (
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
)

// maxChosen bounds the blocks that a form chooses.
const maxChosen = 500

// act carries out what a button of a run's page asks for, and shows the run that does it. Whether the visitor may do it
// is checked where every command is.
func (p *pages) act(w http.ResponseWriter, r *http.Request, v Visitor) error {
	act := view.Act(r.PathValue("act"))
	if !slices.Contains([]view.Act{view.ActUndo, view.ActRetry, view.ActApply, view.ActCancel}, act) {
		return port.ErrNotFound
	}
	id := r.PathValue("id")
	hidden, err := p.hides(r, v, id)
	if err != nil {
		return err
	}
	if hidden { // an operator sees that there is a run, and no more
		return port.ErrNotFound
	}
	if err := r.ParseForm(); err != nil {
		return badRequest("The form could not be read. Go back, reload the page, and try again.")
	}
	var blocks []int
	if act == view.ActApply {
		if blocks, err = chosen(r.PostForm["block"]); err != nil {
			return err
		}
	}
	made, err := p.Acts.Act(r.Context(), v, id, act, blocks)
	if err != nil {
		return err
	}
	to := "/runs/" + id
	if act != view.ActCancel && made != "" {
		to = "/runs/" + made
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// chosen returns the numbers of the blocks that a form chose.
func chosen(fields []string) ([]int, error) {
	if len(fields) == 0 {
		return nil, badRequest("No block was chosen. Go back, and choose the blocks to apply by the boxes beside them.")
	}
	if len(fields) > maxChosen {
		return nil, badRequest("Too many blocks were chosen. At most " + strconv.Itoa(maxChosen) + " can be applied at once.")
	}
	blocks := make([]int, len(fields))
	for i, field := range fields {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return nil, badRequest("A block was chosen that does not exist. Go back, reload the page, and try again.")
		}
		blocks[i] = n
	}
	slices.Sort(blocks)
	return slices.Compact(blocks), nil
}

// badRequest is an error that a visitor made, as a sentence that says what to do.
type badRequest string

// Error returns the sentence.
func (b badRequest) Error() string { return string(b) }

// refusal returns the sentence of an error that a visitor can do something about.
func refusal(err error) (string, bool) {
	var bad badRequest
	if errors.As(err, &bad) {
		return string(bad), true
	}
	var user *port.UserError
	if errors.As(err, &user) {
		return user.Error(), true
	}
	return "", false
}

// hides reports whether a visitor sees a run without its sources. port.ErrNotFound if they do not see it at all.
func (p *pages) hides(r *http.Request, v Visitor, id string) (bool, error) {
	if len(id) > maxID {
		return false, port.ErrNotFound
	}
	repo, err := p.Runs.Repository(r.Context(), id)
	if err != nil {
		return false, err
	}
	may, err := p.mayRead(r, repo)
	if err != nil {
		return false, err
	}
	if !may && !v.Operator {
		return false, port.ErrNotFound
	}
	return !may, nil
}
