package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAddressForOperatorsThatIsTakenIsNamed(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	a := &app{observation: newObservation(), log: slog.New(slog.DiscardHandler)}
	_, err = listenForAdmin(t.Context(), taken.Addr().String(), a, a.log)
	require.ErrorContains(t, err, "TENON_ADMIN_LISTEN sets the address")
	none, err := listenForAdmin(t.Context(), "", a, a.log)
	require.NoError(t, err)
	require.NoError(t, none.serve(t.Context()), "there is none by default")
}

func TestAProfileDelaysNoShutdown(t *testing.T) {
	t.Parallel()
	a := &app{observation: newObservation(), log: slog.New(slog.DiscardHandler)}
	operators, err := listenForAdmin(t.Context(), "127.0.0.1:0", a, a.log)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	operators.server.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateActive { // the request is there
			stop()
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- operators.serve(ctx) }()
	resp, err := http.Get("http://" + operators.listener.Addr().String() + "/debug/pprof/heap?seconds=600")
	if err == nil {
		_ = resp.Body.Close()
	}
	require.NoError(t, <-ended)
}
