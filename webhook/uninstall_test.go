package webhook_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/gorilla/mux"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/webhook"
)

// uninstalls is a server that notes which installations were removed, or fails.
func uninstalls(t *testing.T, fail error) (s server, gone *[]int64) {
	t.Helper()
	gone = &[]int64{}
	queue := &memory{}
	h, err := webhook.New(webhook.Options{Secret: []byte(secret), Queue: queue, Slug: func() string { return "tenon" },
		Uninstalled: func(_ context.Context, installation int64) error {
			*gone = append(*gone, installation)
			return fail
		}})
	require.NoError(t, err)
	router := mux.NewRouter()
	h.Routes(router)
	return server{router, queue}, gone
}

func TestAnUninstalledAppIsTold(t *testing.T) {
	t.Parallel()
	s, gone := uninstalls(t, nil)
	for _, action := range []string{"created", "suspend", "new_permissions_accepted"} {
		w := s.deliver("installation", []byte(`{"action":"`+action+`","installation":{"id":55001}}`))
		require.Equal(t, http.StatusNoContent, w.Code, action)
	}
	require.Empty(t, *gone)
	w := s.deliver("installation",
		[]byte(`{"action":"deleted","installation":{"id":55001,"account":{"login":"o"}},"sender":{"id":1}}`))
	require.Equal(t, http.StatusAccepted, w.Code, w.Body)
	require.Equal(t, []int64{55001}, *gone)
	require.Empty(t, s.queue.events, "it is no command")
}

func TestAnUninstalledAppThatCannotBeNotedIsDeliveredAgain(t *testing.T) {
	t.Parallel()
	s, _ := uninstalls(t, errors.New("the disk is full"))
	w := s.deliver("installation", []byte(`{"action":"deleted","installation":{"id":55001,"account":{"login":"o"}}}`))
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.True(t, webhook.Needs("installation", "deleted"), "so that it is asked for again")
}

func TestAnInstallationThatIsNotNamedIsRefused(t *testing.T) {
	t.Parallel()
	s, gone := uninstalls(t, nil)
	for _, body := range []string{`{"action":"deleted"}`, `{"action":"deleted","installation":{"id":-1}}`,
		`{"action":"deleted","installation":{"id":1},"comment":{"id":2}}`, `{}`, `[`, ``} {
		w := s.deliver("installation", []byte(body))
		require.Equal(t, http.StatusBadRequest, w.Code, body)
	}
	require.Empty(t, *gone)
	require.Equal(t, http.StatusNoContent,
		newServer(t).deliver("installation", []byte(`{"action":"deleted","installation":{"id":1,"account":{}}}`)).Code,
		"nobody listens")
}
