package web

import (
	"cmp"
	"net/http"
	"sync"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// maxAsked is about how many repositories GitHub is asked for one page, askedAtOnce how many at a time.
	maxAsked    = 50
	askedAtOnce = 6
)

// access is what the visitor of a request may read, as far as it was asked.
type access struct {
	p     *pages
	r     *http.Request
	v     Visitor
	asked map[int64]bool
	all   bool
}

// access returns the access of a visitor. Operators see the rows of all repositories without asking.
func (p *pages) access(r *http.Request, v Visitor) *access {
	return &access{p: p, r: r, v: v, asked: map[int64]bool{}, all: v.Operator}
}

// whole is access that asks for operators, too: for what even they see only if they may read the repository.
func (a *access) whole() *access {
	return &access{p: a.p, r: a.r, v: a.v, asked: map[int64]bool{}}
}

// ask asks for repositories that it does not know yet, as long as there are at most maxAsked in all. The name of a
// repository is that of the first that has its id. Its error is errGitHub.
func (a *access) ask(repos []port.RepoRef) error {
	if a.all {
		return nil
	}
	var ask []port.RepoRef
	for _, repo := range repos {
		if _, known := a.asked[repo.ID]; !known && len(a.asked) < maxAsked {
			a.asked[repo.ID] = false
			ask = append(ask, repo)
		}
	}
	answers, faults := make([]bool, len(ask)), make([]error, len(ask))
	var group sync.WaitGroup
	slots := make(chan struct{}, askedAtOnce)
	for i, repo := range ask {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			answers[i], faults[i] = a.p.mayRead(a.r, repo)
		})
	}
	group.Wait()
	for i, repo := range ask {
		if faults[i] != nil {
			return faults[i]
		}
		a.asked[repo.ID] = answers[i]
	}
	return nil
}

// askFor is ask for the repositories that a filter names. If there are none, GitHub is asked nevertheless, so that the
// answer does not tell whether there are.
func (a *access) askFor(f Filter, repos []port.RepoRef) error {
	if len(repos) == 0 && !a.all {
		_, err := a.p.mayRead(a.r, port.RepoRef{Owner: f.Owner, Name: cmp.Or(f.Repo, f.Owner)})
		return err
	}
	return a.ask(repos)
}

// known reports whether it was asked for a repository.
func (a *access) known(repo port.RepoRef) bool {
	_, known := a.asked[repo.ID]
	return known || a.all
}

// may reports whether the visitor may read a repository, as far as it was asked.
func (a *access) may(repo port.RepoRef) bool { return a.all || a.asked[repo.ID] }
