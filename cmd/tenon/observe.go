package main

import (
	"context"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"runtime"
	"time"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/disk"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/llm"
	"github.com/tenon-bot/tenon/internal/metrics"
	"github.com/tenon-bot/tenon/internal/schedule"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/trace"
)

// observation is how operators look into the server. What it decorates behaves as before. Metrics are always counted;
// traces may be nil, which makes none.
type observation struct {
	metrics *metrics.Metrics
	traces  *trace.Tracer
	// schedule bounds what runs do at the same time; nil where there is one run only, which nothing bounds.
	schedule *schedule.Schedule
}

// newObservation returns an observation without traces.
func newObservation() observation {
	var verbs []string
	for _, c := range command.All() {
		verbs = append(verbs, c.Verb)
	}
	return observation{metrics: metrics.New(shortVersion(), verbs)}
}

// bounded returns the observation of a server, which bounds what its runs do at the same time.
func (o observation) bounded(cfg config.Server) observation {
	o.schedule = schedule.New(cfg.Runs, runtime.GOMAXPROCS(0))
	return o
}

// newTracer returns what makes traces, nil if the standard variables do not ask for any.
func newTracer(ctx context.Context, src config.Source, log *slog.Logger) (*trace.Tracer, error) {
	cfg, err := config.LoadTraces(src)
	if err != nil {
		return nil, err
	}
	return trace.New(ctx, trace.Options{Exporter: cfg.Exporter, Version: shortVersion(), Log: log})
}

// lastSpans is how long a shutdown sends what is left of traces.
const lastSpans = 3 * time.Second

// closeTracer sends what is left of traces.
func closeTracer(ctx context.Context, t *trace.Tracer, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastSpans)
	defer cancel()
	if err := t.Close(ctx); err != nil {
		log.WarnContext(ctx, "the last traces could not be sent", "error", err)
	}
}

// github returns the transport of requests to GitHub's API.
func (o observation) github(api string) http.RoundTripper {
	return schedule.Transport(o.traces.Client("github", wholePath, o.metrics.GitHub(api, gh.NewTransport())))
}

// users returns the transport of requests to GitHub's API in the name of people, whose limits are their own.
func (o observation) users() http.RoundTripper {
	return o.traces.Client("github", wholePath, gh.NewTransport())
}

// git returns the client of requests to GitHub's git server.
func (o observation) git() *http.Client {
	return &http.Client{
		Transport: schedule.Transport(o.traces.Client("git", wholePath, o.metrics.Git(http.DefaultTransport)))}
}

// provider returns the client of requests to a model's provider, whose paths and queries may have keys.
func (o observation) provider() *http.Client {
	return &http.Client{Transport: o.traces.Client("model", nil, llm.NewTransport())}
}

func wholePath(path string) string { return path }

// model returns a model whose calls are observed.
func (o observation) model(info port.ModelInfo, next port.Model) port.Model {
	return o.metrics.Model(info, o.traces.Model(info.Name, next))
}

// deliveries returns a webhook whose deliveries are observed.
func (o observation) deliveries(webhook http.Handler) http.Handler {
	return o.traces.Deliveries(o.metrics.Deliveries(webhook))
}

// Step implements port.Observer.
func (o observation) Step(ctx context.Context, name string) (context.Context, func(error)) {
	ctx, counted := o.metrics.Step(ctx, name)
	ctx, traced := o.traces.Step(ctx, name)
	return ctx, func(err error) {
		counted(err)
		traced(err)
	}
}

// watch has the metrics read a store.
func (o observation) watch(st *store.Store, cfg config.Server) {
	from := metrics.Sources{Figures: func(ctx context.Context) (metrics.Figures, error) {
		f, err := st.Figures(ctx)
		return metrics.Figures{Ready: f.Ready, Leased: f.Leased, DeadLetters: f.DeadLetters, Followed: f.Followed,
			Oldest: f.Oldest, Waiting: f.Waiting, ServerTokens: f.ServerTokens, ServerTokensLimit: f.ServerTokensLimit}, err
	}, Load: o.schedule.Load}
	if cfg.DatabaseURL.Reveal() == "" {
		from.Disk = func() (metrics.Disk, error) { return diskOf(cfg.DataDir) }
	}
	o.metrics.Watch(from)
}

// diskOf returns the figures of a data folder and its disk.
func diskOf(folder string) (metrics.Disk, error) {
	space, err := disk.Of(folder)
	if err != nil {
		return metrics.Disk{}, err
	}
	d := metrics.Disk{Free: space.Free, Size: space.Size}
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			d.Database += uint64(info.Size())
		}
		return err
	})
	return d, err
}

// observedBot is a bot whose runs are observed.
type observedBot struct {
	*bot.Bot
	observation
}

// Handle implements store.Handler.
func (b observedBot) Handle(ctx context.Context, ev port.Event) error {
	ctx, end := b.traces.Handle(port.WithObserver(ctx, b.observation), "handle", ev)
	var err error
	if ev.Immediate || ev.Kind == port.Following { // what is quick, or mostly waits, does not queue behind runs for a slot
		err = b.Bot.Handle(ctx, ev)
	} else {
		err = b.schedule.Run(ctx, ev.Repo.Installation, func(ctx context.Context) error { return b.Bot.Handle(ctx, ev) })
	}
	end(err)
	b.metrics.Handled(err)
	return err
}

// DeadLetter implements store.Handler.
func (b observedBot) DeadLetter(ctx context.Context, ev port.Event, cause error) error {
	ctx, end := b.traces.Handle(port.WithObserver(ctx, b.observation), "dead letter", ev)
	err := b.Bot.DeadLetter(ctx, ev, cause)
	end(err)
	return err
}

func newLogger(w io.Writer, cfg config.Server) *slog.Logger {
	opts := &slog.HandlerOptions{Level: cfg.LogLevel, ReplaceAttr: maskError}
	if cfg.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

// maskError returns an attribute of the log; an error, which may quote what others sent, without secrets.
func maskError(_ []string, a slog.Attr) slog.Attr {
	if err, ok := a.Value.Any().(error); ok {
		a.Value = slog.StringValue(secret.Fragment(err.Error()))
	}
	return a
}
