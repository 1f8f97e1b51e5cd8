package main

import (
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
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/redeliver"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/webhook"
)

// documentBytes is the memory for what the bot knows of the files of all repositories.
const documentBytes = 64 << 20

// app is the server with all its parts.
type app struct {
	store    *store.Store
	bot      *bot.Bot // without a name until identity has it
	identity *identity
	workers  store.Workers
	sweeper  redeliver.Sweeper
	keeper   store.Keeper
	handler  http.Handler
	log      *slog.Logger
}

// startApp is newApp as a demo.StartFunc.
func startApp(ctx context.Context, cfg config.Server, model port.Model, wrapRuns func(port.Runs) port.Runs,
	log *slog.Logger) (demo.Server, error) {
	return newApp(ctx, cfg, model, wrapRuns, log)
}

// newApp connects the parts. The bot records its runs in what wrapRuns returns for the store; nil for the store itself.
// The caller closes the app.
func newApp(ctx context.Context, cfg config.Server, model port.Model, wrapRuns func(port.Runs) port.Runs,
	log *slog.Logger) (*app, error) {
	st, err := store.Open(ctx, store.Options{Dir: cfg.DataDir, DatabaseURL: cfg.DatabaseURL.Reveal(), Log: log})
	if err != nil {
		return nil, err
	}
	a, err := connect(ctx, cfg, st, model, wrapRuns, log)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return a, nil
}

// connect connects the parts to a store.
func connect(ctx context.Context, cfg config.Server, st *store.Store, model port.Model,
	wrapRuns func(port.Runs) port.Runs, log *slog.Logger) (*app, error) {
	github, err := gh.New(gh.Options{AppID: cfg.AppID, PrivateKey: []byte(cfg.PrivateKey.Reveal()),
		APIURL: cfg.GitHubAPI, Slug: cfg.AppSlug, Pace: st.Pace(), Log: log})
	if err != nil {
		return nil, err
	}
	id, err := newIdentity(ctx, github, log)
	if err != nil {
		return nil, err
	}
	repos := gitrepo.New(gitrepo.Options{BaseURL: cfg.GitHubGit, Token: github.Token,
		Refused: github.TokenRefused, Log: log})
	var runs port.Runs = st
	if wrapRuns != nil {
		runs = wrapRuns(st)
	}
	b := &bot.Bot{
		GitHub: github, Repos: repos, Model: model, Runs: runs, Queue: st, Budget: st,
		Policy: policy.ServerPolicy(cfg.Policy), Models: modelInfos(cfg.Models),
		Owners: cfg.AllowedOwners, Documents: lexical.NewCache(documentBytes), Now: time.Now, Log: log,
	}
	workers := store.Workers{Store: st, Handler: b, Count: 8, Patience: cfg.Patience, Log: log}
	a := &app{store: st, bot: b, identity: id, workers: workers, log: log,
		sweeper: redeliver.Sweeper{GitHub: github, Queue: st, Needs: webhook.Needs, Log: log}}
	a.keeper = store.Keeper{Store: st, Events: cfg.Retention, Sources: cfg.SourceRetention,
		Forget: record.Forget, Log: log}
	secret := []byte(cfg.WebhookSecret.Reveal())
	st.OnRepositoriesChanged(b.ForgetRepositories)
	changed := func(installation int64) {
		b.RepositoriesChanged(installation)
		st.RepositoriesChanged()
	}
	hook, err := webhook.New(webhook.Options{Secret: secret, Queue: st, Slug: github.KnownSlug,
		RepositoriesChanged: changed, Uninstalled: st.Uninstalled, Log: log})
	if err != nil {
		return nil, err
	}
	a.handler = a.routes(hook)
	return a, nil
}

func (a *app) routes(hook *webhook.Handler) http.Handler {
	r := mux.NewRouter()
	hook.Routes(r)
	healthy := func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "ok") }
	r.HandleFunc("/healthz", healthy).Methods(http.MethodGet, http.MethodHead)
	r.HandleFunc("/readyz", a.ready).Methods(http.MethodGet, http.MethodHead)
	return r
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
		http.Error(w, "the store does not answer; its error is in tenon's log", http.StatusServiceUnavailable)
		return
	}
	if !a.identity.hasAnswered() {
		_, _ = fmt.Fprintln(w, "ready: deliveries are accepted, but GitHub has not answered since the start, "+
			"so commands wait until it does; its error is in tenon's log")
		return
	}
	_, _ = fmt.Fprintln(w, "ready")
}

// Serve accepts deliveries on l and handles the queue until ctx ends, then shuts down gracefully.
func (a *app) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: a.handler,
		// GitHub gives a delivery 10 seconds in all, GHES 30.
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      40 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return serveHTTP(ctx, server, l) })
	group.Go(func() error { return a.identity.run(ctx) })
	group.Go(func() error { return a.work(ctx) })
	group.Go(func() error {
		if a.identity.wait(ctx) {
			a.sweeper.Run(ctx)
		}
		return nil
	})
	group.Go(func() error { a.keeper.Run(ctx); return nil })
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
