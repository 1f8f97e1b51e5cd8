package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/bot/port"
)

// Path is where the deliveries arrive, below the server's root.
const Path = "/webhook"

// Queue takes events over. Submit returns nil only when the event is safe: stored, or known from an earlier delivery with
// the same id. An error may say how long to wait by RetryAfter() time.Duration.
type Queue interface {
	Submit(ctx context.Context, ev port.Event) error
}

// Options say what a Handler needs.
type Options struct {
	// Secret is the webhook secret that the App shares with GitHub. It must not be empty.
	Secret []byte
	Queue  Queue
	// Slug is the App's name in URLs, by which "@slug" addresses it; "slug[bot]" is its login. It must not be empty.
	Slug string
	// Log gets one record per delivery; nil logs nothing.
	Log *slog.Logger
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Handler answers POST /webhook. Safe for concurrent use. Limits on time (of headers, body and answer) are the server's.
type Handler struct {
	secret []byte
	queue  Queue
	slug   string
	log    *slog.Logger
	now    func() time.Time
	large  chan struct{} // holds one entry per large body that is being read
}

// New makes a Handler, or says what is missing.
func New(opts Options) (*Handler, error) {
	if len(opts.Secret) == 0 {
		return nil, errors.New("the webhook secret is empty: without one anybody could forge deliveries; " +
			"set the same secret here and in the GitHub App's settings")
	}
	if opts.Queue == nil {
		return nil, errors.New("the webhook has no queue to accept deliveries into")
	}
	if opts.Slug == "" {
		return nil, errors.New("the webhook does not know the App's name")
	}
	h := &Handler{secret: opts.Secret, queue: opts.Queue, slug: opts.Slug, log: opts.Log, now: opts.Now, large: make(chan struct{}, largeAtOnce)}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	if h.now == nil {
		h.now = time.Now
	}
	return h, nil
}

// Routes hangs the handler into a router. It answers every method of its path, to say which one is right.
func (h *Handler) Routes(r *mux.Router) { r.Handle(Path, h) }

// ServeHTTP takes one delivery: 202 when it is in the queue, 204 when nobody needs it, 200 for GitHub's ping, else a refusal
// whose body says what was wrong and what to do.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d, err := h.receive(w, r)
	if err != nil {
		h.refuse(r.Context(), w, d, err)
		return
	}
	if d.event == "ping" {
		say(w, http.StatusOK, "pong: the signature is right, deliveries reach tenon")
		return
	}
	ev, err := decode(d.event, d.body, h.slug)
	switch {
	case errors.Is(err, errUnneeded):
		h.log.DebugContext(r.Context(), "delivery not needed", "delivery", d.id, "event", d.event, "reason", err.Error())
		w.WriteHeader(http.StatusNoContent)
		return
	case err != nil:
		h.refuse(r.Context(), w, d, err)
		return
	}
	ev.Delivery, ev.Received = d.id, h.now().UTC()
	h.submit(r.Context(), w, d, ev)
}

func (h *Handler) submit(ctx context.Context, w http.ResponseWriter, d delivery, ev port.Event) {
	if err := h.queue.Submit(ctx, ev); err != nil {
		h.refuse(ctx, w, d, notAccepted(err))
		return
	}
	h.log.InfoContext(ctx, "delivery accepted", "delivery", d.id, "event", d.event, "repo", ev.Repo.String(), "thread", ev.Thread.Number)
	say(w, http.StatusAccepted, "accepted")
}

func (h *Handler) refuse(ctx context.Context, w http.ResponseWriter, d delivery, err error) {
	var no *refusal
	if !errors.As(err, &no) {
		no = &refusal{status: http.StatusInternalServerError, text: "an internal error; its cause is in tenon's log"}
	}
	level := slog.LevelWarn
	if no.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	h.log.Log(ctx, level, "delivery refused", "delivery", d.id, "event", d.event, "status", no.status, "error", err)
	if no.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	if no.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(no.retryAfter/time.Second)))
	}
	say(w, no.status, no.text)
}

// say answers with one line of text. A client that is gone does not get it, which is nobody's error.
func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, fmt.Sprintln(text))
}
