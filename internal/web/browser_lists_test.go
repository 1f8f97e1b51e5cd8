package web_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/browsertest"
	"github.com/tenon-bot/tenon/internal/web"
)

// listedRuns are the runs that the page lists, in order.
const listedRuns = `[...document.querySelectorAll("main a[href^='/runs/']")].map(a => a.getAttribute("href").slice(6))`

func TestInABrowserTheRunsAreFilteredByWhatPeopleType(t *testing.T) {
	t.Parallel()
	l := newListed(ranAgo("a", ours, 3*time.Hour, func(e *port.Ended) { e.Person = "joe" }),
		ranAgo("secret", theirs, 2*time.Hour, nil),
		ranAgo("b", ours, time.Hour, func(e *port.Ended) { e.Outcome = port.EndAnswered }))
	b, at := l.open(t)
	b.Opens(at+"/runs", "form.filters")
	require.Equal(t, []string{"b", "a"}, browsertest.Says[[]string](b, listedRuns))
	b.Focuses("#person", "joe"+browsertest.Enter)
	b.Until(`location.search.includes("person=joe") && document.getElementById("person")?.value === "joe"`)
	require.Equal(t, []string{"a"}, browsertest.Says[[]string](b, listedRuns))
	b.IsAccessible("filtered")
	b.Opens(at+"/runs", "form.filters")
	b.Until(`document.getElementById("outcome").value = "answered", true`)
	b.Press("form.filters button", "#outcome")
	b.Until(`location.search.includes("outcome=answered")`)
	require.Equal(t, []string{"b"}, browsertest.Says[[]string](b, listedRuns))
	b.Opens(at+"/runs?person=nobody", "form.filters")
	require.Empty(t, browsertest.Says[[]string](b, listedRuns))
	b.IsAccessible("nothing found")
	require.Empty(t, b.Faults())
	require.Len(t, b.Hosts(), 1)
}

func TestInABrowserOperatorsRetryAndDropDeadLetters(t *testing.T) {
	t.Parallel()
	l := newListed()
	l.visitors.Who.Operator = true
	l.operations.Events = []web.Open{{Run: "r1", Delivery: "d-1", State: view.DeadLetter, Why: "the model is gone",
		Event: port.Event{Repo: ours}}}
	b, at := l.open(t)
	b.Opens(at+"/dead-letters", `form[action="/dead-letters/d-1/retry"]`)
	b.IsAccessible("dead-letters")
	b.Press(`form[action="/dead-letters/d-1/retry"] button`, `[role="status"]`)
	b.Focuses("article summary", browsertest.Enter)
	b.Press(`form[action="/dead-letters/d-1/drop"] button`, `[role="status"]`)
	require.Eventually(t, func() bool { return len(l.operations.Done()) == 2 }, 30*time.Second, time.Millisecond)
	require.Equal(t, []string{"ann: retry d-1", "ann: drop d-1"}, l.operations.Done())
	require.Empty(t, b.Faults())
}
