package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// objectNode returns GitObject: a commit by its id, or null. Other objects and expressions are not supported here.
func (c nodes) objectNode(args map[string]any) (any, error) {
	if err := c.permitted(needs("contents:read"), http.MethodGet); err != nil {
		return nil, err
	}
	oid, _ := args["oid"].(string)
	switch {
	case oid == "":
		return nil, model.Unprocessable("Only objects by their oid are supported")
	case !wholeSHA.MatchString(oid):
		return nil, model.Refuse(0,
			"Argument 'oid' on Field 'object' has an invalid value (%s). Expected type 'GitObjectID'.", oid)
	case !c.hasObject(oid, git.KindCommit):
		return nil, nil
	}
	return c.commitNode(oid), nil
}

// commitNode returns Commit.
func (c nodes) commitNode(sha string) model.Object {
	return model.Object{"__typename": "Commit", "id": sim.NodeID("C", c.repo.ID) + sha[:8], "oid": sha,
		"url":               c.HTMLRepoURL(c.repo) + "/commit/" + sha,
		"statusCheckRollup": resolver(func(map[string]any) (any, error) { return c.rollupNode(sha) })}
}

// rollupNode returns StatusCheckRollup, or null for a commit without check runs and statuses. Without checks:read or
// statuses:read, GitHub refuses the contexts of that kind one by one, and without both the whole rollup.
func (c nodes) rollupNode(sha string) (any, error) {
	noChecks, noStatuses := c.permitted(needs("checks:read"), http.MethodGet), c.permitted(needs("statuses:read"),
		http.MethodGet)
	if noChecks != nil && noStatuses != nil {
		return nil, noChecks
	}
	var contexts []any
	state, checks := "", 0
	for _, suite := range c.suitesOf(sha) {
		for _, run := range c.LatestOf(suite) {
			contexts, checks = append(contexts, run), checks+1
			state = worseState(state, rollupState(run.Status, run.Conclusion))
		}
	}
	for _, st := range c.CurrentStatuses(c.repo, sha) {
		contexts = append(contexts, st)
		state = worseState(state, strings.ToUpper(st.State))
	}
	if len(contexts) == 0 {
		return nil, nil
	}
	list := connection("contexts", contexts, func(item any) any {
		switch item := item.(type) {
		case *model.CheckRun:
			if noChecks != nil {
				return noChecks
			}
			return c.checkNode(item)
		case *model.CommitStatus:
			if noStatuses != nil {
				return noStatuses
			}
			return c.statusNode(item)
		}
		return nil
	})
	return model.Object{"__typename": "StatusCheckRollup", "id": sim.NodeID("SCR", c.repo.ID) + sha[:8], "state": state,
		"contexts": pager(func(args map[string]any, items bool) (any, error) {
			page, err := list(args, items)
			if o, is := page.(model.Object); is {
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
func (c nodes) checkNode(run *model.CheckRun) model.Object {
	page := c.CheckPage(run)
	return model.Object{"__typename": "CheckRun", "id": sim.NodeID("CR", run.ID), "databaseId": run.ID, "name": run.Name,
		"status": strings.ToUpper(run.Status), "conclusion": stringOrNull(strings.ToUpper(run.Conclusion)),
		"startedAt": stamp(run.Started), "completedAt": stampOrNull(run.Completed), "title": stringOrNull(run.Title),
		"summary": run.Summary, "text": run.Text, "externalId": stringOrNull(run.ExternalID), "url": page,
		"permalink": page, "detailsUrl": model.OrElse(run.Details, page), "checkSuite": c.suiteNode(run.Suite),
		"annotations": connection("annotations", run.Annotations, annotationNode)}
}

// suiteNode returns CheckSuite. Its workflow run needs actions:read.
func (c nodes) suiteNode(suite *model.CheckSuite) model.Object {
	status, conclusion := c.SuiteState(suite)
	app := c.suiteAppJSON(suite)
	return model.Object{"__typename": "CheckSuite", "id": sim.NodeID("CS", suite.ID), "databaseId": suite.ID,
		"status": strings.ToUpper(status), "conclusion": stringOrNull(strings.ToUpper(conclusion)),
		"createdAt": stamp(suite.Created), "updatedAt": stamp(suite.Updated),
		"app": model.Object{"__typename": "App", "id": app["node_id"], "databaseId": app["id"], "name": app["name"],
			"slug": app["slug"]},
		"workflowRun": resolver(func(map[string]any) (any, error) {
			if suite.Run == nil {
				return nil, nil
			}
			if err := c.permitted(needs("actions:read"), http.MethodGet); err != nil {
				return nil, err
			}
			return c.workflowRunNode(suite.Run), nil
		})}
}

// workflowRunNode returns WorkflowRun.
func (c nodes) workflowRunNode(run *model.WorkflowRun) model.Object {
	return model.Object{"__typename": "WorkflowRun", "id": sim.NodeID("WFR", run.ID), "databaseId": run.ID,
		"event":     run.Event,
		"runNumber": run.Number, "url": c.RunPage(run), "createdAt": stamp(run.Created), "updatedAt": stamp(run.Updated),
		"workflow": model.Object{"__typename": "Workflow", "id": sim.NodeID("W", run.Workflow.ID),
			"databaseId": run.Workflow.ID,
			"name":       run.Workflow.Name}}
}

func annotationNode(a model.Annotation) model.Object {
	place := func(line, column *int) model.Object {
		return model.Object{"__typename": "CheckAnnotationPosition", "line": line, "column": column}
	}
	return model.Object{"__typename": "CheckAnnotation", "path": *a.Path, "message": *a.Message,
		"title":      stringOrNull(a.Title),
		"rawDetails": stringOrNull(a.RawDetails), "annotationLevel": strings.ToUpper(a.Level),
		"location": model.Object{"__typename": "CheckAnnotationSpan", "start": place(a.StartLine, a.StartColumn),
			"end": place(a.EndLine, a.EndColumn)}}
}

// statusNode returns StatusContext.
func (c nodes) statusNode(st *model.CommitStatus) model.Object {
	return model.Object{"__typename": "StatusContext", "id": sim.NodeID("SC", st.ID), "context": st.Context,
		"state": strings.ToUpper(st.State), "description": stringOrNull(st.Description),
		"targetUrl": stringOrNull(st.Target), "createdAt": stamp(st.Created), "creator": c.actorNode(st.Creator)}
}
