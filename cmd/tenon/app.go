package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/gorilla/mux"
	"golang.org/x/sync/errgroup"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/demo"
	"github.com/tenon-bot/tenon/internal/door"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/redeliver"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/webhook"
)

// keptPart is the part of the commands in progress that is kept for installations that have begun none for a while. Of
// fewer than 16, none is kept: with two, one installation would have only one.
const keptPart = 16

// noticeAfter is how long a command is queued before its notice, and sweepAfter how long after a refusal tenon asks for
// the delivery again; 0 for the defaults. Tests wait for both.
var noticeAfter, sweepAfter time.Duration

// app is the server with all its parts.
type app struct {
	// observation is how operators look into it.
	observation observation

	store    *store.Store
	bot      *bot.Bot // without a name until identity has it
	identity *identity
	workers  store.Workers
	sweeper  redeliver.Sweeper
	keeper   store.Keeper
	repos    *gitrepo.Repos
	handler  http.Handler
	log      *slog.Logger
	// admin is the listener for operators, nil if there is none.
	admin *admin
	// connections is how many connections are open at most.
	connections int
	// examine checks the setup when GitHub has answered; nil for no check.
	examine func(context.Context)
}

// startApp is newApp as a demo.StartFunc.
func startApp(ctx context.Context, cfg config.Server, model port.Model, wrapRuns func(port.Runs) port.Runs,
	log *slog.Logger) (demo.Server, error) {
	return newApp(ctx, cfg, model, wrapRuns, newObservation().bounded(cfg), log)
}

// newApp connects the parts. The bot records its runs in what wrapRuns returns for the store; nil for the store itself.
// The caller closes the app.
func newApp(ctx context.Context, cfg config.Server, model port.Model, wrapRuns func(port.Runs) port.Runs,
	obs observation, log *slog.Logger) (*app, error) {
	st, err := store.Open(ctx, store.Options{Dir: cfg.DataDir, DatabaseURL: cfg.DatabaseURL.Reveal(), Log: log,
		Limits:       store.Limits{Sender: cfg.SenderCommands, Installation: cfg.InstallationCommands},
		ServerTokens: cfg.ServerTokens, Follow: max(cfg.Patience, store.DefaultPatience),
		Failed: obs.metrics.Failed, Ended: obs.metrics.Ended})
	if err != nil {
		return nil, err
	}
	a, err := connect(ctx, cfg, st, model, wrapRuns, obs, log)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return a, nil
}

// connect connects the parts to a store.
func connect(ctx context.Context, cfg config.Server, st *store.Store, model port.Model,
	wrapRuns func(port.Runs) port.Runs, obs observation, log *slog.Logger) (*app, error) {
	github, err := gh.New(gh.Options{AppID: cfg.AppID, PrivateKey: []byte(cfg.PrivateKey.Reveal()),
		APIURL: cfg.GitHubAPI, Slug: cfg.AppSlug, Transport: obs.github(cfg.GitHubAPI), Pace: st.Pace(), Log: log})
	if err != nil {
		return nil, err
	}
	id, err := newIdentity(ctx, github, log)
	if err != nil {
		return nil, err
	}
	cache := cacheOf(cfg)
	repos := gitrepo.New(gitrepo.Options{BaseURL: cfg.GitHubGit, Token: github.Token,
		Refused: github.TokenRefused, HTTP: obs.git(), CacheBytes: cache.git,
		CacheDir: cacheFolder(ctx, cfg, log), Admit: newAdmission(), Log: log})
	var runs port.Runs = st
	if wrapRuns != nil {
		runs = wrapRuns(st)
	}
	b := &bot.Bot{
		GitHub: github, Repos: repos, Model: model, Runs: runs, Queue: st, Budget: obs.metrics.Budget(st), Watches: st,
		Audit: st, Formats: st,
		Policy: policy.ServerPolicy(cfg.Policy), Models: modelInfos(cfg.Models), Load: obs.schedule.Load,
		Owners: cfg.AllowedOwners, Documents: lexical.NewCache(cache.documents), Now: time.Now, Log: log,
		Admit: newAdmission().ofCheckouts(),
	}
	workers := store.Workers{Store: st, Handler: observedBot{b, obs}, Count: cfg.Runs,
		Kept: cfg.Runs / keptPart, NoticeAfter: noticeAfter, Patience: cfg.Patience, Hold: id.hold, Log: log}
	refused := make(chan struct{}, 1)
	a := &app{observation: obs, store: st, repos: repos, bot: b, identity: id, workers: workers, log: log,
		connections: cfg.Connections,
		sweeper: redeliver.Sweeper{GitHub: github, Queue: st, Needs: webhook.Needs, Reports: webhook.Reports,
			Refused: refused, Soon: sweepAfter, Log: log}}
	a.keeper = store.Keeper{Store: st, Events: cfg.Retention, Sources: cfg.SourceRetention, Audit: cfg.AuditRetention,
		Forget: record.Forget, Log: log}
	secret := []byte(cfg.WebhookSecret.Reveal())
	st.Describe(bot.Describe(github.KnownSlug, b.Models))
	st.OnRepositoriesChanged(b.ForgetRepositories)
	changed := func(installation int64) {
		repos.Forget(installation)
		b.RepositoriesChanged(installation)
		st.RepositoriesChanged()
	}
	uninstalled := func(ctx context.Context, installation int64) error {
		repos.Forget(installation)
		return st.Uninstalled(ctx, installation)
	}
	hook, err := webhook.New(webhook.Options{Secret: secret, Queue: st, Slug: github.KnownSlug,
		RepositoriesChanged: changed, Uninstalled: uninstalled, Reported: st.Reported, Trust: door.Trust,
		Refused: func() { notify(refused) }, Observe: obs.deliveries, Log: log})
	if err != nil {
		return nil, err
	}
	pages, err := newPages(cfg, st, b, github, obs, log)
	if err != nil {
		return nil, err
	}
	a.handler = a.routes(hook, pages)
	obs.watch(st, cfg)
	return a, nil
}

