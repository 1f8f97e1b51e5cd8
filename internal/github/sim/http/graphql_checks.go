package simhttp

import (
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
	"github.com/tenon-bot/tenon/internal/github/sim/http/graphql"
)

// rollupNode returns StatusCheckRollup, or null for a commit without check runs and statuses. Without checks:read or
// statuses:read, GitHub refuses the contexts of that kind one by one, and without both the whole rollup.
func (c nodes) rollupNode(sha string) (any, error) {
	noChecks, noStatuses := c.lacking("checks:read"), c.lacking("statuses:read")
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
	list := graphql.Connection("contexts", contexts, func(item any) any {
		switch item := item.(type) {
		case *entity.CheckRun:
			if noChecks != nil {
				return noChecks
			}
			return c.checkNode(item)
		case *entity.CommitStatus:
			if noStatuses != nil {
				return noStatuses
			}
			return c.statusNode(item)
		}
		return nil
	})
	return entity.Object{"__typename": "StatusCheckRollup", "id": sim.NodeID("SCR", c.repo.ID) + sha[:8], "state": state,
		"contexts": graphql.Pager(func(args map[string]any, items bool) (any, error) {
			page, err := list(args, items)
			if o, is := page.(entity.Object); is {
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
func (c nodes) checkNode(run *entity.CheckRun) entity.Object {
	page := c.CheckPage(run)
	return entity.Object{"__typename": "CheckRun", "id": sim.NodeID("CR", run.ID), "databaseId": run.ID, "name": run.Name,
		"status": strings.ToUpper(run.Status), "conclusion": form.TextOrNull(strings.ToUpper(run.Conclusion)),
		"startedAt": form.Time(run.Started), "completedAt": form.TimeOrNull(run.Completed),
		"title": form.TextOrNull(run.Title), "summary": run.Summary, "text": run.Text,
		"externalId": form.TextOrNull(run.ExternalID), "url": page, "permalink": page,
		"detailsUrl": entity.OrElse(run.Details, page), "checkSuite": c.suiteNode(run.Suite),
		"annotations": graphql.Connection("annotations", run.Annotations, annotationNode)}
}

// suiteNode returns CheckSuite. Its workflow run needs actions:read.
func (c nodes) suiteNode(suite *entity.CheckSuite) entity.Object {
	status, conclusion := c.SuiteState(suite)
	app := c.form.SuiteApp(suite)
	return entity.Object{"__typename": "CheckSuite", "id": sim.NodeID("CS", suite.ID), "databaseId": suite.ID,
		"status": strings.ToUpper(status), "conclusion": form.TextOrNull(strings.ToUpper(conclusion)),
		"createdAt": form.Time(suite.Created), "updatedAt": form.Time(suite.Updated),
		"app": entity.Object{"__typename": "App", "id": app["node_id"], "databaseId": app["id"], "name": app["name"],
			"slug": app["slug"]},
		"workflowRun": graphql.Resolver(func(map[string]any) (any, error) {
			if suite.Run == nil {
				return nil, nil
			}
			if err := c.lacking("actions:read"); err != nil {
				return nil, err
			}
			return c.workflowRunNode(suite.Run), nil
		})}
}

// workflowRunNode returns WorkflowRun.
func (c nodes) workflowRunNode(run *entity.WorkflowRun) entity.Object {
	return entity.Object{"__typename": "WorkflowRun", "id": sim.NodeID("WFR", run.ID), "databaseId": run.ID,
		"event": run.Event, "runNumber": run.Number, "url": c.RunPage(run), "createdAt": form.Time(run.Created),
		"updatedAt": form.Time(run.Updated),
		"workflow": entity.Object{"__typename": "Workflow", "id": sim.NodeID("W", run.Workflow.ID),
			"databaseId": run.Workflow.ID, "name": run.Workflow.Name}}
}

func annotationNode(a entity.Annotation) entity.Object {
	place := func(line, column *int) entity.Object {
		return entity.Object{"__typename": "CheckAnnotationPosition", "line": line, "column": column}
	}
	return entity.Object{"__typename": "CheckAnnotation", "path": *a.Path, "message": *a.Message,
		"title": form.TextOrNull(a.Title), "rawDetails": form.TextOrNull(a.RawDetails),
		"annotationLevel": strings.ToUpper(a.Level),
		"location": entity.Object{"__typename": "CheckAnnotationSpan", "start": place(a.StartLine, a.StartColumn),
			"end": place(a.EndLine, a.EndColumn)}}
}

// statusNode returns StatusContext.
func (c nodes) statusNode(st *entity.CommitStatus) entity.Object {
	return entity.Object{"__typename": "StatusContext", "id": sim.NodeID("SC", st.ID), "context": st.Context,
		"state": strings.ToUpper(st.State), "description": form.TextOrNull(st.Description),
		"targetUrl": form.TextOrNull(st.Target), "createdAt": form.Time(st.Created), "creator": c.actorNode(st.Creator)}
}
