package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/demo"
	"github.com/tenon-bot/tenon/internal/live"
	"github.com/tenon-bot/tenon/internal/web"
)

// localPages are the pages of the runs of an app, for whoever runs the program.
type localPages struct {
	*web.Local
	server *http.Server
	ended  chan error
	browse bool

	opened chan struct{}
	open   sync.Once
}

// serveLocally returns a function that serves the pages of a server on a free port of this machine. browse says whether
// to open them in a browser.
func serveLocally(browse bool) demo.OpenFunc {
	return func(ctx context.Context, server demo.Server) (demo.Pages, error) {
		a, ok := server.(*app)
		if !ok {
			return nil, fmt.Errorf("%T has no pages", server)
		}
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("serving the page: %w", err)
		}
		hub := live.New()
		a.bot.Audience = hub
		p := &localPages{Local: web.NewLocal(l.Addr().String(), web.Visitor{}), browse: browse,
			ended: make(chan error, 1), opened: make(chan struct{})}
		pages := web.New(web.Options{Visitors: p, Live: hub, Now: time.Now, Log: a.log,
			Runs: unlinked{pageRuns{store: a.store, live: hub.Live, slug: a.identity.github.KnownSlug, models: a.bot.Models}},
			Acts: pageActs{eventOf: a.store.EventOf, submit: a.store.Submit, now: time.Now}})
		p.server = &http.Server{Handler: pages, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
			WriteTimeout: 40 * time.Second, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn)}
		go func() { p.ended <- p.server.Serve(l) }()
		return p, nil
	}
}

// Visitor implements web.Visitors.
func (p *localPages) Visitor(w http.ResponseWriter, r *http.Request) (web.Visitor, bool) {
	v, ok := p.Local.Visitor(w, r)
	if ok {
		p.open.Do(func() { close(p.opened) })
	}
	return v, ok
}

// Opened implements demo.Pages.
func (p *localPages) Opened() <-chan struct{} { return p.opened }

// Show implements demo.Pages.
func (p *localPages) Show(ctx context.Context, run string) string {
	address := p.Address("/runs/" + run)
	if p.browse {
		browse(ctx, address)
	}
	return address
}

// Close implements demo.Pages. Streams to open pages end.
func (p *localPages) Close() error {
	err := p.server.Close()
	if ended := <-p.ended; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}

// browsers are the programs that open an address in the browser, by operating system.
var browsers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
	"linux":   {"xdg-open"}, "freebsd": {"xdg-open"}, "openbsd": {"xdg-open"}, "netbsd": {"xdg-open"},
}

// browse opens an address in the browser, if there is a program that does. Whether it worked is seen there.
func browse(ctx context.Context, address string) {
	with := browsers[runtime.GOOS]
	if len(with) == 0 {
		return
	}
	opener := exec.CommandContext(ctx, with[0], append(with[1:len(with):len(with)], address)...)
	if opener.Start() == nil {
		go func() { _ = opener.Wait() }()
	}
}

// unlinked are runs without links to GitHub, for a stand-in that has no pages.
type unlinked struct{ web.Runs }

// Run implements web.Runs.
func (u unlinked) Run(ctx context.Context, id string, hidden bool) (view.Run, error) {
	r, err := u.Runs.Run(ctx, id, hidden)
	if err != nil {
		return r, err
	}
	r.Request.URL, r.Request.AnswerURL, r.Request.Thread.URL = "", "", ""
	if r.Commit != nil {
		without := *r.Commit
		without.URL = ""
		r.Commit = &without
	}
	for i := range r.Blocks {
		r.Blocks[i].FileURL, r.Blocks[i].LineURL = "", ""
	}
	return r, nil
}
