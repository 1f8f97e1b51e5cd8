// Package webtest has fakes of the ports of the pages.
package webtest

import (
	"context"
	"net/http"
	"sync"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/web"
)

// Token is the form token of every visitor.
const Token = "form-token"

// Visitors knows one visitor, who may read the repositories that May has. Its fields must not change while it is used,
// except by its methods.
type Visitors struct {
	// Who is the visitor; the zero value is nobody.
	Who web.Visitor
	// May has the ids of the repositories that the visitor may read.
	May map[int64]bool
	// Fault is what GitHub answers instead.
	Fault error

	mu sync.Mutex
}

// Forbid takes away the right to read a repository.
func (v *Visitors) Forbid(id int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.May, id)
}

// Visitor implements web.Visitors.
func (v *Visitors) Visitor(http.ResponseWriter, *http.Request) (web.Visitor, bool) {
	return v.Who, v.Who != web.Visitor{}
}

// SignIn implements web.Visitors.
func (v *Visitors) SignIn(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/auth/start", http.StatusSeeOther)
}

// FormToken implements web.Visitors.
func (v *Visitors) FormToken(*http.Request) string { return Token }

// Handler implements web.Visitors.
func (v *Visitors) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.PostFormValue("csrf_token") != Token {
			http.Error(w, "the form is old; reload the page", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// MayRead implements web.Visitors.
func (v *Visitors) MayRead(_ *http.Request, repo port.RepoRef) (bool, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.May[repo.ID], v.Fault
}

// Runs are runs in memory.
type Runs struct {
	mu   sync.Mutex
	runs map[string]view.Run
}

// Put stores a run.
func (r *Runs) Put(run view.Run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.runs == nil {
		r.runs = map[string]view.Run{}
	}
	r.runs[run.ID] = run
}

// Run implements web.Runs. Of a hidden run, it leaves out all that this package's runs have of sources.
func (r *Runs) Run(_ context.Context, id string, hidden bool) (view.Run, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	run, ok := r.runs[id]
	if !ok {
		return view.Run{}, port.ErrNotFound
	}
	if hidden {
		run.Hidden, run.Request.Text = true, ""
		run.Replies, run.Blocks, run.Suggestions, run.Problems, run.Saw, run.LeftOut = nil, nil, nil, nil, nil, nil
	}
	return run, nil
}

// Repository implements web.Runs.
func (r *Runs) Repository(_ context.Context, id string) (port.RepoRef, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	run, ok := r.runs[id]
	if !ok {
		return port.RepoRef{}, port.ErrNotFound
	}
	return run.Request.Repo, nil
}

// Live follows runs by calls of Changed.
type Live struct {
	mu      sync.Mutex
	now     uint64
	changed chan struct{}
}

// Changed says that something has happened in every run.
func (l *Live) Changed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now++
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// Watch implements web.Live.
func (l *Live) Watch(ctx context.Context, _ string, after uint64) (uint64, error) {
	for {
		l.mu.Lock()
		now, changed := l.now+1, l.changed
		if changed == nil {
			changed = make(chan struct{})
			l.changed = changed
		}
		l.mu.Unlock()
		if now > after {
			return now, nil
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-changed:
		}
	}
}

// Acts records what was asked for.
type Acts struct {
	// Fault is what every act fails with.
	Fault error

	mu   sync.Mutex
	done []Act
}

// Act is what somebody asked for.
type Act struct {
	Login  string
	Run    string
	Act    view.Act
	Blocks []int
}

// Act implements web.Acts.
func (a *Acts) Act(_ context.Context, v web.Visitor, run string, act view.Act, blocks []int) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.Fault != nil {
		return "", a.Fault
	}
	a.done = append(a.done, Act{v.Login, run, act, blocks})
	return "r-new", nil
}

// Done returns what was asked for.
func (a *Acts) Done() []Act {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.done
}
