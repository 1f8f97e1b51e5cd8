package gh

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// forThread is forRepo for a call about one issue or pull request.
func (c *Client) forThread(repo port.RepoRef, s scope, number int) (*github.Client, error) {
	if number <= 0 {
		return nil, callerError(fmt.Sprintf("%d is not the number of an issue or pull request of %s", number, repo))
	}
	return c.forRepo(repo, s)
}

// forThreadInClass is forThread for requests of another class than the scope's.
func (c *Client) forThreadInClass(repo port.RepoRef, s scope, number int, class class) (*github.Client, error) {
	if _, err := c.forThread(repo, s, number); err != nil {
		return nil, err
	}
	return c.forRepoInClass(repo, s, class)
}

// threadOf returns the id of the first comment of replyTo's review thread, 0 if it is in none. GitHub accepts replies
// to the first comment only.
func threadOf(replyTo *port.Comment) int64 {
	switch {
	case replyTo == nil || replyTo.Kind != port.ReviewComment:
		return 0
	case replyTo.InReplyTo != 0:
		return replyTo.InReplyTo
	}
	return replyTo.ID
}

// describe returns how errors name a comment.
func describe(c port.Comment) string {
	return fmt.Sprintf("%s %d", strings.ReplaceAll(string(c.Kind), "_", " "), c.ID)
}

// maxComment is GitHub's limit in characters: "Body is too long (maximum is 65536 characters)".
const maxComment = 65536

func checkBody(body string) error {
	if strings.TrimSpace(body) == "" {
		return callerError("the comment is blank, which GitHub does not accept")
	}
	if n := utf8.RuneCountInString(body); n > maxComment {
		return callerError(fmt.Sprintf("the comment has %d characters; GitHub accepts at most %d", n, maxComment))
	}
	return nil
}
