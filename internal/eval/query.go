package eval

import (
	"context"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/bot/secret"
)

// command is the comment on the issue: the issue is all that it says.
const command = "/tenon fix"

// issueQuery returns what the bot selects files for when the command is given on the issue.
func issueQuery(pair Pair, documents *lexical.Cache) retrieve.Query {
	title, body, _ := strings.Cut(pair.Text, "\n")
	return retrieve.Query{
		Repos: noRepos{}, Repo: pair.Repository(), Branch: "main", Policy: policy.DefaultPolicy(),
		Comment: port.Comment{Body: command}, Page: "https://github.com/" + pair.Repo + "/issues/1",
		Command: command, Title: title, About: body, Documents: documents, Masked: secret.NewFiles(),
	}
}

// documentBytes bounds what is known of the files of repositories from one selection to the next.
const documentBytes = 256 << 20

// noRepos has no other commits: a link to one leads nowhere.
type noRepos struct{}

func (noRepos) Open(context.Context, port.RepoRef, string, string, ...string) (repo.Checkout, error) {
	return nil, port.ErrNotFound
}
