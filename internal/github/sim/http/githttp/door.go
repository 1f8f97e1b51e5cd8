// Package githttp serves git over HTTP, by git http-backend, and in the same process.
package githttp

import (
	"net/http"
	"sync"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
	"github.com/tenon-bot/tenon/internal/github/sim/http/transport"
)

// Door serves git.
type Door struct {
	*entity.Core
	acts  sim.Acts
	watch *traffic.Watch
	work  *sync.WaitGroup // has the processes of git
}

// New returns the door to the repositories. work has the processes of git.
func New(core *entity.Core, acts sim.Acts, watch *traffic.Watch, work *sync.WaitGroup) Door {
	return Door{core, acts, watch, work}
}

// gitCall is one git request.
type gitCall struct {
	service string // "git-upload-pack" or "git-receive-pack"
	repo    *entity.Repository
	token   *entity.Token // nil for an anonymous reader of a public repository
	info    bool          // the advertisement of refs
	lent    []string      // of a fork: the refs that a token of its base may push to
}

func plain(status int, text string) *transport.Recorder {
	a := transport.NewRecorder(status)
	a.Header().Set("Content-Type", "text/plain; charset=utf-8")
	a.Body.WriteString(text + "\n")
	return a
}

func unauthorized(text string) *transport.Recorder {
	a := plain(http.StatusUnauthorized, text)
	a.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
	return a
}
