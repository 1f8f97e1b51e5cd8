package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// uninstall handles a delivery about an installation.
func (h *Handler) uninstall(ctx context.Context, w http.ResponseWriter, d delivery) {
	id, err := uninstalled(d.body)
	if err != nil {
		h.refuse(ctx, w, d, err)
		return
	}
	if id == 0 || h.gone == nil {
		h.log.DebugContext(ctx, "delivery not needed", "delivery", d.id, "event", d.event)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	limited, cancel := context.WithTimeoutCause(ctx, storeTimeout, errStoreTimeout)
	defer cancel()
	if err := h.gone(limited, id); err != nil {
		h.refuse(ctx, w, d, notAccepted(err))
		return
	}
	h.log.InfoContext(ctx, "the App was uninstalled", "delivery", d.id, "installation", id)
	respond(w, http.StatusAccepted, fmt.Sprintf("what is stored of installation %d will be deleted", id))
}

// uninstalled returns the installation that was removed; 0 if something else happened to it.
func uninstalled(body []byte) (int64, error) {
	var p struct {
		Action       string `json:"action"`
		Installation struct {
			ID      int64 `json:"id"`
			Account *user `json:"account"`
		} `json:"installation"`
	}
	if err := json.Unmarshal(body, &p); err != nil {
		return 0, unreadable(err)
	}
	switch {
	case p.Action == "":
		return 0, missing("action")
	case p.Action != uninstallAction:
		return 0, nil
	case p.Installation.ID <= 0:
		return 0, missing("installation.id")
	case p.Installation.Account == nil:
		// The name of an event is not signed: this may be a recorded delivery of a deleted comment. All events name their
		// installation, and only its own describe it.
		return 0, missing("installation.account")
	}
	return p.Installation.ID, nil
}
