package simhttp

import (
	"context"
	"net/http"
	"sync"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
	"github.com/tenon-bot/tenon/internal/github/sim/http/githttp"
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
	"github.com/tenon-bot/tenon/internal/github/sim/http/signin"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// site is what requests come to: a server without the ports on which it listens.
type site struct {
	*entity.Core
	sim.Acts
	opts  Options
	form  form.Forms
	hook  hook.API
	flows *signin.Flows
	git   githttp.Door
	logs  *logHost
	watch *traffic.Watch  // the request log, gates and injected failures, under a lock of their own
	work  *sync.WaitGroup // deliveries and git processes on their way; added to under Core.Mu while Core.Ctx lives

	// What follows is guarded by Core.Mu.
	usage      map[int64]*entity.Usage // by the id of a person
	onDispatch func(sim.WorkflowRun)
}

// siteKey is where the context of a request has its *site.
type siteKey struct{}

// siteOf returns the site of a request.
func siteOf(r *http.Request) *site { return r.Context().Value(siteKey{}).(*site) }

// on returns a handler of the requests to any site.
func on(handle func(s *site, w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { handle(siteOf(r), w, r) }
}

// of returns a request as one to the site.
func (s *site) of(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), siteKey{}, s))
}
