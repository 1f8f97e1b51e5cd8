package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/live"
	"github.com/tenon-bot/tenon/internal/signin"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/web"
)

// newPages returns the pages on which people see runs, of which it lets the bot tell; nil if the settings have none.
func newPages(cfg config.Server, st *store.Store, b *bot.Bot, github *gh.Client, obs observation,
	log *slog.Logger) (http.Handler, error) {
	if cfg.PublicURL == "" {
		return nil, nil
	}
	users, err := gh.NewUsers(cfg.GitHubAPI, cfg.ClientID, cfg.ClientSecret.Reveal(), obs.users())
	if err != nil {
		return nil, err
	}
	sessions, err := signin.New(signin.Options{PublicURL: cfg.PublicURL, SiteURL: webOf(cfg), ClientID: cfg.ClientID,
		ClientSecret: cfg.ClientSecret.Reveal(), Operators: cfg.Operators, GitHub: users, Transport: gh.NewTransport(),
		Fault: web.Fault(log), Now: time.Now, Log: log})
	if err != nil {
		return nil, fmt.Errorf("making the pages: %w", err)
	}
	hub := live.New()
	b.Audience, b.Pages = hub, report.Pages(cfg.PublicURL)
	st.OnRunChanged(hub.Changed)
	return web.New(web.Options{Visitors: visitors{sessions}, Live: hub,
		Runs:  pageRuns{store: st, live: hub.Live, slug: github.KnownSlug, models: b.Models},
		Acts:  pageActs{eventOf: st.EventOf, submit: st.Submit, now: time.Now},
		Lists: pageLists{st}, Operations: newPageOperations(cfg, st, github, log), Now: time.Now, Log: log}), nil
}

// visitors are those who signed in with GitHub.
type visitors struct{ *signin.Sessions }

// Visitor implements web.Visitors.
func (s visitors) Visitor(w http.ResponseWriter, r *http.Request) (web.Visitor, bool) {
	v, ok := s.Sessions.Visitor(w, r)
	return web.Visitor{ID: v.ID, Login: v.Login, Operator: v.Operator}, ok
}
