package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// listRoutes adds the pages with lists.
func (p *pages) listRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /runs", p.signed(p.frontList))
	mux.HandleFunc("GET /queue", p.signed(p.queue))
	mux.HandleFunc("GET /repos/{owner}/{repo}", p.signed(p.repository))
	mux.HandleFunc("GET /orgs/{owner}", p.signed(p.organisation))
	if p.Operations == nil {
		return
	}
	mux.HandleFunc("GET /dead-letters", p.operators(p.deadLetters))
	mux.HandleFunc("POST /dead-letters/{delivery}/retry", p.operators(p.retryDeadLetter))
	mux.HandleFunc("POST /dead-letters/{delivery}/drop", p.operators(p.dropDeadLetter))
	mux.HandleFunc("GET /installations", p.operators(p.installations))
}

const (
	// runsOnPage is how many runs a page lists.
	runsOnPage = 50
	// maxLooked is how many runs are looked at for a page, of which the visitor may read few.
	maxLooked = 2000
	// openOnFront is how many runs that have not ended the first page lists.
	openOnFront = 10
)

// runsPage is the list of runs.
type runsPage struct {
	Form filterForm
	// Problems are what is wrong with the filter.
	Problems []string
	Rows     []endedRow
	// Older is the link to the runs before; empty if there are none.
	Older string
	// Newest is false for the runs before others.
	Newest bool
	// Open are runs that have not ended, on the first page alone.
	Open     []openRow
	MoreOpen bool
}

// frontList is the list of runs: the first page of somebody who is signed in, and /runs.
func (p *pages) frontList(w http.ResponseWriter, r *http.Request, v Visitor) error {
	form, filter, problems := readFilter(r.URL.Query())
	page := runsPage{Form: form, Problems: problems, Newest: filter.Before == 0}
	a := p.access(r, v)
	if len(problems) == 0 {
		may, err := p.mayList(a, filter)
		if err != nil {
			return err
		}
		var list []Ended
		var older int64
		if may {
			list, older, err = p.ended(a, filter, runsOnPage)
		}
		if err != nil {
			return err
		}
		page.Rows = p.endedRows(list)
		if older != 0 {
			page.Older = form.link(older)
		}
	}
	if r.URL.Path == "/" {
		open, more, err := p.open(a, openOnFront)
		if err != nil {
			return err
		}
		page.Open, page.MoreOpen = open, more
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusBadRequest
	}
	s := p.sheet(r, v, "Runs", page)
	s.Here = "/"
	p.show(w, status, "runs.html", s)
	return nil
}

// mayList reports whether a list can have any run: not if it is of one repository that the visitor may not read, whose
// list is that of a repository that does not exist.
func (p *pages) mayList(a *access, f Filter) (bool, error) {
	if f.Repo == "" || a.all {
		return true, nil
	}
	repos, err := p.Lists.Repositories(a.r.Context(), Filter{Owner: f.Owner, Repo: f.Repo}, maxRepositories)
	if err == nil {
		err = a.askFor(f, repos)
	}
	return slices.ContainsFunc(repos, a.may), err
}

// filterForm is a filter as somebody wrote it.
type filterForm struct {
	Repo, Owner, Person, Outcome string
	Outcomes                     []port.EndOutcome
}

// IsSet reports whether the filter selects anything.
func (f filterForm) IsSet() bool { return f.Repo+f.Owner+f.Person+f.Outcome != "" }

// Newest returns the path of the newest runs that fit.
func (f filterForm) Newest() string { return f.link(0) }

// link returns the path of the runs that fit, before a place.
func (f filterForm) link(before int64) string {
	q := url.Values{}
	for name, value := range map[string]string{"repo": f.Repo, "owner": f.Owner, "person": f.Person,
		"outcome": f.Outcome} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if before != 0 {
		q.Set("before", strconv.FormatInt(before, 10))
	}
	return "/runs?" + q.Encode()
}

// maxFilter bounds a text of a filter, in bytes: no name on GitHub is longer.
const maxFilter = 150

