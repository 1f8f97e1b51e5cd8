package bot

import (
	"context"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxAskedAuthors is how many authors' permission is asked for; further ones count as strangers.
const maxAskedAuthors = 5

// authors remembers who may write here, by logins in lower case.
type authors struct {
	github port.GitHub
	repo   port.RepoRef
	known  map[string]bool
	asked  int
}

func (p prompter) authors() *authors {
	return &authors{github: p.github, repo: p.ev.Repo, known: map[string]bool{strings.ToLower(p.ev.Sender.Login): true}}
}

// mayWrite reports whether somebody may write here. Nobody may for whom GitHub cannot be asked.
func (a *authors) mayWrite(ctx context.Context, u port.User) bool {
	login := strings.ToLower(u.Login)
	trusted, known := a.known[login]
	if known || login == "" || a.asked == maxAskedAuthors {
		return trusted
	}
	a.asked++
	permission, err := a.github.Permission(ctx, a.repo, u.Login)
	a.known[login] = err == nil && permission.Allows(port.PermissionWrite)
	return a.known[login]
}
