package simhttp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// Requests are distinguished by kind, and concurrent ones count as one step.
func TestTraffic(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	w.ForgetRequests()
	w.as("GET", "repos/"+repo, "")
	w.succeeds(w.ask(w.token, `{repository(owner:"acme",name:"app"){id}}`, nil))
	w.clone("feature")
	all := w.Requests()
	require.Len(t, simhttp.OfKind(all, simhttp.KindREST), 1)
	require.Len(t, simhttp.OfKind(all, simhttp.KindGraphQL), 1)
	require.GreaterOrEqual(t, len(simhttp.OfKind(all, simhttp.KindGit)), 2)
	require.Equal(t, 2, simhttp.InTurn(simhttp.OfKind(all, simhttp.KindREST, simhttp.KindGraphQL)))

	at := func(start, end int) simhttp.Request {
		return simhttp.Request{Start: time.Unix(int64(start), 0), End: time.Unix(int64(end), 0)}
	}
	require.Equal(t, 3, simhttp.InTurn([]simhttp.Request{at(0, 9), at(0, 1), at(1, 3), at(2, 4), at(4, 8),
		{Start: time.Unix(20, 0)}}))
	require.Zero(t, simhttp.InTurn(nil))
}
