package attacks

import (
	"net/http"
	"net/url"
	"strings"
)

var forgedSignIn = Attack{
	Name:      "forged-sign-in",
	Surface:   Page,
	Mechanism: "A link completes a maintainer's sign-in through GitHub with a code of the attacker's.",
	Defence:   "A sign-in is completed only by the browser that began it, which alone knows its state.",
	Setup:     func(w *World) { w.HasPages = true },
	Act: func(w *World) {
		callback := w.Pages + "/auth/callback"
		stolen := w.Browser("mallory").stopping(callback).Open(w.GitURL() + "login/oauth/authorize?" + url.Values{
			"client_id": {w.ClientID()}, "redirect_uri": {callback}, "state": {"forged"}}.Encode())
		victim := w.Browser("maria")
		victim.stopping(w.GitURL()).Open(w.Pages + "/auth/start?to=/runs")
		victim.stopping(w.GitURL()).Open(stolen.Location)
		page := victim.stopping(w.GitURL()).Open(w.Pages + "/runs")
		w.aside = strings.Contains(page.Text, "mallory")
	},
	Ask: func(w *World) { w.Says("maria", "/tenon help") },
	Works: func(w *World) bool {
		page := w.Browser("maria").Open(w.Pages + "/runs")
		return page.Status == http.StatusOK && strings.Contains(page.Text, "maria")
	},
	Never: []Effect{{"somebody is signed in as somebody else", func(w *World, _ Left) []string {
		if w.aside {
			return []string{"the page of all runs"}
		}
		return nil
	}}},
}
