package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
)

const (
	// maxOpen is how many events that are not done are looked at for a page.
	maxOpen = 500
	// maxDeadLetters is how many dead letters a page lists, maxInstallations how many installations.
	maxDeadLetters   = 100
	maxInstallations = 200
)

// openRow is an event that is not done, as a list shows it.
type openRow struct {
	Open
	// Thread names its thread, Command is the first line of what gave the command, or what else it is.
	Thread, Command string
	// Hidden means that the visitor may not read the repository, and does not see what was written there.
	Hidden bool
	// Ago says when it was accepted, UntilText when it is tried again.
	Ago, UntilText string
}

// open returns the events that are not done of repositories that the visitor may read, at most most, and whether there
// are others.
func (p *pages) open(a *access, most int) (rows []openRow, more bool, err error) {
	list, left, err := p.Lists.Open(a.r.Context(), maxOpen)
	if err != nil {
		return nil, false, err
	}
	rows, more, err = p.openRows(a, list)
	if len(rows) > most {
		return rows[:most], true, err
	}
	return rows, more || left > 0 && a.v.Operator, err
}

// openRows returns the rows of events that the visitor may see. more means that there are so many repositories that
// GitHub was not asked for all.
func (p *pages) openRows(a *access, list []Open) (rows []openRow, more bool, err error) {
	var repos []port.RepoRef
	for _, o := range list {
		if o.Event.Repo.ID != 0 { // else this program cannot read the event
			repos = append(repos, o.Event.Repo)
		}
	}
	whole := a.whole()
	if err := whole.ask(repos); err != nil && !a.v.Operator {
		return nil, false, err
	}
	for _, o := range list {
		more = more || o.Event.Repo.ID != 0 && !whole.known(o.Event.Repo) && !a.v.Operator
		may := o.Event.Repo.ID != 0 && whole.may(o.Event.Repo)
		if !may && !a.v.Operator {
			continue
		}
		row := openRow{Open: o, Hidden: !may, Ago: ago(o.Accepted, p.Now()), UntilText: ago(o.Until, p.Now())}
		if o.Event.Thread.Number != 0 {
			row.Thread = threadName(o.Event.Thread.Number, o.Event.Thread.Pull)
		}
		row.Command = commandOf(o.Event, may)
		if !may && o.State == view.DeadLetter { // an error may quote what is not to be read; the log has it
			row.Why = ""
		}
		rows = append(rows, row)
	}
	return rows, more, nil
}

// kindWords say how a command was given that nobody wrote.
var kindWords = map[port.EventKind]string{
	port.Labeled: "a label", port.Pressed: "a button", port.Ticked: "a box was ticked", port.Autofix: "autofix",
	port.Closed: "the thread was closed", port.Following: "CI is followed", port.OnPage: "from a page",
}

// commandOf returns what an event asks for in a line. What people wrote is not in it unless it may be read.
func commandOf(ev port.Event, may bool) string {
	words := kindWords[ev.Kind]
	switch {
	case ev.Button != nil && ev.Button.Verb != "":
		return ev.Button.Verb
	case words != "":
		return words
	case !may || ev.Comment.Body == "":
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(ev.Comment.Body), "\n")
	return cut(line, 100)
}

// queuePage is the list of what is not done.
type queuePage struct {
	Rows []openRow
	// More means that the list is not complete.
	More bool
}

// queue shows what runs and what waits.
func (p *pages) queue(w http.ResponseWriter, r *http.Request, v Visitor) error {
	rows, more, err := p.open(p.access(r, v), maxOpen)
	if err != nil {
		return err
	}
	s := p.sheet(r, v, "Queue", queuePage{rows, more})
	s.Here, s.Refresh = "/queue", 15
	p.show(w, http.StatusOK, "queue.html", s)
	return nil
}

// deadLettersPage is the list of dead letters.
type deadLettersPage struct {
	Rows []openRow
	More int
	// Done says what was done, Problem why something was not.
	Done, Problem string
}

