package simhttp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// inbox is a webhook that keeps deliveries.
type inbox struct {
	server *simhttp.Server // whose deliveries they are
	mu     sync.Mutex
	heads  []http.Header
	bodies [][]byte
	status int
}

func (in *inbox) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	in.mu.Lock()
	in.heads, in.bodies = append(in.heads, r.Header), append(in.bodies, data)
	status := in.status
	in.mu.Unlock()
	rw.WriteHeader(status)
	_, _ = io.WriteString(rw, "seen")
}

// name returns the event and the action of a delivery.
func (in *inbox) name(i int) string {
	in.mu.Lock()
	defer in.mu.Unlock()
	var o struct{ Action string }
	_ = json.Unmarshal(in.bodies[i], &o)
	return strings.TrimSpace(in.heads[i].Get("X-GitHub-Event") + " " + o.Action)
}

func (in *inbox) set(status int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.status = status
}

func (w *world) subscribe() *inbox {
	in := &inbox{server: w.Server, status: http.StatusAccepted}
	srv := httptest.NewServer(in)
	w.t.Cleanup(srv.Close)
	w.SetHookURL(srv.URL)
	return in
}

// last returns the headers and the payload of the newest delivery.
func (in *inbox) last(t *testing.T) (http.Header, map[string]any) {
	t.Helper()
	return in.newest(t, func(http.Header) bool { return true })
}

// lastOf returns the payload of the newest delivery of an event.
func (in *inbox) lastOf(t *testing.T, event string) map[string]any {
	t.Helper()
	_, o := in.newest(t, func(h http.Header) bool { return h.Get("X-GitHub-Event") == event })
	return o
}

// newest returns the delivery that was made last of those that are wanted. Deliveries arrive in any order.
func (in *inbox) newest(t *testing.T, wanted func(http.Header) bool) (http.Header, map[string]any) {
	t.Helper()
	in.server.WaitDeliveries()
	made := map[string]int{}
	for i, d := range in.server.Deliveries() {
		made[d.GUID] = i
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	found := -1
	for i, h := range in.heads {
		if wanted(h) && (found < 0 || made[h.Get("X-GitHub-Delivery")] >= made[in.heads[found].Get("X-GitHub-Delivery")]) {
			found = i
		}
	}
	require.GreaterOrEqual(t, found, 0, "nothing was delivered")
	var o map[string]any
	require.NoError(t, json.Unmarshal(in.bodies[found], &o))
	return in.heads[found], o
}

// A push by the App moves its pull request, and the App gets that delivery too.
func TestThePushOfTheAppIsDelivered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	in := w.subscribe()
	clone := w.clone("feature")
	commitFile(t, clone, "x", "x\n")
	out, err := git(t, clone, "push", "origin", "feature")
	require.NoError(t, err, out)
	w.WaitDeliveries()
	o := in.lastOf(t, "pull_request")
	require.Equal(t, "synchronize", o["action"])
	require.Equal(t, w.head(), o["after"])
	require.Equal(t, "Bot", o["sender"].(map[string]any)["type"])
}

// "A redelivery keeps its GUID", its id is new, and the payload is the same.
func TestARedeliveryKeepsItsGUID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	in.set(503)
	id, err := w.Comment("alice", repo, w.pull, "first")
	require.NoError(t, err)
	first := w.Deliveries()[0]
	require.Equal(t, 503, first.Status)
	require.NoError(t, w.EditComment("alice", id, "edited"))
	in.set(202)

	list := w.call("GET", "app/hook/deliveries?per_page=1", w.jwt(nil), "")
	require.Len(t, list.list(), 1, "newest first")
	require.Contains(t, list.header.Get("Link"), "cursor=")
	require.Equal(t, "edited", list.list()[0].(map[string]any)["action"])
	cursor := list.header.Get("Link")
	cursor = cursor[strings.Index(cursor, "cursor=")+len("cursor=") : strings.Index(cursor, ">")]
	item := w.call("GET", "app/hook/deliveries?cursor="+cursor, w.jwt(nil), "").list()[0].(map[string]any)
	require.Equal(t, first.GUID, item["guid"])
	require.Equal(t, "503", fmt.Sprint(item["status_code"]))

	r := w.call("POST", fmt.Sprintf("app/hook/deliveries/%d/attempts", first.ID), w.jwt(nil), "")
	require.Equal(t, 202, r.status)
	w.WaitDeliveries()
	again := w.Deliveries()[2]
	require.Equal(t, first.GUID, again.GUID)
	require.NotEqual(t, first.ID, again.ID)
	require.True(t, again.Redelivery)
	require.Equal(t, in.bodies[0], in.bodies[2])
	full := w.call("GET", fmt.Sprintf("app/hook/deliveries/%d", again.ID), w.jwt(nil), "").object()
	require.Equal(t, "created", full["request"].(map[string]any)["payload"].(map[string]any)["action"])

	twin, err := w.Duplicate(first.GUID)
	require.NoError(t, err)
	require.Equal(t, first.GUID, twin.GUID)
	require.False(t, twin.Redelivery)
	_, err = w.Redeliver("no such")
	require.Error(t, err)
	w.refused(w.call("POST", "app/hook/deliveries/1/attempts", w.jwt(nil), ""), 404, "Not Found")
	w.refused(w.call("GET", "app/hook/deliveries?cursor=v1_1", w.jwt(nil), ""), 422, "cursor")
	w.refused(w.call("GET", "app/hook/deliveries?status=maybe", w.jwt(nil), ""), 422, "status")
	require.Len(t, w.call("GET", "app/hook/deliveries?status=failure", w.jwt(nil), "").list(), 2)
	w.refused(w.as("GET", "app/hook/deliveries", ""), 401, "could not be decoded")
	w.clock.forward(72 * time.Hour)
	require.Empty(t, w.call("GET", "app/hook/deliveries", w.jwt(nil), "").list(), "only those of the past three days")
	w.refused(w.call("POST", fmt.Sprintf("app/hook/deliveries/%d/attempts", first.ID), w.jwt(nil), ""), 404, "Not Found")
}
