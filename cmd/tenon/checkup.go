package main

import (
	"context"
	"log/slog"
	"strings"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/doctor"
)

// logStart says what is started with which settings, for a person to check.
func logStart(ctx context.Context, cfg config.Server, log *slog.Logger) {
	models := make([]string, 0, len(cfg.Models))
	for _, m := range cfg.Models {
		models = append(models, m.Name)
	}
	owners := strings.Join(cfg.AllowedOwners, ", ")
	if owners == "" {
		owners = "every account that installs the App"
	}
	model := strings.Join(models, ", ")
	if model == "" {
		model = "none"
	}
	log.InfoContext(ctx, "starting", "version", thisVersion(), "settings", settingsPlace(cfg), "app_id", cfg.AppID,
		"github", cfg.GitHubAPI, "owners", owners, "model", model, "database", databaseIn(cfg).Place())
}

// examined returns what is checked of a server that has started: its settings were read, and its database is open.
func (a *app) examined(cfg config.Server) doctor.Server {
	server := examined(cfg)
	server.Starting, server.GitHub = true, a.identity.github
	server.Settings = "the settings are complete, from " + settingsPlace(cfg)
	place := databaseIn(cfg).Place()
	server.Database = func(ctx context.Context) (string, error) { return place + " can be written", a.store.Ping(ctx) }
	return server
}

// checkUp makes the checks of `tenon doctor` that concern a server that runs, and logs what is not as it should be. It
// asks no model.
func (a *app) checkUp(ctx context.Context, server doctor.Server) {
	total := tally{}
	said := map[string]string{}
	doctor.Run(ctx, server, func(r doctor.Result) {
		total[r.Status]++
		switch said[r.Check] = r.Text; r.Status {
		case doctor.Failed:
			a.log.ErrorContext(ctx, "a check failed", checked(r)...)
		case doctor.Warning:
			a.log.WarnContext(ctx, "a check warns", checked(r)...)
		}
	})
	if ctx.Err() != nil {
		return // the server stops
	}
	a.log.InfoContext(ctx, "checked the setup; `tenon doctor` checks it again", "result", total.String(),
		"app", said["app"], "installations", said["installations"], "owners", said["owners"], "webhook", said["webhook"],
		"deliveries", said["deliveries"])
}

// checked are the attributes of the log line of a result.
func checked(r doctor.Result) []any {
	list := []any{slog.String("check", r.Check), slog.String("found", r.Text)}
	if r.Remedy != "" {
		list = append(list, slog.String("remedy", r.Remedy))
	}
	if r.Link != "" {
		list = append(list, slog.String("see", r.Link))
	}
	return list
}
