package webhook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/bot/port"
)

// Path is the URL path of the webhook.
const Path = "/webhook"

// Queue accepts events. Submit returns nil only when the event is stored, or a delivery with the same id was stored
// before. An error may say how long to wait, by RetryAfter() time.Duration.
type Queue interface {
	Submit(ctx context.Context, ev port.Event) error
}

// Options configure a Handler.
type Options struct {
	// Secret is the webhook secret that the App shares with GitHub. It must not be empty.
	Secret []byte
	Queue  Queue
	// Uninstalled is called when an owner removed the App: what is stored of the installation is no longer wanted. It may
	// be called again for the same installation. nil ignores such deliveries.
	Uninstalled func(ctx context.Context, installation int64) error
	// Reported is called when CI reports about a commit; it knows no branch. followed is true if something
	// waits for that. nil ignores such deliveries.
	Reported func(ctx context.Context, repo port.RepoRef, sha string) (followed bool, err error)
	// Slug returns the App's name in URLs, by which "@slug" addresses it; "slug[bot]" is its login. It returns "" while
	// the name is not known yet: then whatever may be a command is accepted. Safe for concurrent use.
	Slug func() string
	// RepositoriesChanged is told of an installation to which repositories were added or from which they were removed;
	// nil: nobody is told.
	RepositoriesChanged func(installation int64)
	// Memory is how many bytes the bodies of all deliveries may take together; 0 means 64 MiB.
	Memory int
	// Trust is called with the context of a request when its signature is right; nil does nothing.
	Trust func(ctx context.Context)
	// Refused is called when a delivery was refused that could be accepted at another time, with 503. A limit of commands
	// is no such reason. nil: nobody is told.
	Refused func()
	// Observe returns a handler that does what its argument does, and observes it; nil does not. Routes calls it.
	Observe func(http.Handler) http.Handler
	// Log gets one record per delivery; nil discards them.
	Log *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Handler handles POST /webhook. Safe for concurrent use. Time limits of headers and response are the server's.
type Handler struct {
	secret []byte
	queue  Queue
	slug   func() string
	log    *slog.Logger
	now    func() time.Time
	gone   func(ctx context.Context, installation int64) error
	// reported is Options.Reported.
	reported func(ctx context.Context, repo port.RepoRef, sha string) (bool, error)
	// repositoriesChanged is Options.RepositoriesChanged.
	repositoriesChanged func(installation int64)
	// refused is Options.Refused.
	refused func()
	// observe is Options.Observe.
	observe func(http.Handler) http.Handler
	// trust is Options.Trust.
	trust func(ctx context.Context)
	room  *room
}

// New returns a Handler, or an error for a missing option.
func New(opts Options) (*Handler, error) {
	if len(opts.Secret) == 0 {
		return nil, errors.New("the webhook secret is empty: without one anybody could forge deliveries; " +
			"set the same secret here and in the GitHub App's settings")
	}
	if opts.Queue == nil {
		return nil, errors.New("the webhook has no queue to accept deliveries into")
	}
	if opts.Slug == nil {
		return nil, errors.New("the webhook does not know the App's name")
	}
	h := &Handler{
		secret: opts.Secret, queue: opts.Queue, slug: opts.Slug, log: opts.Log, now: opts.Now,
		gone: opts.Uninstalled, reported: opts.Reported, repositoriesChanged: opts.RepositoriesChanged,
		refused: opts.Refused, trust: opts.Trust, room: newRoom(cmp.Or(opts.Memory, defaultMemory)),
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	if h.observe = opts.Observe; h.observe == nil {
		h.observe = func(next http.Handler) http.Handler { return next }
	}
	if h.refused == nil {
		h.refused = func() {}
	}
	if h.trust == nil {
		h.trust = func(context.Context) {}
	}
	if h.now == nil {
		h.now = time.Now
	}
	return h, nil
}

// Routes adds the handler to a router. It handles every method of its path, to tell which one is allowed, with a slash
// at the end too: a redirect would lose the delivery. Deliveries to any other path that the router does not know are
// refused with a text that names the right one.
func (h *Handler) Routes(r *mux.Router) {
	r.SkipClean(true) // or "//webhook" would be a redirect
	deliveries := h.observe(h)
	r.Handle(Path, deliveries)
	r.Handle(Path+"/", deliveries)
	r.NotFoundHandler = http.HandlerFunc(h.elsewhere)
	r.MethodNotAllowedHandler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-GitHub-Event") != "" {
			h.elsewhere(w, r)
			return
		}
		respond(w, http.StatusMethodNotAllowed, r.Method+" is not for this path")
	})
}

// elsewhere refuses a request to a path that there is not. One that may be GitHub's is logged: the webhook's URL is
// wrong then.
func (h *Handler) elsewhere(w http.ResponseWriter, r *http.Request) {
	if path.Clean("/"+r.URL.Path) == Path { // as of a base URL with a slash at its end
		h.ServeHTTP(w, r)
		return
	}
	refused := refuse(http.StatusNotFound, "there is nothing at this path: tenon takes GitHub's deliveries at %s; "+
		"correct the webhook URL in the GitHub App's settings", Path)
	if r.Header.Get("X-GitHub-Event") == "" {
		respond(w, refused.status, refused.text)
		return
	}
	refused.cause = fmt.Errorf("the delivery came to the path %.80q, and not to %s: correct the webhook URL in the "+
		"GitHub App's settings", r.URL.Path, Path)
	h.refuse(r.Context(), w, claimed(r.Header), refused)
}

