package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// reporting are the events by which CI reports about a commit, with the action that counts; a status has none.
// https://docs.github.com/en/webhooks/webhook-events-and-payloads
var reporting = map[string]string{"check_suite": "completed", "workflow_run": "completed", "status": ""}

// Reports reports whether CI reports about a commit by an event of GitHub's with an action.
func Reports(event, action string) bool {
	counts, ok := reporting[event]
	return ok && action == counts
}

// ciReport has the fields of such an event that tenon needs.
type ciReport struct {
	Action       string     `json:"action"`
	Installation ref        `json:"installation"`
	Repository   repository `json:"repository"`
	CheckSuite   *struct {
		HeadSHA string `json:"head_sha"`
		App     app    `json:"app"`
	} `json:"check_suite"`
	WorkflowRun *struct {
		HeadSHA string `json:"head_sha"`
	} `json:"workflow_run"`
	// SHA and State are those of a status.
	SHA   string `json:"sha"`
	State string `json:"state"`
}

// report handles an event by which CI may report about a commit. The response is 204 if nothing waits for that, as of
// most commits: these cost no more than a note. While a delivery waits for its note, its body has no room any more that
// commands may need.
func (h *Handler) report(ctx context.Context, w http.ResponseWriter, d delivery, b *body) {
	repo, sha, err := decodeReport(d.event, d.body, h.slug())
	d.body = nil
	h.room.leave(b)
	if errors.Is(err, ErrUnneeded) || err == nil && h.reported == nil {
		h.log.DebugContext(ctx, "delivery not needed", "delivery", d.id, "event", d.event)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err != nil {
		h.refuse(ctx, w, d, err)
		return
	}
	limited, cancel := context.WithTimeoutCause(ctx, storeTimeout, errStoreTimeout)
	defer cancel()
	followed, err := h.reported(limited, repo, sha)
	switch {
	case err != nil:
		refused := notAccepted(err)
		refused.told = true // by the queue, less often
		h.refuse(ctx, w, d, refused)
	case !followed:
		w.WriteHeader(http.StatusNoContent)
	default:
		h.log.DebugContext(ctx, "CI reported", "delivery", d.id, "event", d.event, "repo", repo.String(), "commit", sha)
		respond(w, http.StatusAccepted, "accepted")
	}
}

// decodeReport returns the commit about which CI reports. The error is ErrUnneeded, or a *refusal that names the field.
func decodeReport(event string, body []byte, slug string) (repo port.RepoRef, sha string, err error) {
	var p ciReport
	if err := json.Unmarshal(body, &p); err != nil {
		return repo, "", unreadable(err)
	}
	if p.Action == "" && event != "status" {
		return repo, "", missing("action")
	}
	if !Reports(event, p.Action) {
		return repo, "", fmt.Errorf("%w: CI reports nothing by this action", ErrUnneeded)
	}
	field, sha, err := p.commit(event, slug)
	if err != nil {
		return repo, "", err
	}
	for _, n := range []required{
		{"installation.id", p.Installation.ID > 0},
		{"repository.id", p.Repository.ID > 0},
		{field, objectID.MatchString(sha)},
	} {
		if !n.valid {
			return repo, "", missing(n.field)
		}
	}
	return payload{Installation: p.Installation, Repository: p.Repository}.repo(), sha, nil
}

// commit returns the commit of an event, and the field that has it.
func (p ciReport) commit(event, slug string) (field, sha string, err error) {
	switch {
	case event == "check_suite" && p.CheckSuite == nil:
		return "", "", missing("check_suite")
	case event == "check_suite" && slug != "" && strings.EqualFold(p.CheckSuite.App.Slug, slug):
		return "", "", fmt.Errorf("%w: the checks are tenon's own", ErrUnneeded)
	case event == "check_suite":
		return "check_suite.head_sha", p.CheckSuite.HeadSHA, nil
	case event == "workflow_run" && p.WorkflowRun == nil:
		return "", "", missing("workflow_run")
	case event == "workflow_run":
		return "workflow_run.head_sha", p.WorkflowRun.HeadSHA, nil
	case p.State == "":
		return "", "", missing("state")
	case p.State == "pending":
		return "", "", fmt.Errorf("%w: the status is pending", ErrUnneeded)
	}
	return "sha", p.SHA, nil
}
