package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// Upload makes a commit by GitHub's API and moves the branch to it. It names no author and no committer: GitHub puts the App in
// their place, and signs. Two requests make tree and commit (and one more each blob that does not go in line, see upload_tree.go),
// a third moves the branch by GraphQL, whose condition is where the branch stands now: REST would take any ancestor, and bring
// commits back that somebody dropped.
//
// bot.ErrMoved: the branch does not stand at the parent, or a new one is there already; it is as it was. *bot.RejectedError is
// GitHub's no to the branch, in its own words; bot.ErrDenied its no to the token. Changes that change nothing are an error.
func (c *Client) Upload(ctx context.Context, repo port.RepoRef, u port.Upload) (sha string, err error) {
	if u.Branch == "" || u.Parent == "" || u.Tree == "" || len(u.Changes) == 0 || strings.TrimSpace(u.Message) == "" {
		return "", callerError("making a commit: the branch, its parent, the parent's tree, the changes or the message are missing")
	}
	api, err := c.as(repo, committing)
	if err != nil {
		return "", err
	}
	up := upload{Client: c, api: api, repo: repo, Upload: u}
	if repo.NodeID == "" {
		if err := up.askNodeID(ctx); err != nil {
			return "", err
		}
	}
	tree, err := up.tree(ctx)
	if err != nil {
		return "", c.explain(err, "making a tree in %s", repo)
	}
	if sha, err = up.commit(ctx, tree); err != nil {
		return "", c.explain(err, "making a commit in %s", repo)
	}
	return sha, up.move(ctx, sha)
}

// upload is one commit on its way.
type upload struct {
	*Client
	port.Upload
	api  *github.Client
	repo port.RepoRef
}

func (u *upload) askNodeID(ctx context.Context) error {
	got, _, err := u.api.Repositories.GetByID(ctx, u.repo.ID)
	if err != nil {
		return u.explain(err, "asking for repository %s", u.repo)
	}
	u.repo.NodeID = got.GetNodeID()
	return nil
}

func (u *upload) commit(ctx context.Context, tree string) (string, error) {
	made, _, err := u.api.Git.CreateCommit(ctx, u.repo.Owner, u.repo.Name, &github.Commit{
		Message: &u.Message,
		Tree:    &github.Tree{SHA: &tree},
		Parents: []*github.Commit{{SHA: &u.Parent}},
	}, nil)
	if err == nil && made.GetSHA() == "" {
		err = errors.New("GitHub's answer names no commit")
	}
	return made.GetSHA(), err
}

const updateRefs = `mutation($repository: ID!, $name: GitRefname!, $before: GitObjectID!, $after: GitObjectID!) {
  updateRefs(input: {repositoryId: $repository, refUpdates: [{name: $name, beforeOid: $before, afterOid: $after}]}) { clientMutationId }
}`

// absent is "0000…", which "can be used to verify that the references should not exist" (updateRefs).
const absent = "0000000000000000000000000000000000000000"

// move lets the branch point at the commit. Where that fails, it is the branch that says what happened: an answer can be lost,
// and GitHub does not say which errors there are.
func (u *upload) move(ctx context.Context, sha string) error {
	vars := map[string]any{"repository": u.repo.NodeID, "name": "refs/heads/" + u.Branch, "before": u.Parent, "after": sha}
	if u.New {
		vars["before"] = absent
	}
	failed := u.graphQL(ctx, u.api, updateRefs, vars, nil)
	if failed == nil {
		return nil
	}
	at, err := u.standsAt(ctx)
	switch {
	case err == nil && at == sha:
		return nil
	case err == nil && at != u.before():
		return fmt.Errorf("moving %s of %s: %w", u.Branch, u.repo, port.ErrMoved)
	case err == nil && refused(failed) != "":
		return &port.RejectedError{Branch: u.Branch, Text: refused(failed)}
	}
	return u.explain(failed, "moving %s of %s", u.Branch, u.repo)
}

// before is where the branch must stand; empty when it must not be there.
func (u *upload) before() string {
	if u.New {
		return ""
	}
	return u.Parent
}

func (u *upload) standsAt(ctx context.Context) (string, error) {
	ref, resp, err := u.api.Git.GetRef(ctx, u.repo.Owner, u.repo.Name, "refs/heads/"+u.Branch)
	if err != nil && resp != nil && resp.StatusCode == http.StatusNotFound {
		return "", nil
	}
	return ref.GetObject().GetSHA(), err
}

// refused is what GitHub says against the move itself: a protected branch, a rule. Empty when the error is about something else.
func refused(err error) string {
	var said *graphError
	var no *statusError
	if !errors.As(err, &said) || !errors.As(err, &no) || no.status == http.StatusNotFound || strings.HasPrefix(said.text, notForApps) {
		return ""
	}
	return said.text
}