// ServeHTTP handles one delivery. It responds 202 when the event is queued or wakes one, 204 when it is not needed, 200
// to GitHub's ping, and otherwise with a refusal, whose body says what was wrong and what to do.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	b := h.room.enter(func() { _ = control.SetReadDeadline(time.Unix(1, 0)) })
	defer h.room.leave(b)
	d, err := h.receive(w, r, b)
	if err != nil {
		// What is left of the body is not worth waiting for.
		_ = control.SetReadDeadline(time.Now().Add(drainTime))
		w.Header().Set("Connection", "close")
		h.refuse(r.Context(), w, d, err)
		return
	}
	h.trust(r.Context())
	h.note(r.Context(), d)
	if d.event == "ping" {
		respond(w, http.StatusOK, "pong: the signature is right, deliveries reach tenon")
		return
	}
	if d.event == uninstallEvent {
		h.uninstall(r.Context(), w, d)
		return
	}
	if _, ok := reporting[d.event]; ok {
		h.report(r.Context(), w, d, b)
		return
	}
	h.noteRepositories(d)
	ev, at, err := decode(d.event, d.body, appReceiver(h.slug()))
	if err == nil {
		err = h.checkAge(at)
	}
	switch {
	case errors.Is(err, ErrUnneeded):
		h.log.DebugContext(r.Context(), "delivery not needed", "delivery", d.id, "event", d.event, "reason", err.Error())
		w.WriteHeader(http.StatusNoContent)
		return
	case err != nil:
		h.refuse(r.Context(), w, d, err)
		return
	}
	ev.Delivery, ev.Received = d.id, h.now().UTC()
	if ev.Origin() == "" {
		ev.Signed = d.signed
	}
	h.submit(r.Context(), w, d, ev)
}

// noteRepositories tells of changes of the repositories of an installation. GitHub delivers these to every App.
func (h *Handler) noteRepositories(d delivery) {
	var p payload
	if d.event != "installation_repositories" || h.repositoriesChanged == nil || json.Unmarshal(d.body, &p) != nil {
		return
	}
	h.repositoriesChanged(p.Installation.ID)
}

// maxAge is how old a comment may be whose delivery is accepted. GitHub sends deliveries of the last three days again,
// and older Enterprise Servers those of the last thirty. Whoever recorded an older one could send it again when the
// queue has forgotten it: the queue must remember what it accepted for longer than this.
const maxAge = 30 * 24 * time.Hour

// checkAge refuses an event that GitHub does not deliver any more, of something that was last changed at a time.
func (h *Handler) checkAge(at time.Time) error {
	if at.IsZero() || h.now().Sub(at) <= maxAge {
		return nil
	}
	return refuse(http.StatusBadRequest, "the payload is from %s, and GitHub delivers none of more than %d days ago: "+
		"give the command in a new comment", at.Format(time.DateOnly), maxAge/(24*time.Hour))
}

// storeTimeout is how long storing a delivery may take: GitHub waits 10 seconds for a response, and shows the reason of
// a refusal that comes before.
// https://docs.github.com/en/webhooks/using-webhooks/handling-webhook-deliveries
const storeTimeout = 8 * time.Second

var errStoreTimeout = fmt.Errorf("the database did not answer within %v", storeTimeout)

func (h *Handler) submit(ctx context.Context, w http.ResponseWriter, d delivery, ev port.Event) {
	limited, cancel := context.WithTimeoutCause(ctx, storeTimeout, errStoreTimeout)
	defer cancel()
	if err := h.queue.Submit(limited, ev); err != nil {
		h.refuse(ctx, w, d, notAccepted(err))
		return
	}
	h.log.InfoContext(ctx, "delivery accepted",
		"delivery", d.id, "event", d.event, "repo", ev.Repo.String(), "thread", ev.Thread.Number)
	respond(w, http.StatusAccepted, "accepted")
}

func (h *Handler) refuse(ctx context.Context, w http.ResponseWriter, d delivery, err error) {
	var refused *refusal
	if !errors.As(err, &refused) {
		refused = &refusal{status: http.StatusInternalServerError, text: "an internal error; its cause is in tenon's log"}
	}
	level := slog.LevelWarn
	if refused.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	if refused.told {
		level = slog.LevelDebug
	}
	h.log.Log(ctx, level, "delivery refused", "delivery", d.id, "event", d.event, "status", refused.status, "error", err)
	if refused.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	if refused.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(refused.retryAfter/time.Second)))
	}
	respond(w, refused.status, refused.text)
	if _, limited := errors.AsType[*port.TooMany](err); refused.status == http.StatusServiceUnavailable && !limited {
		h.refused()
	}
}

// respond responds with one line of text. An error, of a client that is gone, is ignored.
func respond(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, fmt.Sprintln(text))
}
