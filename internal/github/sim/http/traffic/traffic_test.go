package traffic_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// Concurrent requests count as one step.
func TestRequestsInTurn(t *testing.T) {
	t.Parallel()
	at := func(start, end int) traffic.Request {
		return traffic.Request{Start: time.Unix(int64(start), 0), End: time.Unix(int64(end), 0)}
	}
	require.Equal(t, 3, traffic.InTurn([]traffic.Request{at(0, 9), at(0, 1), at(1, 3), at(2, 4), at(4, 8),
		{Start: time.Unix(20, 0)}}))
	require.Zero(t, traffic.InTurn(nil))
}

func TestTheLogOfRequests(t *testing.T) {
	t.Parallel()
	watch := &traffic.Watch{}
	log := traffic.Of(watch)
	answered := log.Answered()
	for _, c := range [][2]string{{"/api/v3/user", "/user"}, {"/api/graphql", "/graphql"},
		{"/a/b.git/info/refs", "git-upload-pack"}, {"/logs/1", traffic.LogRoute}} {
		watch.Begin(httptest.NewRequest(http.MethodGet, c[0]+"?q", nil), c[1])
	}
	var kinds []traffic.Kind
	for _, r := range log.Requests() {
		kinds = append(kinds, r.Kind())
		require.Equal(t, "q", r.Query)
	}
	require.Equal(t, []traffic.Kind{traffic.KindREST, traffic.KindGraphQL, traffic.KindGit, traffic.KindLog}, kinds)
	require.Len(t, traffic.OfKind(log.Requests(), traffic.KindGit, traffic.KindLog), 2)
	entry := watch.Begin(httptest.NewRequest(http.MethodGet, "/", nil), "")
	watch.Note(entry, &entity.Token{Installation: &entity.Installation{ID: 5}})
	watch.End(entry, 200)
	<-answered
	last := log.Requests()[4]
	require.Equal(t, []any{int64(5), 200}, []any{last.Installation, last.Status})
	log.ForgetRequests()
	require.Empty(t, log.Requests())
}
