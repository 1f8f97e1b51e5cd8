package bot

import (
	"context"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/secret"
)

// maxStrangers bounds a text of somebody who may not write here, wherever the model gets to read it, in characters.
const maxStrangers = 500

// quote returns a text as people can read it, without secrets, cut to so many characters, and to maxStrangers if nobody
// who may write here wrote it.
func quote(body string, trusted bool, most int) string {
	if !trusted {
		most = min(most, maxStrangers)
	}
	return markdown.Clip(readable(body), most)
}

// readable returns a text as people can read it, without secrets.
func readable(body string) string { return strings.TrimSpace(shownText(body)) }

// maxAskedAuthors is how many authors' permission is asked for; further ones count as strangers.
const maxAskedAuthors = 5

// authors remembers who may write here, by logins in lower case.
type authors struct {
	github port.GitHub
	repo   port.RepoRef
	known  map[string]bool
	asked  int
}

// newAuthors returns what is known of who may write in the repository of an event: its sender may.
func newAuthors(github port.GitHub, ev port.Event) *authors {
	return &authors{github: github, repo: ev.Repo, known: map[string]bool{strings.ToLower(ev.Sender.Login): true}}
}

// mayWrite reports whether somebody may write here. Nobody may for whom GitHub cannot be asked, and no app: anybody may
// have told it what to write.
func (a *authors) mayWrite(ctx context.Context, u port.User) bool {
	login := strings.ToLower(u.Login)
	trusted, known := a.known[login]
	if known || login == "" || u.Bot || a.asked == maxAskedAuthors {
		return trusted && !u.Bot
	}
	a.asked++
	permission, err := a.github.Permission(ctx, a.repo, u.Login)
	a.known[login] = err == nil && permission.Allows(port.PermissionWrite)
	return a.known[login]
}

// shownText returns what GitHub shows of a text, without secrets. They are taken out before, too: what tells a secret
// may not be shown.
func shownText(text string) string { return secret.Redacted(markdown.Shown(secret.Redacted(text))) }
