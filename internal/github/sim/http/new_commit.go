package simhttp

import (
	"regexp"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// signature is an author or committer of a new commit.
type signature struct {
	Name  *string    `json:"name"`
	Email *string    `json:"email"`
	Date  *time.Time `json:"date"`
}

// createCommit creates a commit object. Without an author and a committer, the author is the App, and GitHub commits
// and signs it, so that it is verified.
func createCommit(c *call) (*answer, error) {
	var in struct {
		Message   *string    `json:"message"`
		Tree      *string    `json:"tree"`
		Parents   []string   `json:"parents"`
		Author    *signature `json:"author"`
		Committer *signature `json:"committer"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Message == nil:
		return nil, entity.NotSupplied("message")
	case in.Tree == nil:
		return nil, entity.NotSupplied("tree")
	case !c.hasObject(*in.Tree, git.KindTree):
		return nil, entity.Unprocessable("Tree SHA does not exist")
	}
	for _, p := range in.Parents {
		if !c.hasObject(p, git.KindCommit) {
			return nil, entity.Unprocessable("Parent SHA does not exist or is not a commit object")
		}
	}
	author, committer, err := signatures(c, in.Author, in.Committer)
	if err != nil {
		return nil, err
	}
	sha, err := c.repo.Git.WriteCommit(git.Commit{Tree: *in.Tree, Parents: in.Parents, Author: author,
		Committer: committer, Message: *in.Message})
	if err != nil {
		return nil, err
	}
	if in.Author == nil && in.Committer == nil {
		c.State.Signed[sha] = true
	}
	return answerCommit(c, sha, created)
}

// identity matches a name or address that is valid in a commit: not blank, on one line, without angle brackets.
var identity = regexp.MustCompile(`^[^\x00\n<>]*[^\x00\n<> .,:;"'\\][^\x00\n<>]*$`)

// signatures returns those of a new commit: "The authenticated user will be both by default"; the default of the
// committer is the author. Without both, GitHub is the committer.
func signatures(c *call, author, committer *signature) (git.Signature, git.Signature, error) {
	by := git.Signature{Name: c.sender().Login, Email: c.sender().Email(), When: c.Now()}
	to := sim.HubSignature(c.Now())
	var err error
	if author != nil {
		if by, err = signatureOf(c, *author, "author"); err != nil {
			return by, to, err
		}
		to = by
	}
	if committer != nil {
		to, err = signatureOf(c, *committer, "committer")
	}
	return by, to, err
}

func signatureOf(c *call, s signature, role string) (git.Signature, error) {
	switch {
	case s.Name == nil:
		return git.Signature{}, entity.NotSupplied("name")
	case s.Email == nil:
		return git.Signature{}, entity.NotSupplied("email")
	case !identity.MatchString(*s.Name) || !identity.MatchString(*s.Email): // git can store no such identity
		return git.Signature{}, entity.Unprocessable("%s is invalid", role)
	}
	out := git.Signature{Name: *s.Name, Email: *s.Email, When: c.Now()}
	if s.Date != nil {
		out.When = *s.Date
	}
	return out, nil
}

func getGitCommit(c *call) (*answer, error) {
	if !c.hasObject(c.vars["sha"], git.KindCommit) {
		return nil, notFound()
	}
	return answerCommit(c, c.vars["sha"], func(o entity.Object) (*answer, error) { return ok(o) })
}

// answerCommit responds with "git-commit".
func answerCommit(c *call, sha string, answer func(entity.Object) (*answer, error)) (*answer, error) {
	commit, err := c.repo.Git.Commit(sha)
	if err != nil {
		return nil, err
	}
	full := c.code().Commit(commit)
	inner := full["commit"].(entity.Object)
	return answer(entity.Object{"sha": sha, "node_id": full["node_id"], "url": inner["url"], "html_url": full["html_url"],
		"author": inner["author"], "committer": inner["committer"], "tree": inner["tree"], "message": inner["message"],
		"parents": full["parents"], "verification": inner["verification"]})
}
