package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func newMetrics() *Metrics { return New("v1", []string{"fix", "help"}) }

// unix returns the time in d, in seconds.
func unix(d time.Duration) string { return strconv.FormatInt(time.Now().Add(d).Unix(), 10) }

func TestEveryMetricShowsWhatHappened(t *testing.T) {
	t.Parallel()
	all := newMetrics()
	watchFigures(Figures{}, nil)(t, all)
	var names, tested []string
	for _, row := range all.Table() {
		names = append(names, row.Name)
	}
	for _, e := range effects {
		tested = append(tested, e.metric)
		t.Run(e.metric, func(t *testing.T) {
			t.Parallel()
			m := newMetrics()
			e.happens(t, m)
			got := scrape(t, m)
			for sample, value := range e.shows {
				require.True(t, strings.HasPrefix(sample, e.metric), sample)
				require.Equal(t, value, got[sample], "%s\n%v", sample, got)
			}
		})
	}
	slices.Sort(names)
	slices.Sort(tested)
	require.Equal(t, names, tested, "each metric has one row in effects")
}

func TestTheBuildIsNamed(t *testing.T) {
	t.Parallel()
	got := scrape(t, newMetrics())
	for sample, value := range got {
		if strings.HasPrefix(sample, "tenon_build_info") {
			require.Contains(t, sample, `version="v1"`)
			require.Equal(t, "1", value)
			return
		}
	}
	t.Fatal("no tenon_build_info")
}

func TestADatabaseThatDoesNotAnswerIsShownAndKeepsNoOtherMetricBack(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	watchFigures(Figures{}, errors.New("no connection"))(t, m)
	got := scrape(t, m)
	require.Equal(t, "0", got["tenon_database_up"])
	require.NotContains(t, got, `tenon_queue_events{state="ready"}`, "0 would be a lie")
	require.NotContains(t, got, "tenon_disk_free_bytes")
	require.Contains(t, []string{"2", "3", "4"}, scrape(t, m)["tenon_scrape_errors_total"],
		"the queue and the disk, at the first scrape at least")
}

func TestReadingTheQueueForAScrapeIsBounded(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	m.Watch(Sources{Figures: func(ctx context.Context) (Figures, error) {
		until, ok := ctx.Deadline()
		require.True(t, ok)
		require.LessOrEqual(t, time.Until(until), scrapeTimeout)
		return Figures{Oldest: time.Now().Add(-time.Hour)}, nil
	}, Load: busy})
	seconds, err := strconv.ParseFloat(scrape(t, m)["tenon_queue_oldest_seconds"], 64)
	require.NoError(t, err)
	require.InDelta(t, 3600, seconds, 60)
	require.NotContains(t, scrape(t, m), "tenon_disk_free_bytes", "PostgreSQL has a disk of its own")
}

