package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/register"
)

// manifestGitHub is GitHub as package register needs it.
type manifestGitHub struct{}

// Probe implements register.GitHub.
func (manifestGitHub) Probe(ctx context.Context, site config.Site) error {
	return gh.ProbeAPI(ctx, site.API, nil)
}

// Convert implements register.GitHub.
func (manifestGitHub) Convert(ctx context.Context, site config.Site, code string) (register.App, error) {
	app, err := gh.ConvertManifest(ctx, site.API, code, nil)
	var permanent interface{ Permanent() bool }
	if errors.Is(err, port.ErrNotFound) || errors.As(err, &permanent) && permanent.Permanent() {
		return register.App{}, fmt.Errorf("%w: %w", register.ErrCode, err)
	}
	if err != nil {
		return register.App{}, err
	}
	return register.App{ID: app.ID, Slug: app.Slug, Name: app.Name, Owner: app.Owner, URL: app.URL,
		PrivateKey: config.NewSecret(app.PrivateKey), WebhookSecret: config.NewSecret(app.WebhookSecret),
		ClientID: app.ClientID, ClientSecret: config.NewSecret(app.ClientSecret)}, nil
}

// lookup is a register.Lookup by the system's resolver.
func lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}
