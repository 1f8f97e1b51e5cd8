package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/mux"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/webhook"
)

// The deliveries by which CI reports about a commit.
const (
	suiteDone, workflowDone, statusSet = "check_suite.completed", "workflow_run.completed", "status"

	reportedCommit = "6dcb09b5b57875f334f61aebed695e2e4193db5e"
)

// reports is a server that notes the commits about which CI reports, of which one is followed, or fails.
func reports(t testing.TB, slug string, fail error) (s server, noted *[]string) {
	t.Helper()
	noted = &[]string{}
	queue := &memory{}
	h, err := webhook.New(webhook.Options{Secret: []byte(secret), Queue: queue, Slug: func() string { return slug },
		Now: func() time.Time { return noon },
		Reported: func(_ context.Context, repo port.RepoRef, sha string) (bool, error) {
			require.Positive(t, repo.Installation)
			require.Positive(t, repo.ID)
			*noted = append(*noted, fmt.Sprintf("%d/%d@%s", repo.Installation, repo.ID, sha))
			return sha == reportedCommit, fail
		}})
	require.NoError(t, err)
	router := mux.NewRouter()
	h.Routes(router)
	return server{router, queue}, noted
}

func TestAReportOfCIWakesWhatFollowsItsCommit(t *testing.T) {
	t.Parallel()
	for _, event := range []string{suiteDone, workflowDone, statusSet} {
		s, noted := reports(t, "tenon", nil)
		w := s.deliver(event, payload(t, event))
		require.Equal(t, http.StatusAccepted, w.Code, event)
		require.Equal(t, []string{"55001/1296269@" + reportedCommit}, *noted, event)
		require.Empty(t, s.queue.events, "it is no event of the queue")
	}
}

func TestACommitThatNobodyFollowsNeedsNoReports(t *testing.T) {
	t.Parallel()
	s, noted := reports(t, "tenon", nil)
	other := "f95f852bd8fca8fcc58a9a2d6c842781e32a215e"
	w := s.deliver(statusSet, with(t, statusSet, "sha", other))
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Equal(t, []string{"55001/1296269@" + other}, *noted, "it may be followed soon")
}

func TestWhatIsNoResultOfCIIsNotNeeded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		event string
		body  []byte
	}{
		"a suite that was asked for": {suiteDone, with(t, suiteDone, "action", "requested")},
		"tenon's own checks":         {suiteDone, with(t, suiteDone, "check_suite.app.slug", "Tenon")},
		"a workflow that starts":     {workflowDone, with(t, workflowDone, "action", "in_progress")},
		"a pending status":           {statusSet, with(t, statusSet, "state", "pending")},
	} {
		s, noted := reports(t, "tenon", nil)
		require.Equal(t, http.StatusNoContent, s.deliver(c.event, c.body).Code, name)
		require.Empty(t, *noted, name)
	}
	s, noted := reports(t, "", nil)
	require.Equal(t, http.StatusAccepted, s.deliver(suiteDone, payload(t, suiteDone)).Code, "a look does no harm")
	require.Len(t, *noted, 1)
	s = newServer(t)
	require.Equal(t, http.StatusNoContent, s.deliver(statusSet, payload(t, statusSet)).Code, "nothing is followed")
}

func TestAReportOfCIThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	s, noted := reports(t, "tenon", nil)
	for says, c := range map[string]struct {
		event string
		body  []byte
	}{
		"not JSON":                 {statusSet, []byte(`{"sha":`)},
		"no action":                {suiteDone, with(t, suiteDone, "action", "delete")},
		"no check_suite:":          {suiteDone, with(t, suiteDone, "check_suite", nil)},
		"no check_suite.head_sha":  {suiteDone, with(t, suiteDone, "check_suite.head_sha", "main")},
		"no workflow_run:":         {workflowDone, payload(t, suiteDone)}, // the name of an event is not signed
		"no workflow_run.head_sha": {workflowDone, with(t, workflowDone, "workflow_run.head_sha", nil)},
		"no state":                 {statusSet, with(t, statusSet, "state", "delete")},
		"no sha":                   {statusSet, with(t, statusSet, "sha", "6dcb09b5\x00")},
		"no installation.id":       {statusSet, with(t, statusSet, "installation", nil)},
		"no repository.id":         {statusSet, with(t, statusSet, "repository.id", -1)},
	} {
		w := s.deliver(c.event, c.body)
		require.Equal(t, http.StatusBadRequest, w.Code, says)
		require.Contains(t, w.Body.String(), says)
	}
	require.Empty(t, *noted)
}

func TestAReportOfCIThatCannotBeNotedIsRefusedForNow(t *testing.T) {
	t.Parallel()
	s, _ := reports(t, "tenon", errors.New("the disk is full"))
	w := s.deliver(statusSet, payload(t, statusSet))
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Equal(t, "30", w.Header().Get("Retry-After"))
	require.NotContains(t, w.Body.String(), "disk")
	for _, event := range []string{"check_suite", "workflow_run"} {
		require.True(t, webhook.Reports(event, "completed"))
		require.False(t, webhook.Reports(event, "requested"))
		require.False(t, webhook.Needs(event, "completed"), "there are too many to ask for")
	}
	require.True(t, webhook.Reports("status", ""))
	require.False(t, webhook.Reports("issue_comment", ""))
}

func TestReportsThatWaitLeaveTheRoomToCommands(t *testing.T) {
	t.Parallel()
	noting, release := make(chan struct{}), make(chan struct{})
	queue := &memory{}
	h, err := webhook.New(webhook.Options{Secret: []byte(secret), Queue: queue, Slug: func() string { return "tenon" },
		Now: func() time.Time { return noon }, Memory: 160 << 10, // for one, with what growing it takes
		Reported: func(context.Context, port.RepoRef, string) (bool, error) {
			close(noting)
			<-release
			return true, nil
		}})
	require.NoError(t, err)
	router := mux.NewRouter()
	h.Routes(router)
	s := server{router, queue}
	padding := strings.Repeat("x", 70<<10)
	reported := make(chan int)
	go func() { reported <- s.deliver(statusSet, with(t, statusSet, "padding", padding)).Code }()
	<-noting
	w := s.deliver("issue_comment", with(t, "issue_comment", "padding", padding))
	require.Equal(t, http.StatusAccepted, w.Code, w.Body)
	close(release)
	require.Equal(t, http.StatusAccepted, <-reported)
}
