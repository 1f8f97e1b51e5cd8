package gh

import (
	"context"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// A plain token is used as it is: that of a job of GitHub Actions, or that of a person. There is no App then, and no
// installation: a RepoRef needs none, and the pace is that of the token.

// TokenKind returns what the client has to act on GitHub. Account finds out more of a plain token than its form says.
func (c *Client) TokenKind() port.TokenKind {
	if c.plain == nil {
		return port.AppToken
	}
	return c.plain.kind()
}

const viewer = `query { viewer { login databaseId } }`

// Account returns as whom the client acts: as the App, or as whom a plain token belongs to. That is requested from
// GitHub once. Where GitHub refuses to say it, as to some tokens of Apps, it is taken to be that of a job of GitHub
// Actions.
func (c *Client) Account(ctx context.Context) (port.User, error) {
	if c.plain == nil {
		slug, err := c.Slug(ctx)
		return port.User{Login: slug + "[bot]", Bot: true}, err
	}
	if known := c.plain.account.Load(); known != nil {
		return *known, nil
	}
	var got struct {
		Viewer struct {
			Login      string
			DatabaseID int64
		}
	}
	api := c.client(&authTransport{tokens: c.tokens, next: c.limiter.roundTripper(plainInstallation, reads)})
	err := c.graphQL(ctx, api, viewer, nil, &got)
	me := port.User{ID: got.Viewer.DatabaseID, Login: got.Viewer.Login}
	switch {
	case err != nil && (c.plain.refused.Load() || !c.isRefusal(err)):
		return port.User{}, c.explain(err, "asking whose token it is")
	case err != nil || me.Login == "":
		me = port.User{ID: jobID, Login: jobLogin}
	}
	me.Bot = strings.HasSuffix(me.Login, "[bot]")
	c.plain.account.Store(&me)
	return me, nil
}
