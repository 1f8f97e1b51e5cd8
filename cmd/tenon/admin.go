package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof" //nolint:gosec // nothing serves http.DefaultServeMux
	"time"

	"github.com/gorilla/mux"
)

// admin is the listener for operators. Nobody has to log in, so it is not that of the webhook.
type admin struct {
	listener net.Listener
	server   *http.Server
}

// listenForAdmin opens the listener for operators; nil without an address.
func listenForAdmin(ctx context.Context, address string, a *app, log *slog.Logger) (*admin, error) {
	if address == "" {
		return nil, nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening on %s: %w (is another program using it? TENON_ADMIN_LISTEN sets the address)",
			address, err)
	}
	log.InfoContext(ctx, "listening for operators", "address", l.Addr().String())
	return &admin{l, &http.Server{
		Handler:           a.adminRoutes(),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		// A profile may take minutes, so that responses have no limit.
		IdleTimeout: 2 * time.Minute,
		ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}}, nil
}

// serve serves operators until ctx ends. It waits for no response: a profile may take minutes.
func (a *admin) serve(ctx context.Context) error {
	if a == nil {
		return nil
	}
	defer context.AfterFunc(ctx, func() { _ = a.server.Close() })()
	if err := a.server.Serve(a.listener); ctx.Err() == nil {
		return fmt.Errorf("serving operators on %s: %w", a.listener.Addr(), err)
	}
	return nil
}

func (a *app) adminRoutes() http.Handler {
	r := mux.NewRouter()
	r.Handle("/metrics", a.observation.metrics.Handler(a.log)).Methods(http.MethodGet, http.MethodHead)
	r.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	r.HandleFunc("/debug/pprof/profile", pprof.Profile)
	r.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	r.HandleFunc("/debug/pprof/trace", pprof.Trace)
	r.PathPrefix("/debug/pprof/").HandlerFunc(pprof.Index)
	a.health(r)
	r.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, "tenon, for operators: /metrics /healthz /readyz /debug/pprof/")
	}).Methods(http.MethodGet, http.MethodHead)
	return r
}
