package attacks

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

var apiRedirect = Attack{
	Name:      "api-redirect",
	Surface:   Redirect,
	Mechanism: "A request with a token is redirected to another host.",
	Defence:   "Tokens go to GitHub's own base URLs only.",
	Act: func(w *World) {
		for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
			w.FailNext(func(r *http.Request) bool { return !strings.HasSuffix(r.URL.Path, "/access_tokens") }, 2,
				traffic.Failure{Status: status, Header: http.Header{"Location": {w.Evil + "/api"}}})
		}
	},
}