// doneWords say what was done with a dead letter.
var doneWords = map[string]string{
	"retried": "The command is tried again, with all its attempts.",
	"dropped": "The command has ended for good.",
}

// deadLetters shows the dead letters to operators.
func (p *pages) deadLetters(w http.ResponseWriter, r *http.Request, v Visitor) error {
	return p.showDeadLetters(w, r, v, http.StatusOK, "")
}

func (p *pages) showDeadLetters(w http.ResponseWriter, r *http.Request, v Visitor, status int, problem string) error {
	list, more, err := p.Operations.DeadLetters(r.Context(), maxDeadLetters)
	if err != nil {
		return err
	}
	rows, _, err := p.openRows(p.access(r, v), list)
	if err != nil {
		return err
	}
	s := p.sheet(r, v, "Dead letters", deadLettersPage{rows, more, doneWords[r.URL.Query().Get("done")], problem})
	s.Here = "/dead-letters"
	p.show(w, status, "deadletters.html", s)
	return nil
}

// retryDeadLetter lets a dead letter be tried again.
func (p *pages) retryDeadLetter(w http.ResponseWriter, r *http.Request, v Visitor) error {
	return p.afterChange(w, r, v, "retried", p.Operations.Retry(r.Context(), v, r.PathValue("delivery")))
}

// dropDeadLetter ends a dead letter.
func (p *pages) dropDeadLetter(w http.ResponseWriter, r *http.Request, v Visitor) error {
	return p.afterChange(w, r, v, "dropped", p.Operations.Drop(r.Context(), v, r.PathValue("delivery")))
}

func (p *pages) afterChange(w http.ResponseWriter, r *http.Request, v Visitor, done string, err error) error {
	var user *port.UserError
	if errors.As(err, &user) {
		return p.showDeadLetters(w, r, v, http.StatusConflict, user.Text)
	}
	if err == nil {
		http.Redirect(w, r, "/dead-letters?done="+done, http.StatusSeeOther)
	}
	return err
}

// installationsPage is the list of installations.
type installationsPage struct {
	Rows []installationRow
	More int
	// Problem is why there is no list.
	Problem string
}

// installationRow is an installation as the list shows it.
type installationRow struct {
	Installation
	Ago, BlockedText, ResetText string
}

// Good reports whether nothing is wrong.
func (i installationRow) Good() bool { return i.Problem == "" && i.Served && i.Blocked.IsZero() }

// installations shows operators where the App is installed.
func (p *pages) installations(w http.ResponseWriter, r *http.Request, v Visitor) error {
	var page installationsPage
	list, more, err := p.Operations.Installations(r.Context(), maxInstallations)
	var user *port.UserError
	if errors.As(err, &user) {
		page.Problem, err = user.Text, nil
	}
	if err != nil {
		return err
	}
	page.More = more
	for _, in := range list {
		page.Rows = append(page.Rows, installationRow{Installation: in, Ago: ago(in.Since, p.Now()),
			BlockedText: until(in.Blocked, p.Now()), ResetText: until(in.Reset, p.Now())})
	}
	s := p.sheet(r, v, "Installations", page)
	s.Here = "/installations"
	p.show(w, http.StatusOK, "installations.html", s)
	return nil
}

// until says in how much time something is; "" for what is past.
func until(t, now time.Time) string {
	if !t.After(now) {
		return ""
	}
	return took(t.Sub(now))
}

// Going reports whether an event is handled at the moment.
func (o openRow) Going() bool { return o.State == view.Running }

// threadName is what a thread is called in a list.
func threadName(number int, pull bool) string {
	if pull {
		return "pull request #" + strconv.Itoa(number)
	}
	return "issue #" + strconv.Itoa(number)
}

// ago says how long ago something was, or will be.
func ago(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	return humanize.RelTime(t, now, "ago", "from now")
}
