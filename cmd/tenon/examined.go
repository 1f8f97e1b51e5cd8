package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tenon-bot/tenon/internal/appmanifest"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/disk"
	"github.com/tenon-bot/tenon/internal/doctor"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/llm"
	"github.com/tenon-bot/tenon/internal/signin"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/webhook"
)

// examinedBy returns what `tenon doctor` checks of the server with some settings. What is wrong with them is a result,
// and keeps nothing else from being checked that does not need them.
func examinedBy(src config.Source) doctor.Server {
	cfg, err := config.Load(src)
	server := examined(cfg)
	var wrong *config.Error
	if errors.As(err, &wrong) {
		for _, p := range wrong.Problems {
			server.Problems = append(server.Problems, doctor.Problem{Name: p.Name, Text: p.Text})
		}
	} else if err != nil {
		server.Problems = append(server.Problems, doctor.Problem{Name: "settings", Text: err.Error()})
	}
	server.Settings = "the settings are complete, from " + settingsPlace(cfg)
	for _, w := range cfg.Warnings {
		server.Warnings = append(server.Warnings, w.Name+": "+w.Text)
	}
	if cfg.AppID > 0 && cfg.PrivateKey.IsSet() {
		github, err := gh.New(githubOptions(cfg))
		switch {
		case err == nil:
			server.GitHub = github
		case strings.Contains(err.Error(), "private key"):
			server.Key = err
		default:
			server.Problems = append(server.Problems, doctor.Problem{Name: "TENON_GITHUB_API_URL", Text: err.Error()})
		}
	}
	server.Models = probes(cfg.Models)
	if opts := databaseIn(cfg); opts.Dir != "" || opts.DatabaseURL != "" {
		server.Database = func(ctx context.Context) (string, error) { return inspect(ctx, opts) }
	}
	if cfg.Listen != "" {
		server.Listen = func(ctx context.Context) (string, error) { return tryToListen(ctx, cfg.Listen) }
	}
	return server
}

// databaseIn returns where the settings say that the database is.
func databaseIn(cfg config.Server) store.Options {
	return store.Options{Dir: cfg.DataDir, DatabaseURL: cfg.DatabaseURL.Reveal()}
}

// settingsPlace says where the settings come from.
func settingsPlace(cfg config.Server) string {
	if cfg.File == "" {
		return "the environment"
	}
	return cfg.File + " and the environment"
}

// webOf returns the address of the GitHub where people sign in.
func webOf(cfg config.Server) string {
	if cfg.GitHubGit != cfg.GitHub.Git { // only the URLs of programs are set
		return cfg.GitHubGit
	}
	return cfg.GitHub.Web
}

// githubOptions returns the options of a client of its own.
func githubOptions(cfg config.Server) gh.Options {
	return gh.Options{AppID: cfg.AppID, PrivateKey: []byte(cfg.PrivateKey.Reveal()), APIURL: cfg.GitHubAPI,
		Slug: cfg.AppSlug}
}

// examined returns what is checked of a server both by `tenon doctor` and when it starts.
func examined(cfg config.Server) doctor.Server {
	manifest, _ := appmanifest.Read() // a test reads it
	server := doctor.Server{AppID: cfg.AppID, Slug: cfg.AppSlug, Owners: cfg.AllowedOwners, API: cfg.GitHubAPI,
		Git: cfg.GitHubGit, Path: webhook.Path, Manifest: manifest, Free: freeBytes, Now: time.Now}
	if cfg.PublicURL != "" && cfg.ClientID != "" && cfg.ClientSecret.IsSet() {
		server.Pages = &doctor.Pages{URL: cfg.PublicURL, Callback: cfg.PublicURL + signin.CallbackPath,
			ClientID: cfg.ClientID, Credentials: func(ctx context.Context) error {
				err := signin.TryCredentials(ctx, webOf(cfg), cfg.ClientID, cfg.ClientSecret.Reveal(), gh.NewTransport())
				if errors.Is(err, signin.ErrCredentials) {
					return doctor.ErrClientSecret
				}
				return err
			}}
	}
	if !cfg.DatabaseURL.IsSet() {
		server.Disk = existing(cfg.DataDir)
	}
	return server
}

// freeBytes returns how many bytes of the disk of a folder this user can write.
func freeBytes(dir string) (uint64, error) {
	space, err := disk.Of(dir)
	return space.Free, err
}

// existing returns a folder, or the one above in which it will be made.
func existing(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil && filepath.Dir(dir) != dir {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// probes returns a check of each model; none is an empty list, which is told.
func probes(models []config.Model) []doctor.Model {
	list := []doctor.Model{}
	for _, m := range models {
		opts := modelOptions(m, slog.New(slog.DiscardHandler))
		list = append(list, doctor.Model{Name: m.Name, Ask: func(ctx context.Context) error { return llm.Probe(ctx, opts) }})
	}
	return list
}

// inspect says what a database is that can be used.
func inspect(ctx context.Context, opts store.Options) (string, error) {
	c, err := store.Inspect(ctx, opts)
	switch {
	case err != nil:
		return "", err
	case c.Schema == 0:
		return opts.Place() + " is made when the server first starts; it can be written", nil
	case c.Schema < c.Known:
		return fmt.Sprintf("%s can be written; it has schema %d, and this program upgrades it to %d when the server starts: "+
			"make a backup before", opts.Place(), c.Schema, c.Known), nil
	}
	return opts.Place() + " can be written", nil
}

// tryToListen listens at an address for a moment, or finds out that tenon does.
func tryToListen(ctx context.Context, address string) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err == nil {
		return address + " is free: tenon serve is not running here", l.Close()
	}
	if !errors.Is(err, syscall.EADDRINUSE) {
		return "", fmt.Errorf("tenon serve cannot listen on %s: %w", address, cmp.Or(errors.Unwrap(err), err))
	}
	answer, asked := askHealth(ctx, address, "/")
	if asked == nil && strings.HasPrefix(answer, aboutLine) {
		return "tenon serve is running at " + address, nil
	}
	return "", fmt.Errorf("another program is using %s, so tenon serve cannot", address)
}