// readFilter reads a filter from a query, and says what is wrong with it.
func readFilter(q url.Values) (form filterForm, f Filter, problems []string) {
	text := func(name string) string {
		value := strings.TrimSpace(q.Get(name))
		if len(value) > maxFilter {
			problems = append(problems, "No name is as long as that of the filter "+name+".")
			return cut(value, maxFilter)
		}
		return value
	}
	form = filterForm{Repo: text("repo"), Owner: text("owner"), Person: text("person"), Outcome: text("outcome"),
		Outcomes: port.EndOutcomes()}
	f = Filter{Owner: form.Owner, Person: strings.TrimPrefix(form.Person, "@"), Outcome: port.EndOutcome(form.Outcome)}
	if form.Repo != "" {
		owner, name, ok := strings.Cut(form.Repo, "/")
		switch {
		case !ok || owner == "" || name == "" || strings.Contains(name, "/"):
			problems = append(problems, "Write the repository as owner/name, such as acme/lathe.")
		case form.Owner != "" && !strings.EqualFold(form.Owner, owner):
			problems = append(problems, "The repository is none of the owner "+short(form.Owner)+".")
		}
		f.Owner, f.Repo = owner, name
	}
	if f.Outcome != "" && !slices.Contains(form.Outcomes, f.Outcome) {
		problems = append(problems, "There is no such outcome; choose one of the list.")
	}
	if before := q.Get("before"); before != "" {
		n, err := strconv.ParseInt(before, 10, 64)
		if f.Before = n; err != nil || n < 1 {
			problems = append(problems, "There is no such page of the list; begin with the newest runs.")
		}
	}
	return form, f, problems
}

// ended returns the runs that fit and that the visitor may see, at most most. older is where the list goes on, 0 if it
// ends there.
func (p *pages) ended(a *access, f Filter, most int) (list []Ended, older int64, err error) {
	const batch = 100
	for looked := 0; looked < maxLooked; looked += batch {
		found, err := p.Lists.Ended(a.r.Context(), f, batch)
		if err != nil {
			return nil, 0, err
		}
		var repos []port.RepoRef
		for _, e := range found {
			repos = append(repos, repoOf(e.Ended))
		}
		if err := a.ask(repos); err != nil {
			return nil, 0, err
		}
		for i, e := range found {
			switch {
			case !a.known(repos[i]):
				return list, e.Seq + 1, nil // the next page begins with it
			case !a.may(repos[i]) && !a.v.Operator:
			case len(list) == most:
				return list, list[most-1].Seq, nil
			default:
				list = append(list, e)
			}
			f.Before = e.Seq
		}
		if len(found) < batch {
			return list, 0, nil
		}
	}
	return list, f.Before, nil
}

// repoOf returns the repository of a run.
func repoOf(e port.Ended) port.RepoRef {
	return port.RepoRef{Installation: e.Installation, ID: e.Repository, Owner: e.Owner, Name: e.Repo}
}

// endedRow is a run that has ended, as a list shows it.
type endedRow struct {
	port.Ended
	Thread, Ago, Took, Edits, Cost, Reason string
	// Commit is the beginning of the SHA of its commit.
	Commit string
}

func (p *pages) endedRows(list []Ended) (rows []endedRow) {
	for _, e := range list {
		row := endedRow{Ended: e.Ended, Thread: threadName(e.Thread, e.Pull), Ago: ago(e.At, p.Now()), Cost: costOf(e.Models),
			Reason: reasonWords[e.Reason]}
		if t := e.Took(); t > 0 {
			row.Took = took(t)
		}
		var edits []string
		for _, outcome := range []string{"applied", "failed", "skipped"} {
			n := 0
			for _, c := range e.Edits {
				if c.Outcome == outcome {
					n += c.Count
				}
			}
			if n > 0 {
				edits = append(edits, strconv.Itoa(n)+" "+outcome)
			}
		}
		row.Edits = strings.Join(edits, " · ")
		for _, c := range e.Commits {
			if !c.Test {
				row.Commit = c.SHA[:min(len(c.SHA), 7)]
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// costOf is the cost of calls; "" if there were none.
func costOf(used []port.ModelUse) string {
	nanos, unpriced := port.CostOf(used)
	switch {
	case len(used) == 0:
		return ""
	case unpriced && nanos == 0:
		return "not known"
	case unpriced:
		return "over " + usd(nanos)
	}
	return usd(nanos)
}
