package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/register"
	"github.com/tenon-bot/tenon/internal/store"
)

// loadOrSetUp returns the settings of a server. If there is no App, it first shows the page that registers one, until
// somebody has: then l is the listener of that page, on which the server goes on. Else l is nil. It returns errStopped
// if ctx ended before.
func loadOrSetUp(ctx context.Context, src config.Source, errOut io.Writer) (
	cfg config.Server, l net.Listener, err error) {
	cfg, registered, err := config.LoadUnregistered(src)
	if err != nil || registered {
		return cfg, nil, err
	}
	if store.Exists(cfg.DataDir) { // its App's settings got lost, and another App is no remedy
		cfg, err = config.Load(src)
		return cfg, nil, err
	}
	log := newLogger(errOut, cfg)
	files, err := filesOf(cfg)
	if err == nil {
		err = files.Check()
	}
	if err != nil {
		return cfg, nil, fmt.Errorf("there is no GitHub App yet, and one could not be saved: %w", err)
	}
	l, err = listen(ctx, cfg)
	if err != nil {
		return cfg, nil, err
	}
	if err := showSetup(ctx, cfg, files, l, log); err != nil {
		return cfg, nil, errors.Join(err, l.Close())
	}
	cfg, err = config.Load(src)
	if err != nil {
		return cfg, nil, errors.Join(err, l.Close())
	}
	return cfg, l, nil
}

// errStopped ends a server that was stopped before it was set up.
var errStopped = errors.New("stopped")

// filesOf returns where a server saves an App: in its server file, or in a new one in the data folder.
func filesOf(cfg config.Server) (register.Files, error) {
	files, err := register.FilesIn(cfg.DataDir, time.Now())
	if err == nil && cfg.File != "" {
		files.Settings, err = filepath.Abs(cfg.File)
	}
	return files, err
}

// listen listens where the settings say.
func listen(ctx context.Context, cfg config.Server) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w (is another program using it? TENON_LISTEN sets the address)", cfg.Listen,
			err)
	}
	return l, nil
}

// showSetup serves the page until an App is registered. Then l listens still.
func showSetup(ctx context.Context, cfg config.Server, files register.Files, l net.Listener, log *slog.Logger) error {
	kept := &keptListener{Listener: l}
	page, err := register.New(register.Options{
		Site: siteOf(cfg), GitHub: manifestGitHub{}, Lookup: lookup, Save: files.Save, Elsewhere: notSetUp(),
		After: "Nothing needs a restart: this server is starting with its new App.",
		Log:   log,
		Announce: func(path string) {
			log.Log(ctx, max(slog.LevelWarn, cfg.LogLevel),
				"tenon has no GitHub App yet; open this link in a browser to create one",
				"url", "http://"+browserAddress(l.Addr())+path, "valid", "1h",
				"hint", "if the browser is on another machine, put the address of this server in the place of the host")
		},
	})
	if err != nil {
		return err
	}
	log.InfoContext(ctx, "listening", "address", l.Addr().String(), "version", thisVersion(), "set_up", false)
	if err := servePage(ctx, page, kept, cfg.Connections, log); err != nil {
		return err
	}
	select {
	case <-page.Done():
	default:
		return errStopped
	}
	log.InfoContext(ctx, "the App's settings are saved", "settings", files.Settings, "private_key", files.Key)
	return kept.reopen()
}

// siteOf returns the GitHub that the settings name, or none if they name none, so that the page asks.
func siteOf(cfg config.Server) config.Site {
	site := config.Site{Web: cfg.GitHub.Web, API: cfg.GitHubAPI, Git: cfg.GitHubGit}
	switch {
	case site != cfg.GitHub: // the two URLs are set
		site.Web = site.Git
	case site.Host() == "github.com":
		return config.Site{}
	}
	return site
}

// browserAddress returns an address by which a browser on the same machine reaches a listener.
func browserAddress(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", fmt.Sprint(tcp.Port))
	}
	return addr.String()
}

// notSetUp answers requests while there is no App. The process is well: whoever looks after it must not restart it.
func notSetUp() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "ok") })
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "tenon is not set up: it has no GitHub App yet. The link to create one is in its log.",
			http.StatusServiceUnavailable)
	})
	return mux
}

// keptListener is a listener that can be closed by one server and then be used by another.
type keptListener struct {
	net.Listener
	closed atomic.Bool
}

// Accept accepts a connection until Close.
func (k *keptListener) Accept() (net.Conn, error) {
	if k.closed.Load() {
		return nil, net.ErrClosed
	}
	c, err := k.Listener.Accept()
	if err != nil && k.closed.Load() {
		return nil, net.ErrClosed
	}
	return c, err
}

// Close ends Accept. New connections wait for the next server.
func (k *keptListener) Close() error {
	k.closed.Store(true)
	return k.deadline(time.Now())
}

// reopen makes the listener below accept connections again.
func (k *keptListener) reopen() error { return k.deadline(time.Time{}) }

func (k *keptListener) deadline(t time.Time) error {
	if l, ok := k.Listener.(interface{ SetDeadline(time.Time) error }); ok {
		return l.SetDeadline(t)
	}
	return os.ErrNoDeadline
}
