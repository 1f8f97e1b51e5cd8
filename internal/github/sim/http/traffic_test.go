package simhttp_test

import (
	"testing"

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
}
