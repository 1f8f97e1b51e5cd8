package web

import (
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// maxRepositories is how many repositories of an owner are looked for, maxListed how many a page lists.
	maxRepositories = 200
	maxListed       = 100
	// recentRuns is how many runs a page of a repository or an owner lists.
	recentRuns = 10
)

// ranges are the times, in days, of which there are figures.
var ranges = []int{30, 90, 365}

// figuresPage is the page of a repository or an owner.
type figuresPage struct {
	Owner, Repo string
	// Path is that of the page, Days its time, Ranges are all.
	Path   string
	Days   int
	Ranges []int
	// Figures are of the repositories that the visitor may see.
	Figures *figures
	Charts  []template.HTML
	// Repositories are the first of those of an owner.
	Repositories []*repositoryRow
	// Left means that there are repositories that were not asked for.
	Left   bool
	Recent []endedRow
	More   string
}

// repository shows what tenon did in a repository.
func (p *pages) repository(w http.ResponseWriter, r *http.Request, v Visitor) error {
	return p.showFigures(w, r, v, Filter{Owner: r.PathValue("owner"), Repo: r.PathValue("repo")})
}

// organisation shows what tenon did in the repositories of an owner, which may be a person.
func (p *pages) organisation(w http.ResponseWriter, r *http.Request, v Visitor) error {
	return p.showFigures(w, r, v, Filter{Owner: r.PathValue("owner")})
}

func (p *pages) showFigures(w http.ResponseWriter, r *http.Request, v Visitor, f Filter) error {
	repos, err := p.Lists.Repositories(r.Context(), f, maxRepositories)
	if err != nil {
		return err
	}
	a := p.access(r, v)
	if err := a.askFor(f, repos); err != nil {
		return err
	}
	left := slices.ContainsFunc(repos, func(repo port.RepoRef) bool { return !a.known(repo) })
	repos = slices.DeleteFunc(repos, func(repo port.RepoRef) bool { return !a.may(repo) })
	if len(repos) == 0 {
		return port.ErrNotFound
	}
	page := figuresPage{Owner: repos[0].Owner, Path: r.URL.EscapedPath(), Days: ranges[0], Ranges: ranges, Left: left}
	if f.Repo != "" {
		page.Repo = repos[0].Name
	}
	if days, err := strconv.Atoi(r.URL.Query().Get("days")); err == nil && slices.Contains(ranges, days) {
		page.Days = days
	}
	page.Figures = newFigures(p.Now(), page.Days)
	err = p.Lists.Each(r.Context(), f, page.Figures.begin, func(e port.Ended) error {
		if a.may(repoOf(e)) { // a name can have been that of another repository
			page.Figures.add(e)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if page.Charts, err = page.Figures.charts(); err != nil {
		return err
	}
	if page.Repo == "" {
		page.Repositories = page.Figures.Repositories()
		page.Repositories = page.Repositories[:min(len(page.Repositories), maxListed)]
	}
	list, older, err := p.ended(a, f, recentRuns)
	if err != nil {
		return err
	}
	page.Recent = p.endedRows(list)
	if older != 0 {
		form := filterForm{Owner: page.Owner}
		if page.Repo != "" {
			form = filterForm{Repo: page.Owner + "/" + page.Repo}
		}
		page.More = form.link(0)
	}
	title := page.Owner
	if page.Repo != "" {
		title += "/" + page.Repo
	}
	p.show(w, http.StatusOK, "figures.html", p.sheet(r, v, title, page))
	return nil
}
