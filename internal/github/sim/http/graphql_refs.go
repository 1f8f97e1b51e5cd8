package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// noCommit is the id for a ref that does not exist.
var noCommit = strings.Repeat("0", 40)

// refUpdate is one entry of updateRefs.
type refUpdate struct {
	name          string
	before, after string // before is empty when any will do
	force         bool
}

// updateRefs: "All updates are performed atomically, meaning that if one of them is rejected, no other ref will be
// modified."
func (c mutations) updateRefs(args map[string]any) (any, error) {
	in, _ := args["input"].(map[string]any)
	node, _ := in["repositoryId"].(string)
	id := nodeNumber(node, "R")
	r := c.State.Repos[id]
	if r == nil {
		return nil, noNode(node)
	}
	if err := c.mayChange(r, "contents:write"); err != nil {
		return nil, err
	}
	updates, err := readRefUpdates(in["refUpdates"])
	if err != nil {
		return nil, err
	}
	moves := make([]git.Update, len(updates))
	for i, u := range updates {
		if moves[i], err = c.checkRefUpdate(u); err != nil {
			return nil, err
		}
	}
	if err := r.Git.Update(moves...); err != nil {
		return nil, stale(updates[0].name) // a push came between
	}
	out := entity.Object{"__typename": "UpdateRefsPayload", "clientMutationId": in["clientMutationId"]}
	return out, c.RefsMoved(r, c.sender())
}

// readRefUpdates checks the entries by the scalars GitRefname ("fully qualified, starting with refs/") and GitObjectID.
func readRefUpdates(value any) ([]refUpdate, error) {
	list, is := value.([]any)
	if !is || len(list) == 0 {
		return nil, entity.Unprocessable("refUpdates must not be empty")
	}
	updates, seen := make([]refUpdate, len(list)), map[string]bool{}
	for i, item := range list {
		o, _ := item.(map[string]any)
		u := &updates[i]
		u.name, _ = o["name"].(string)
		u.after, _ = o["afterOid"].(string)
		u.before, _ = o["beforeOid"].(string)
		u.force, _ = o["force"].(bool)
		switch {
		case !strings.HasPrefix(u.name, "refs/"):
			return nil, entity.Refuse(0,
				"Variable was provided invalid value for refUpdates.%d.name: %v is not a valid GitRefname", i,
				o["name"])
		case !wholeSHA.MatchString(u.after):
			return nil, entity.Refuse(0,
				"Variable was provided invalid value for refUpdates.%d.afterOid: %v is not a valid GitObjectID", i, o["afterOid"])
		case o["beforeOid"] != nil && !wholeSHA.MatchString(u.before):
			return nil, entity.Refuse(0, "Variable was provided invalid value for refUpdates.%d.beforeOid: %v is not a valid "+
				"GitObjectID", i, o["beforeOid"])
		case seen[u.name]:
			return nil, entity.Unprocessable("Reference %s is updated twice", u.name)
		}
		seen[u.name] = true
	}
	return updates, nil
}

// checkRefUpdate compares the expected commit with the ref's, checks whether the ref can be moved, and returns the
// move.
func (c mutations) checkRefUpdate(u refUpdate) (move git.Update, err error) {
	if err := checkNewRef(u.name); err != nil {
		return move, err
	}
	move = git.Update{Name: u.name, From: c.repo.Git.Ref(u.name), To: u.after}
	if u.before != "" && u.before != entity.OrElse(move.From, noCommit) {
		return move, stale(u.name)
	}
	if u.after == noCommit {
		if move.To = ""; move.From == "" {
			return move, entity.Unprocessable("Reference does not exist")
		}
	}
	err = mayMove(c.call, u.name, move.To)
	if err == nil && move.From != "" && move.To != "" && !u.force && !c.repo.Git.IsAncestor(move.From, move.To) {
		err = entity.Unprocessable("Update is not a fast forward")
	}
	return move, err
}

// stale returns the error for a beforeOid that does not match.
func stale(ref string) error {
	return entity.Refuse(http.StatusConflict, "Expected %s to point to another commit than it does. Pull and try again.",
		ref)
}
