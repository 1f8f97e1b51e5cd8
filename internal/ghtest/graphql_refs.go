package ghtest

import (
	"fmt"
	"net/http"
	"strings"
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
func (c *call) updateRefs(args map[string]any) (any, error) {
	in, _ := args["input"].(map[string]any)
	node, _ := in["repositoryId"].(string)
	id, _ := nodeNumber(node, "R")
	r := c.state.repos[id]
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
	var script strings.Builder
	for i := range updates {
		if err := c.checkRefUpdate(&updates[i]); err != nil {
			return nil, err
		}
		fmt.Fprintf(&script, "update %s %s %s\n", updates[i].name, updates[i].after, updates[i].before)
	}
	if _, err := c.gitIn(r.dir, strings.NewReader("start\n"+script.String()+"prepare\ncommit\n"), nil, "update-ref",
		"--stdin"); err != nil {
		return nil, stale(updates[0].name) // a push came between
	}
	out := object{"__typename": "UpdateRefsPayload", "clientMutationId": in["clientMutationId"]}
	return out, c.refsMoved(r, c.sender())
}

// readRefUpdates checks the entries by the scalars GitRefname ("fully qualified, starting with refs/") and GitObjectID.
func readRefUpdates(value any) ([]refUpdate, error) {
	list, is := value.([]any)
	if !is || len(list) == 0 {
		return nil, unprocessable("refUpdates must not be empty")
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
			return nil, refuse(0, "Variable was provided invalid value for refUpdates.%d.name: %v is not a valid GitRefname", i,
				o["name"])
		case !wholeSHA.MatchString(u.after):
			return nil, refuse(0,
				"Variable was provided invalid value for refUpdates.%d.afterOid: %v is not a valid GitObjectID", i, o["afterOid"])
		case o["beforeOid"] != nil && !wholeSHA.MatchString(u.before):
			return nil, refuse(0, "Variable was provided invalid value for refUpdates.%d.beforeOid: %v is not a valid "+
				"GitObjectID", i, o["beforeOid"])
		case seen[u.name]:
			return nil, unprocessable("Reference %s is updated twice", u.name)
		}
		seen[u.name] = true
	}
	return updates, nil
}

// checkRefUpdate compares the expected commit with the ref's, and checks whether the ref can be moved. It sets an
// absent before.
func (c *call) checkRefUpdate(u *refUpdate) error {
	if err := c.checkNewRef(u.name); err != nil {
		return err
	}
	now, err := c.git(c.repo.dir, "rev-parse", "--verify", "--quiet", "--end-of-options", u.name)
	if err != nil {
		now = noCommit
	}
	if u.before != "" && u.before != now {
		return stale(u.name)
	}
	u.before = now
	to := u.after
	if to == noCommit {
		to = ""
		if now == noCommit {
			return unprocessable("Reference does not exist")
		}
	}
	if err := c.mayMove(u.name, to); err != nil || to == "" || now == noCommit || u.force {
		return err
	}
	if _, err := c.git(c.repo.dir, "merge-base", "--is-ancestor", now, to); err != nil {
		return unprocessable("Update is not a fast forward")
	}
	return nil
}

// stale returns the error for a beforeOid that does not match.
func stale(ref string) error {
	return refuse(http.StatusConflict, "Expected %s to point to another commit than it does. Pull and try again.", ref)
}
