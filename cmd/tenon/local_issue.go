package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/gh"
)

// localIssue is an issue that a task is about.
type localIssue struct {
	Repo   port.RepoRef
	Number int
	Title  string
	Body   string
	Author port.User
}

// issuePlace is where an issue is.
type issuePlace struct {
	host, owner, name string
	number            int
}

var (
	issueNumber = regexp.MustCompile(`^#?([1-9][0-9]{0,8})$`)
	issueShort  = regexp.MustCompile(`^([A-Za-z0-9-]{1,39})/([A-Za-z0-9._-]{1,100})#([1-9][0-9]{0,8})$`)
	issuePath   = regexp.MustCompile(
		`^/([A-Za-z0-9-]{1,39})/([A-Za-z0-9._-]{1,100})/(?:issues|pull)/([1-9][0-9]{0,8})(?:/|$)`)
	// scpRemote is the short form of git's addresses for SSH.
	scpRemote  = regexp.MustCompile(`^(?:[^@/:]+@)?([A-Za-z0-9.-]+):/?([^:]+)$`)
	remotePath = regexp.MustCompile(`^/?([A-Za-z0-9-]{1,39})/([A-Za-z0-9._-]{1,100}?)(?:\.git)?/?$`)
)

// placeOfIssue returns where an issue is that was named by its URL, as owner/name#number, or by its number in the
// repository of a remote.
func placeOfIssue(named, remote string) (issuePlace, error) {
	at := func(host string, m []string) issuePlace {
		n, _ := strconv.Atoi(m[3]) // it is a short number
		return issuePlace{strings.ToLower(host), m[1], m[2], n}
	}
	if u, err := url.Parse(named); err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") {
		if m := issuePath.FindStringSubmatch(u.Path); m != nil {
			return at(u.Host, m), nil
		}
		return issuePlace{}, usageError{fmt.Errorf(
			"%q is not the address of an issue; write it like https://github.com/owner/name/issues/7", named)}
	}
	home, known := placeOfRemote(remote)
	if m := issueShort.FindStringSubmatch(named); m != nil {
		if !known {
			home.host = "github.com"
		}
		return at(home.host, m), nil
	}
	m := issueNumber.FindStringSubmatch(named)
	switch {
	case m == nil:
		return issuePlace{}, usageError{fmt.Errorf("%q does not name an issue; give its number or its URL", named)}
	case !known:
		return issuePlace{}, usageError{errors.New(
			"the repository has no remote named origin on GitHub that the number could belong to; give the URL of the issue")}
	}
	home.number, _ = strconv.Atoi(m[1])
	return home, nil
}

// placeOfRemote returns the host, owner and name of a repository from the address of a remote.
func placeOfRemote(remote string) (issuePlace, bool) {
	host, path := "", ""
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		host, path = u.Hostname(), u.Path
		if u.Scheme == "http" || u.Scheme == "https" {
			host = u.Host
		}
	} else if m := scpRemote.FindStringSubmatch(remote); m != nil {
		host, path = m[1], m[2]
	}
	m := remotePath.FindStringSubmatch(path)
	if m == nil || host == "" {
		return issuePlace{}, false
	}
	if host = strings.ToLower(host); host == "ssh.github.com" {
		host = "github.com"
	}
	return issuePlace{host: host, owner: m[1], name: m[2]}, true
}

// remoteOrigin returns the address of the remote named origin; empty if there is none.
func remoteOrigin(ctx context.Context, dir string) string {
	out, err := exec.CommandContext(ctx, "git", "-C", dir, "config", "--get", "remote.origin.url").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// readIssue reads an issue with the token of the person.
func readIssue(ctx context.Context, settings config.Local, dir, named string) (*localIssue, error) {
	place, err := placeOfIssue(named, remoteOrigin(ctx, dir))
	if err != nil {
		return nil, err
	}
	token, err := personalToken(ctx, settings, place.host)
	if err != nil {
		return nil, err
	}
	api, err := apiOf(settings, place.host)
	if err != nil {
		return nil, err
	}
	client, err := gh.New(gh.Options{Token: token, APIURL: api})
	if err != nil {
		return nil, err
	}
	repo := port.RepoRef{ID: 1, Owner: place.owner, Name: place.name} // an issue is found by the name
	issue, err := client.Issue(ctx, repo, place.number)
	what := fmt.Sprintf("issue %d of %s on %s", place.number, repo, place.host)
	switch {
	case errors.Is(err, port.ErrNotFound):
		return nil, fmt.Errorf("there is no %s, or the token may not read it", what)
	case errors.As(err, new(*net.OpError)):
		return nil, fmt.Errorf("%s cannot be read, because %s cannot be reached; is there a network?", what, place.host)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w; the token is the one in GITHUB_TOKEN or GH_TOKEN, or else of gh", what,
			err)
	}
	return &localIssue{Repo: repo, Number: place.number, Title: issue.Title, Body: issue.Body, Author: issue.Author}, nil
}

// apiOf returns the base URL of the REST API of a host: what the environment says of it, else where it is by default.
func apiOf(settings config.Local, host string) (string, error) {
	if settings.API != "" && isServer(settings, host) {
		return strings.TrimSuffix(settings.API, "/") + "/", nil
	}
	site, err := config.SiteAt("https://" + host + "/")
	if err != nil {
		return "", fmt.Errorf("reading the issue: %s %w", host, err)
	}
	return site.API, nil
}

// isServer reports whether the environment says that a host is its GitHub.
func isServer(settings config.Local, host string) bool {
	server, err := url.Parse(settings.Server)
	return err == nil && host != "" && server.Host == host
}

// personalToken returns a token for a host: that of the environment for github.com or the server that the environment
// names, else the one with which gh is signed in. No other host gets to see that of the environment: origin may be on
// any.
func personalToken(ctx context.Context, settings config.Local, host string) (string, error) {
	own := host == "github.com" && settings.Server == "" || isServer(settings, host)
	if token := settings.Token.Reveal(); own && token != "" {
		return token, nil
	}
	out, err := exec.CommandContext(ctx, "gh", "auth", "token", "--hostname", host).Output()
	if token := strings.TrimSpace(string(out)); err == nil && token != "" {
		return token, nil
	}
	variables := "GITHUB_TOKEN"
	if host != "github.com" {
		variables += ", and GITHUB_SERVER_URL to https://" + host
	}
	if host != "github.com" {
		return "", fmt.Errorf("there is no token for %s to read the issue with; if that is a GitHub Enterprise Server, set "+
			"%s, or sign in with: gh auth login --hostname %s; else give the URL of an issue on GitHub", host, variables, host)
	}
	return "", fmt.Errorf("there is no token for %s to read the issue with; set %s, or sign in with: gh auth login", host,
		variables)
}
