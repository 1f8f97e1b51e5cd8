package webhook

import (
	"context"
	"encoding/json"
	"log/slog"
)

// notice is what the log tells of deliveries that say where the App is installed, and that the webhook works. GitHub
// delivers them to every App, whatever it is subscribed to.
type notice struct {
	Action       string `json:"action"`
	HookID       int64  `json:"hook_id"`
	Installation struct {
		ID        int64  `json:"id"`
		Account   user   `json:"account"`
		Selection string `json:"repository_selection"`
	} `json:"installation"`
	Repositories []struct{} `json:"repositories"`
	Added        []struct{} `json:"repositories_added"`
	Removed      []struct{} `json:"repositories_removed"`
	Sender       user       `json:"sender"`
}

// installed are the texts for the actions of an installation. What is told of an uninstalled App is told when it is
// noted.
var installed = map[string]string{
	"created":                  "the App was installed",
	"suspend":                  "the App was suspended: its commands are refused until it is unsuspended",
	"unsuspend":                "the App was unsuspended",
	"new_permissions_accepted": "new permissions of the App were accepted",
}

// note logs a delivery that is about the App itself. It changes nothing, and nobody is answered.
func (h *Handler) note(ctx context.Context, d delivery) {
	if d.event != "ping" && d.event != uninstallEvent && d.event != "installation_repositories" {
		return
	}
	var n notice
	if json.Unmarshal(d.body, &n) != nil {
		return // whatever reads it refuses it
	}
	log := h.log.With("delivery", d.id, "event", d.event)
	where := []any{slog.String("account", clip(n.Installation.Account.Login)),
		slog.Int64("installation", n.Installation.ID), slog.String("by", clip(n.Sender.Login))}
	switch text := installed[n.Action]; {
	case d.event == "ping":
		log.InfoContext(ctx, "GitHub's ping arrived: the webhook's URL and secret are right", "hook", n.HookID)
	case d.event == "installation_repositories":
		log.InfoContext(ctx, "the repositories of an installation changed", append(where, "added", len(n.Added),
			"removed", len(n.Removed))...)
	case n.Action == "created":
		log.InfoContext(ctx, text, append(where, "repositories", len(n.Repositories), //nolint:sloglint // of a table
			"selection", clip(n.Installation.Selection))...)
	case text != "":
		log.InfoContext(ctx, text, where...) //nolint:sloglint // of a table
	}
}

// clip bounds a text of a payload in the log.
func clip(text string) string {
	const most = 100
	if len(text) > most {
		return text[:most]
	}
	return text
}
