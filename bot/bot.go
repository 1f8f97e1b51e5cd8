// Package bot carries out the commands that people give in comments: it admits the command, selects and shows files to
// a model, applies the edits of its reply, commits them and answers. It reaches the world through package port alone.
package bot

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/marks"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/bot/settings"
	"github.com/tenon-bot/tenon/bot/view"
)

// Bot carries out commands. All fields but Watches, Audit, Formats, Audience, Marks, Models, Load, Pages, Owners,
// Documents and Keys must be set. Safe for concurrent use.
type Bot struct {
	GitHub port.GitHub
	Repos  repo.Repos
	Model  port.Model
	Runs   port.Runs
	Queue  port.ThreadQueue
	Budget port.Budget
	// Watches has events wait for what CI says of commits; nil follows none.
	Watches port.Watches
	// Audit is told what runs are about to do and came to; nil tells nobody.
	Audit port.Audit
	// Formats tells in which formats models write; nil knows nothing.
	Formats port.Formats
	// Audience is shown runs while they go on; nil shows them to nobody.
	Audience view.Audience
	// Marks seals into each answer what later commands of the thread need of its run; nil where Queue keeps that.
	Marks *marks.Key
	// Policy is the server's, as policy.ServerPolicy makes it.
	Policy policy.Policy
	// Models are those that may be asked for, the default first; empty if none is configured.
	Models []port.ModelInfo
	// Slug is the app's name: "@slug" addresses it, "slug[bot]" is its login unless Account names another one.
	Slug string
	// Token is what the bot has to act on GitHub instead of an App, and Account whose it is.
	Token   port.TokenKind
	Account port.User
	// Load returns how busy the server is; nil if nobody is told.
	Load func() port.Load
	// Admit waits until there is room in memory to select files of a checkout, and returns what to call when they are
	// selected; nil admits all.
	Admit func(ctx context.Context, c repo.Checkout) (release func(), err error)
	// Pages are where people see runs; empty if there are no pages.
	Pages report.Pages
	// Owners are the logins whose installations are served; empty means all.
	Owners []string
	// Documents keeps what is known of the files of repositories, so that a command only reads what has changed; nil
	// keeps nothing.
	Documents *lexical.Cache
	// Keys returns a new key for the delimiters of a question to a model; nil makes random ones.
	Keys func() string
	Now  func() time.Time
	Log  *slog.Logger

	cache settings.Cache
}

// RepositoriesChanged forgets what is known of the repositories of an installation, one of which may have been made or
// removed.
func (b *Bot) RepositoriesChanged(installation int64) { b.cache.RepositoriesChanged(installation) }

// ForgetRepositories is RepositoriesChanged for all installations.
func (b *Bot) ForgetRepositories() { b.cache.ForgetRepositories() }

// policyFor returns the policy for a repository, as settings.Reader does.
func (b *Bot) policyFor(ctx context.Context, repo port.RepoRef, defaultTip func() string) (policy.Policy, error) {
	r := settings.Reader{GitHub: b.GitHub, Repos: b.Repos, Cache: &b.cache, Server: b.Policy, Models: b.Models, Now: b.Now}
	return r.Policy(ctx, repo, defaultTip)
}

// invocation reads the command of an event; ok is false if it has none.
func (b *Bot) invocation(ev port.Event) (command.Invocation, bool) {
	if ev.Sender.Bot || b.isOwn(ev.Sender) && b.acted(ev) {
		return command.Invocation{}, false
	}
	return command.FromEvent(ev, b.Slug, ev.Label) // which label starts a command is a setting, and checked later
}

// account returns as whom the bot acts.
func (b *Bot) account() port.User {
	if b.Account.Login != "" {
		return b.Account
	}
	return port.User{Login: b.Slug + "[bot]", Bot: true}
}

// isOwn reports whether a user is the one as whom the bot acts: the app itself, or whose token it has.
func (b *Bot) isOwn(u port.User) bool { return strings.EqualFold(u.Login, b.account().Login) }

// acted reports whether it was the bot that did what an event of its own account tells: that of an App, or of GitHub
// Actions, always; with the token of a person, what has a mark, and ticks, which nobody can tell from edits.
func (b *Bot) acted(ev port.Event) bool {
	return b.account().Bot || ev.Kind == port.Ticked || strings.Contains(ev.Comment.Body, ownMark)
}

// ownMark begins the marks in what the bot writes.
const ownMark = "<!-- tenon:"

// mayNotAsk reports whether it is unknown, until the settings are read, that an event has a command: a label that is
// not the server's may be the repository's, and the App that wrote a comment may be named there. Nothing is said about
// it until then.
func (b *Bot) mayNotAsk(ev port.Event) bool {
	return ev.Comment.App != "" || command.AsksForBackport(ev) ||
		ev.Kind == port.Labeled && !strings.EqualFold(ev.Label, cmp.Or(b.Policy.Label, policy.DefaultLabel))
}

// serves reports whether the installations of an owner are served.
func (b *Bot) serves(owner string) bool {
	for _, o := range b.Owners {
		if strings.EqualFold(o, owner) {
			return true
		}
	}
	return len(b.Owners) == 0
}
