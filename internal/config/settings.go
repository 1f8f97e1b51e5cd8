package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// setting is one row of the table: the key in the server file, and how its text becomes a value. The error says what is
// wrong and what to do. It quotes a value only where that cannot be a secret put into the wrong variable.
type setting struct {
	key string
	// model marks what is needed without GitHub too.
	model bool
	// list allows a list in the file; its texts are joined with commas.
	list bool
	// policy is the setting of the policy that it sets, which can be below policy instead; empty if it is none.
	policy string
	// set is nil where the reader needs several settings at once.
	set func(s *Server, text string) error
}

var settings = []setting{
	{key: "listen", set: setListen},
	{key: "allowed_owners", list: true, set: setOwners},
	{key: "app_id", set: setAppID},
	{key: "private_key"},
	{key: "private_key_file"},
	{key: "webhook_secret", set: setWebhookSecret},
	{key: "app_slug", set: setSlug},
	{key: "github_api_url", set: func(s *Server, text string) error { return setURL(&s.GitHubAPI, text) }},
	{key: "github_git_url", set: func(s *Server, text string) error { return setURL(&s.GitHubGit, text) }},
	{key: "data_dir", set: func(s *Server, text string) error { s.DataDir = text; return nil }},
	{key: "database_url", set: setDatabase},
	{key: "patience", set: setPatience},
	{key: "model", model: true, set: setModel},
	{key: "model_base_url", model: true,
		set: func(s *Server, text string) error { return setURL(&s.Model.BaseURL, text) }},
	{key: "model_api_key", model: true, set: setModelKey},
	{key: "commits", policy: "commits", set: func(s *Server, text string) error { return setPolicy(s, "commits", text) }},
	limit("budget_user_commands", "budget.user.commands"),
	limit("budget_repository_commands", "budget.repository.commands"),
	limit("budget_repository_tokens", "budget.repository.tokens"),
	limit("budget_owner_tokens", "budget.organisation.tokens"),
	{key: "retention", set: func(s *Server, text string) error { return setDays(&s.Retention, text, minRetention) }},
	{key: "retention_sources", set: func(s *Server, text string) error { return setDays(&s.SourceRetention, text, 1) }},
	{key: "log_level", set: setLogLevel},
	{key: "log_format", set: setLogFormat},
}

func setListen(s *Server, text string) error {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf(`%q is not an address; write host:port, or :port for every interface, like ":8080"`, text)
	}
	s.Listen = text
	return nil
}

// login is GitHub's rule for the names of users, organisations and Apps; enterprise-managed users have an underscore.
var login = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9_])?$`)

func setOwners(s *Server, text string) error {
	for owner := range strings.SplitSeq(text, ",") {
		owner = strings.TrimSpace(owner)
		if owner == "" {
			continue
		}
		if !login.MatchString(owner) {
			return fmt.Errorf("%q is not a login; list the logins of users and organisations, with commas between them", owner)
		}
		s.AllowedOwners = append(s.AllowedOwners, strings.ToLower(owner))
	}
	if len(s.AllowedOwners) == 0 {
		// Commas alone must not mean "everybody".
		return errors.New("holds no login; list at least one, or leave it out to serve every installation")
	}
	return nil
}

func setAppID(s *Server, text string) error {
	id, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || id <= 0 {
		return errors.New("is not a number; it is the number called App ID on the page of your GitHub App " +
			"(not the Client ID)")
	}
	s.AppID = id
	return nil
}

func setWebhookSecret(s *Server, text string) error {
	// A file or an editor adds the line break; no page of GitHub lets one in.
	s.WebhookSecret = NewSecret(strings.TrimRight(text, "\r\n"))
	if !s.WebhookSecret.IsSet() {
		return errors.New("is empty; give it the webhook secret of your GitHub App")
	}
	return nil
}

func setSlug(s *Server, text string) error {
	slug := strings.TrimSuffix(strings.TrimPrefix(text, "@"), "[bot]")
	if !login.MatchString(slug) {
		return errors.New("is not an App's name; write it as in https://github.com/apps/NAME")
	}
	s.AppSlug = slug
	return nil
}

func setURL(to *string, text string) error {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return errors.New("is not a URL; write it with its scheme, like https://example.com/")
	case u.User != nil:
		return errors.New("holds a user name or password; take them out of the URL")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return errors.New(`has a part behind "?" or "#"; a base URL ends with its path`)
	}
	*to = strings.TrimRight(u.String(), "/") + "/"
	return nil
}

func setPatience(s *Server, text string) error {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil || d < minPatience || d > maxPatience {
		return fmt.Errorf("%q is not a time from a second to %d hours; write it like 24h or 90m", clip(text),
			int(maxPatience.Hours()))
	}
	s.Patience = d
	return nil
}

func setModel(s *Server, text string) error {
	s.Model.Name = strings.TrimSpace(text)
	if s.Model.Name == "" || strings.ContainsFunc(s.Model.Name, unicode.IsControl) {
		return errors.New("is not a model's name; write it as its provider does")
	}
	return nil
}

func setModelKey(s *Server, text string) error { return setKey(&s.Model, text) }

// setDatabase accepts a URL; whether a server is there is found out by connecting.
func setDatabase(s *Server, text string) error {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Opaque != "" {
		return errors.New("is not the URL of a PostgreSQL database; write postgres://user:password@host:port/database, " +
			"with special characters as %XX, or leave it out to use an SQLite file in TENON_DATA_DIR")
	}
	s.DatabaseURL = NewSecret(u.String())
	return nil
}

// setPolicy sets a setting of the server's policy.
func setPolicy(s *Server, name, text string) (err error) {
	s.Policy, err = s.Policy.With(name, text)
	return err
}

// limit makes the row of a limit of the server's policy.
func limit(key, name string) setting {
	return setting{key: key, policy: name, set: func(s *Server, text string) error {
		if setPolicy(s, name, strings.TrimSpace(text)) != nil {
			return fmt.Errorf("%q is not a limit; write a whole number from 1 on, like 500 or 3_000_000", clip(text))
		}
		return nil
	}}
}

// Bounds of the retention, in days. Below minRetention, the queue would take an old delivery that is sent again for a
// new one: see store.MinRetention.
const (
	minRetention = 31
	maxRetention = 10_000
)

// setDays sets a time from a number of days, as "90d".
func setDays(to *time.Duration, text string, least int) error {
	days, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(text), "d"))
	if err != nil || days < least || days > maxRetention {
		return fmt.Errorf("%q is not a time from %dd on; write a number of days, like 90d", clip(text), least)
	}
	*to = time.Duration(days) * 24 * time.Hour
	return nil
}

func setLogLevel(s *Server, text string) error {
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		if strings.EqualFold(text, level.String()) {
			s.LogLevel = level
			return nil
		}
	}
	return fmt.Errorf("%q is not a level; use debug, info, warn or error", text)
}

func setLogFormat(s *Server, text string) error {
	if text != "text" && text != "json" {
		return fmt.Errorf("%q is not a format; use text or json", text)
	}
	s.LogFormat = text
	return nil
}
