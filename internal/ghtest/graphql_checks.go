package ghtest

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// objectNode returns GitObject: a commit by its id, or null. Other objects and expressions are not supported here.
func (c *call) objectNode(args map[string]any) (any, error) {
	if err := c.permitted(needs("contents:read"), http.MethodGet); err != nil {
		return nil, err
	}
	oid, _ := args["oid"].(string)
	switch {
	case oid == "":
		return nil, unprocessable("Only objects by their oid are supported")
	case !wholeSHA.MatchString(oid):
		return nil, refuse(0, "Argument 'oid' on Field 'object' has an invalid value (%s). Expected type 'GitObjectID'.", oid)
	case !c.hasObject(oid, git.KindCommit):
		return nil, nil
	}
	return c.commitNode(oid), nil
}

// commitNode returns Commit.
func (c *call) commitNode(sha string) object {
	return object{"__typename": "Commit", "id": nodeID("C", c.repo.id) + sha[:8], "oid": sha,
		"url":               c.htmlRepoURL(c.repo) + "/commit/" + sha,
		"statusCheckRollup": resolver(func(map[string]any) (any, error) { return c.rollupNode(sha) })}
}

// rollupNode returns StatusCheckRollup, or null for a commit without check runs and statuses. Without checks:read or
// statuses:read, GitHub refuses the contexts of that kind one by one, and without both the whole rollup.
func (c *call) rollupNode(sha string) (any, error) {
	noChecks, noStatuses := c.permitted(needs("checks:read"), http.MethodGet), c.permitted(needs("statuses:read"),
		http.MethodGet)
	if noChecks != nil && noStatuses != nil {
		return nil, noChecks
	}
	var contexts []any
	state, checks := "", 0
	for _, suite := range c.suitesOf(sha) {
		for _, run := range c.latestOf(suite) {
			contexts, checks = append(contexts, run), checks+1
			state = worseState(state, rollupState(run.status, run.conclusion))
		}
	}
	for _, st := range c.currentStatuses(c.repo, sha) {
		contexts = append(contexts, st)
		state = worseState(state, strings.ToUpper(st.state))
	}
	if len(contexts) == 0 {
		return nil, nil
	}
	list := connection("contexts", contexts, func(item any) any {
		switch item := item.(type) {
		case *checkRun:
			if noChecks != nil {
				return noChecks
			}
			return c.checkNode(item)
		case *commitStatus:
			if noStatuses != nil {
				return noStatuses
			}
			return c.statusNode(item)
		}
		return nil
	})
	return object{"__typename": "StatusCheckRollup", "id": nodeID("SCR", c.repo.id) + sha[:8], "state": state,
		"contexts": pager(func(args map[string]any, items bool) (any, error) {
			page, err := list(args, items)
			if o, is := page.(object); is {
				o["__typename"], o["checkRunCount"] = "StatusCheckRollupContextConnection", checks
				o["statusContextCount"] = len(contexts) - checks
			}
			return page, err
		})}, nil
}

// rollupState returns StatusState of a check run.
func rollupState(status, conclusion string) string {
	switch {
	case status != "completed":
		return "PENDING"
	case conclusion == "success" || conclusion == "neutral" || conclusion == "skipped":
		return "SUCCESS"
	}
	return "FAILURE"
}

// worseState returns the state of two that decides about both.
func worseState(a, b string) string {
	for _, state := range []string{"ERROR", "FAILURE", "PENDING"} {
		if a == state || b == state {
			return state
		}
	}
	return "SUCCESS"
}

// checkNode returns CheckRun.
func (c *call) checkNode(run *checkRun) object {
	page := c.checkPage(run)
	return object{"__typename": "CheckRun", "id": nodeID("CR", run.id), "databaseId": run.id, "name": run.name,
		"status": strings.ToUpper(run.status), "conclusion": stringOrNull(strings.ToUpper(run.conclusion)),
		"startedAt": stamp(run.started), "completedAt": stampOrNull(run.completed), "title": stringOrNull(run.title),
		"summary": run.summary, "text": run.text, "externalId": stringOrNull(run.externalID), "url": page,
		"permalink": page, "detailsUrl": orElse(run.details, page), "checkSuite": c.suiteNode(run.suite),
		"annotations": connection("annotations", run.annotations, annotationNode)}
}

// suiteNode returns CheckSuite. Its workflow run needs actions:read.
func (c *call) suiteNode(suite *checkSuite) object {
	status, conclusion := c.suiteState(suite)
	app := c.suiteAppJSON(suite)
	return object{"__typename": "CheckSuite", "id": nodeID("CS", suite.id), "databaseId": suite.id,
		"status": strings.ToUpper(status), "conclusion": stringOrNull(strings.ToUpper(conclusion)),
		"createdAt": stamp(suite.created), "updatedAt": stamp(suite.updated),
		"app": object{"__typename": "App", "id": app["node_id"], "databaseId": app["id"], "name": app["name"],
			"slug": app["slug"]},
		"workflowRun": resolver(func(map[string]any) (any, error) {
			if suite.run == nil {
				return nil, nil
			}
			if err := c.permitted(needs("actions:read"), http.MethodGet); err != nil {
				return nil, err
			}
			return c.workflowRunNode(suite.run), nil
		})}
}

// workflowRunNode returns WorkflowRun.
func (c *call) workflowRunNode(run *workflowRun) object {
	return object{"__typename": "WorkflowRun", "id": nodeID("WFR", run.id), "databaseId": run.id, "event": run.event,
		"runNumber": run.number, "url": c.runPage(run), "createdAt": stamp(run.created), "updatedAt": stamp(run.updated),
		"workflow": object{"__typename": "Workflow", "id": nodeID("W", run.workflow.id), "databaseId": run.workflow.id,
			"name": run.workflow.name}}
}

func annotationNode(a annotation) object {
	place := func(line, column *int) object {
		return object{"__typename": "CheckAnnotationPosition", "line": line, "column": column}
	}
	return object{"__typename": "CheckAnnotation", "path": *a.Path, "message": *a.Message, "title": stringOrNull(a.Title),
		"rawDetails": stringOrNull(a.RawDetails), "annotationLevel": strings.ToUpper(a.Level),
		"location": object{"__typename": "CheckAnnotationSpan", "start": place(a.StartLine, a.StartColumn),
			"end": place(a.EndLine, a.EndColumn)}}
}

// statusNode returns StatusContext.
func (c *call) statusNode(st *commitStatus) object {
	return object{"__typename": "StatusContext", "id": nodeID("SC", st.id), "context": st.context,
		"state": strings.ToUpper(st.state), "description": stringOrNull(st.description),
		"targetUrl": stringOrNull(st.target), "createdAt": stamp(st.created), "creator": c.actorNode(st.creator)}
}
