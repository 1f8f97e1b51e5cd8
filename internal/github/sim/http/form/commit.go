package form

import (
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// Commit returns "commit".
func (c Code) Commit(ci git.Commit) entity.Object {
	api, html := c.RepoURL(c.repo)+"/commits/"+ci.SHA, c.RepoPage(c.repo)+"/commit/"+ci.SHA
	parents := []entity.Object{}
	for _, p := range ci.Parents {
		parents = append(parents, entity.Object{"sha": p, "url": c.RepoURL(c.repo) + "/commits/" + p,
			"html_url": c.RepoPage(c.repo) + "/commit/" + p})
	}
	return entity.Object{
		"sha": ci.SHA, "node_id": sim.NodeID("C", c.repo.ID) + ci.SHA[:8], "url": api, "html_url": html,
		"comments_url": api + "/comments", "commit": entity.Object{
			"url":           c.RepoURL(c.repo) + "/git/commits/" + ci.SHA,
			"author":        signatureJSON(ci.Author),
			"committer":     signatureJSON(ci.Committer),
			"message":       strings.TrimSuffix(ci.Message, "\n"),
			"tree":          entity.Object{"sha": ci.Tree, "url": c.RepoURL(c.repo) + "/git/trees/" + ci.Tree},
			"comment_count": 0,
			"verification":  c.verification(ci),
		},
		"author": c.accountOf(ci.Author.Email), "committer": c.accountOf(ci.Committer.Email), "parents": parents,
	}
}

// verification returns the "verification" of a commit: whether GitHub signed it. There is no signature in the object
// here.
func (c Code) verification(ci git.Commit) entity.Object {
	if !c.State.Signed[ci.SHA] {
		return entity.Object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
	}
	return entity.Object{"verified": true, "reason": "valid", "signature": "-----BEGIN PGP SIGNATURE-----",
		"payload": "tree " + ci.Tree, "verified_at": Time(ci.Committer.When)}
}

// accountOf returns the account of an e-mail address, or null if there is none.
func (c Code) accountOf(email string) any {
	for _, u := range c.State.Users {
		if strings.EqualFold(u.Email(), email) {
			return c.User(u)
		}
	}
	return nil
}

func signatureJSON(s git.Signature) entity.Object {
	return entity.Object{"name": s.Name, "email": s.Email, "date": Time(s.When)}
}

// Branch returns "short-branch".
func (c Code) Branch(name, sha string) entity.Object {
	return entity.Object{"name": name, "protected": c.repo.Protected[name] != nil,
		"commit": entity.Object{"sha": sha, "url": c.RepoURL(c.repo) + "/commits/" + sha}}
}

// Ref returns "git-ref".
func (c Code) Ref(ref, sha, kind string) entity.Object {
	plural := map[string]string{"commit": "commits", "tag": "tags", "tree": "trees", "blob": "blobs"}[kind]
	return entity.Object{"ref": ref, "node_id": sim.NodeID("REF", c.repo.ID) + ref,
		"url":    c.RepoURL(c.repo) + "/git/" + EscapePath(ref),
		"object": entity.Object{"sha": sha, "type": kind, "url": c.RepoURL(c.repo) + "/git/" + plural + "/" + sha}}
}