func TestTheInstallationWithTheFewestRequestsLeftIsShown(t *testing.T) {
	t.Parallel()
	var s rates
	s.describe(newUnregistered())
	now := time.Unix(1_800_000_000, 0)
	read := func(at time.Time, resource string, remaining int, reset time.Time) {
		h := http.Header{}
		h.Set("X-RateLimit-Resource", resource)
		h.Set("X-RateLimit-Limit", "5000")
		h.Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
		h.Set("X-RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10))
		s.read(h, at)
	}
	read(now, "core", 4000, now.Add(10*time.Minute))
	read(now, "core", 12, now.Add(20*time.Minute)) // another installation
	read(now, "graphql", 900, now.Add(20*time.Minute))
	read(now, "core", 13, now.Add(20*time.Minute)) // a response that was overtaken
	require.Equal(t, 12, s.lowest(now)["core"].remaining)
	require.Equal(t, 900, s.lowest(now)["graphql"].remaining)
	require.Empty(t, s.lowest(now.Add(time.Hour)), "what was said an hour ago says nothing of now")

	for i := range 2 * maxWindows { // whatever an odd server says
		read(now, fmt.Sprint("x", i), 5, now.Add(1000*time.Hour).Add(time.Duration(i)*time.Second))
	}
	require.LessOrEqual(t, len(s.windows), maxWindows)
	require.Len(t, s.lowest(now), 1, "resources that nobody knows are one")
	read(now.Add(2*time.Hour), "core", 7, now.Add(3*time.Hour))
	require.Equal(t, 7, s.lowest(now.Add(2 * time.Hour))["core"].remaining, "there is room when windows have ended")
}

func TestHowFarTheClockIsFromGitHubsIsShown(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	ahead := func() float64 {
		seconds, err := strconv.ParseFloat(scrape(t, m)["tenon_github_clock_ahead_seconds"], 64)
		require.NoError(t, err)
		return seconds
	}
	github := func(off time.Duration) string { return time.Now().Add(off).UTC().Format(http.TimeFormat) }
	send(t, m.GitHub(api, answering(200, "Date", github(-time.Hour))), "GET", api+"app")
	require.InDelta(t, 3600, ahead(), 60)
	send(t, m.GitHub(api, answering(401, "Date", github(time.Hour))), "GET", api+"app")
	require.InDelta(t, -3600, ahead(), 60)
	send(t, m.GitHub(api, answering(200, "Date", "no time")), "GET", api+"app")
	send(t, m.GitHub(api, answering(200)), "GET", api+"app")
	send(t, m.GitHub(api, answering(200, "Date", github(0))), "GET", "https://storage.example/log")
	require.InDelta(t, -3600, ahead(), 60, "neither a response without a time nor another host says anything")
}

func TestLabelsHaveFewValuesWhateverOthersSend(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	for i := range 200 {
		name := fmt.Sprintf("acme/lathe-%d", i)
		deliver(m, name, 100+i)
		send(t, m.GitHub(api, answering(400+i, "X-RateLimit-Resource", name, "X-RateLimit-Limit", "1",
			"X-RateLimit-Remaining", "1", "X-RateLimit-Reset", unix(time.Minute))), fmt.Sprint("M", i), api+name)
		send(t, m.Git(answering(700+i)), "GET", "https://github.com/"+name)
		m.Ended(port.Ended{Command: name, Owner: name, Repo: name, Person: name, Branch: name, Outcome: port.EndAnswered})
	}
	for sample := range scrape(t, m) {
		require.NotContains(t, sample, "lathe")
	}
	require.Less(t, len(scrape(t, m)), 1200)
}

func TestWhatAlertsWaitForIsCountedFromNothing(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	m.Model(port.ModelInfo{Name: "strong"}, fakeModel{})
	m.Budget(fakeBudget{})
	got := scrape(t, m)
	for _, sample := range []string{
		`tenon_runs_total{command="fix",outcome="failed",reason="error"}`,
		`tenon_model_calls_total{model="strong",result="out_of_quota"}`,
		`tenon_deliveries_total{event="issue_comment",result="failed",status="503"}`,
		`tenon_budget_reservations_total{result="server-tokens"}`,
		`tenon_database_errors_total`, `tenon_log_lines_total{level="error"}`, `tenon_github_limited_total`,
	} {
		require.Equal(t, "0", got[sample], "%s: an alert does not see a counter begin at 1", sample)
	}
}

func TestEveryReasonToWaitHasAName(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../bot/port/errors.go")
	require.NoError(t, err)
	reasons := regexp.MustCompile(`WaitReason += "([^"]+)"`).FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, reasons)
	for _, reason := range reasons {
		require.Contains(t, waits, port.WaitReason(reason[1]))
	}
}

func newLog(m *Metrics) *slog.Logger {
	return slog.New(m.Log(slog.NewTextHandler(new(strings.Builder), nil)))
}

func newUnregistered() *Metrics { return &Metrics{registry: prometheus.NewRegistry()} }

func TestAnObservedWebhookCanStillLimitHowSlowlyItIsSent(t *testing.T) {
	t.Parallel()
	observer := newMetrics()
	limited := make(chan error, 1)
	server := httptest.NewServer(observer.Deliveries(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		limited <- http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Hour))
	})))
	t.Cleanup(server.Close)
	resp, err := http.Get(server.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.NoError(t, <-limited)
}
