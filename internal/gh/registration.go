package gh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// What GitHub says of how the App is registered, set up and installed.
// https://docs.github.com/en/rest/apps

type account struct {
	Login string `json:"login"`
	Type  string `json:"type"`
}

func (a account) isOrganization() bool { return a.Type == "Organization" }

// App asks GitHub which App this is. Its errors are those of Identify.
func (c *Client) App(ctx context.Context) (port.App, error) {
	var app struct {
		ID          int64             `json:"id"`
		ClientID    string            `json:"client_id"`
		Name        string            `json:"name"`
		Slug        string            `json:"slug"`
		Owner       account           `json:"owner"`
		Permissions map[string]string `json:"permissions"`
		Events      []string          `json:"events"`
	}
	if err := call(ctx, c.asApp(), http.MethodGet, "app", nil, &app); err != nil {
		return port.App{}, waitIfUnreachable(c.explainApp(err))
	}
	return port.App{ID: app.ID, ClientID: app.ClientID, Name: app.Name, Slug: app.Slug, Owner: app.Owner.Login,
		Organization: app.Owner.isOrganization(), Permissions: app.Permissions, Events: app.Events}, nil
}

// Hook asks GitHub how the App's webhook is set up. It returns port.ErrNotFound if the App has none.
func (c *Client) Hook(ctx context.Context) (port.Hook, error) {
	var hook struct {
		URL         string          `json:"url"`
		ContentType string          `json:"content_type"`
		InsecureSSL json.RawMessage `json:"insecure_ssl"` // "0", 0, "1" or 1
		Secret      string          `json:"secret"`       // asterisks
	}
	if err := call(ctx, c.asApp(), http.MethodGet, "app/hook/config", nil, &hook); err != nil {
		return port.Hook{}, c.explain(err, "asking how the App's webhook is set up")
	}
	return port.Hook{URL: hook.URL, ContentType: hook.ContentType, HasSecret: hook.Secret != "",
		InsecureTLS: strings.Trim(string(hook.InsecureSSL), `"`) == "1"}, nil
}

// maxInstallationPages bounds the pages of installations that are read: 1,000 installations.
const maxInstallationPages = 10

// Installations lists where the App is installed. all is false if there are too many to list.
func (c *Client) Installations(ctx context.Context) (list []port.Installation, all bool, err error) {
	for page := 1; page <= maxInstallationPages; page++ {
		var got []struct {
			ID          int64             `json:"id"`
			Account     account           `json:"account"`
			Permissions map[string]string `json:"permissions"`
			SuspendedAt *time.Time        `json:"suspended_at"`
			CreatedAt   time.Time         `json:"created_at"`
		}
		path := fmt.Sprintf("app/installations?per_page=%d&page=%d", maxPageSize, page)
		if err := call(ctx, c.asApp(), http.MethodGet, path, nil, &got); err != nil {
			return nil, false, c.explain(err, "listing where the App is installed")
		}
		for _, in := range got {
			list = append(list, port.Installation{ID: in.ID, Account: in.Account.Login,
				Organization: in.Account.isOrganization(), Permissions: in.Permissions, Suspended: in.SuspendedAt != nil,
				Created: in.CreatedAt})
		}
		if len(got) < maxPageSize {
			return list, true, nil
		}
	}
	return list, false, nil
}

// Clock returns how far this machine's clock is ahead of GitHub's, negative if it is behind, to about a second. It
// needs no key. The error is a *port.AppRefusedError if what answers is not GitHub's API.
func (c *Client) Clock(ctx context.Context) (ahead time.Duration, err error) {
	const doing = "asking GitHub for the time"
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.JoinPath("meta").String(), nil)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set("Accept", "application/vnd.github+json")
	begun := c.now()
	client := http.Client{Transport: c.storage, CheckRedirect: c.redirect}
	resp, err := client.Do(req)
	if err != nil {
		return 0, waitIfUnreachable(c.explain(err, doing))
	}
	defer discard(resp)
	took := c.now().Sub(begun)
	refused := fmt.Errorf("%s: %w", doing, newStatusError(resp.StatusCode, ""))
	switch kind := resp.Header.Get("Content-Type"); {
	case resp.StatusCode >= http.StatusInternalServerError:
		return 0, refused
	case !strings.HasPrefix(kind, "application/json"):
		return 0, &port.AppRefusedError{Why: port.NotAnAPI, Err: refused}
	}
	theirs, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return 0, fmt.Errorf("%s: the answer has no time", doing)
	}
	// The time is that of the answer, without its fraction of a second.
	return begun.Add(took / 2).Sub(theirs.Add(time.Second / 2)), nil
}

// Slug returns the App's name in URLs, by which "@slug" mentions it. It requests it from GitHub once, unless it is in
// the options.
func (c *Client) Slug(ctx context.Context) (string, error) {
	if slug := c.slug.Load(); slug != nil {
		return *slug, nil
	}
	if err := c.Identify(ctx); err != nil {
		return "", err
	}
	return c.KnownSlug(), nil
}

// KnownSlug returns the App's name as far as it is known: from the options, or as GitHub has said; else "".
func (c *Client) KnownSlug() string {
	if slug := c.slug.Load(); slug != nil {
		return *slug
	}
	return ""
}

// Identify asks GitHub which App this is, whether or not its name is in the options. An error that wraps a
// *port.WaitError means that GitHub does not answer now; any other, that the App's id or key is wrong or that what
// answers is not GitHub's API. With a plain token, it asks whose that is.
func (c *Client) Identify(ctx context.Context) error {
	if c.plain != nil {
		_, err := c.Account(ctx)
		return err
	}
	app, err := c.App(ctx)
	if err != nil {
		return err
	}
	slug := app.Slug
	if slug == "" && c.slug.Load() == nil {
		return errNoSlug
	}
	if slug != "" {
		c.slug.CompareAndSwap(nil, &slug)
	}
	return nil
}

// errNoSlug is the error for an answer that does not name the App.
var errNoSlug = errors.New("asking which App this is: GitHub's answer names no slug; set TENON_APP_SLUG")

// ClockAhead returns how far this machine's clock is ahead of GitHub's, negative if it is behind, if that is so far
// that the time of requests is corrected; else 0.
func (c *Client) ClockAhead() time.Duration { return c.clock.ahead() }