// notify puts a value into a channel that has room for one, unless there is one.
func notify(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// routes returns the handler of all requests; pages is nil if there are none.
func (a *app) routes(hook *webhook.Handler, pages http.Handler) http.Handler {
	r := mux.NewRouter()
	hook.Routes(r)
	a.health(r)
	if pages != nil {
		r.Path("/").Headers("Accept", "text/plain").HandlerFunc(about)
		r.MatcherFunc(isForPages).Handler(pages)
		return r
	}
	r.HandleFunc("/", about).Methods(http.MethodGet, http.MethodHead)
	return r
}

// isForPages reports whether a request may be for a page. The handler of the webhook says what is wrong with deliveries
// to another path, and with what is no delivery to its own.
func isForPages(r *http.Request, _ *mux.RouteMatch) bool {
	return r.Header.Get("X-GitHub-Event") == "" && r.URL.Path != webhook.Path
}

// health adds what tells whether the server works.
func (a *app) health(r *mux.Router) {
	healthy := func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "ok") }
	r.HandleFunc("/healthz", healthy).Methods(http.MethodGet, http.MethodHead)
	r.HandleFunc("/readyz", a.ready).Methods(http.MethodGet, http.MethodHead)
}

// Close closes the store.
func (a *app) Close() error { return a.store.Close() }

// Idle reports whether no event is ready or leased.
func (a *app) Idle(ctx context.Context) (bool, error) {
	stats, err := a.store.Stats(ctx)
	return stats.Ready+stats.Leased == 0, err
}

// ready reports whether deliveries can be accepted, which is whether the store accepts them.
func (a *app) ready(w http.ResponseWriter, r *http.Request) {
	if err := a.store.Ping(r.Context()); err != nil {
		a.log.ErrorContext(r.Context(), "not ready", "error", err)
		why := cmp.Or(store.Advice(err), "deliveries cannot be stored")
		http.Error(w, "not ready: "+why+"; the error is in tenon's log", http.StatusServiceUnavailable)
		return
	}
	if remark := a.identity.remark(); remark != "" {
		_, _ = fmt.Fprintln(w, "ready: "+remark)
		return
	}
	_, _ = fmt.Fprintln(w, "ready")
}

// Serve accepts deliveries on l and handles the queue until ctx ends, then shuts down gracefully.
func (a *app) Serve(ctx context.Context, l net.Listener) error {
	limited := door.New(l, a.connections, a.log)
	server := &http.Server{
		Handler:     a.handler,
		ConnState:   limited.ConnState,
		ConnContext: limited.ConnContext,
		// GitHub gives a delivery 10 seconds in all, GHES 30.
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      40 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    door.MaxHeader,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return serveHTTP(ctx, server, limited) })
	group.Go(func() error { return a.admin.serve(ctx) })
	group.Go(func() error { return a.identity.run(ctx) })
	group.Go(func() error { a.identity.watch(ctx); return nil })
	group.Go(func() error {
		if a.examine != nil && a.identity.wait(ctx) {
			a.examine(ctx)
		}
		return nil
	})
	group.Go(func() error { return a.work(ctx) })
	group.Go(func() error {
		if a.identity.wait(ctx) {
			a.sweeper.Run(ctx)
		}
		return nil
	})
	group.Go(func() error { a.keeper.Run(ctx); return nil })
	group.Go(func() error { a.repos.Keep(ctx); return nil })
	return group.Wait()
}

// work handles the queue until ctx ends. It begins when the App's name is known, without which no mention of it is.
func (a *app) work(ctx context.Context) error {
	if !a.identity.waitForName(ctx) {
		return nil
	}
	a.bot.Slug = a.identity.github.KnownSlug()
	return a.workers.Run(ctx)
}
