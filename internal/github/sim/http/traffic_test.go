package simhttp_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
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
	require.Len(t, traffic.OfKind(all, traffic.KindREST), 1)
	require.Len(t, traffic.OfKind(all, traffic.KindGraphQL), 1)
	require.GreaterOrEqual(t, len(traffic.OfKind(all, traffic.KindGit)), 2)
	require.Equal(t, 2, traffic.InTurn(traffic.OfKind(all, traffic.KindREST, traffic.KindGraphQL)))
}
