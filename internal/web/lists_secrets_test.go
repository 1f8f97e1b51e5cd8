package web_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/web"
)

// What is there and cannot be read, and what is not there.
func TestNothingTellsThatARepositoryExistsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	pairs := [][2]string{{"/repos/acme/vault", "/repos/acme/none"}, {"/orgs/acme", "/orgs/nobody"},
		{"/runs?repo=acme/vault", "/runs?repo=acme/none"}}
	for _, fault := range []error{nil, errors.New("GitHub is away")} {
		l := newListed(ranAgo("secret", theirs, time.Hour, nil))
		l.visitors.Fault = fault
		for _, p := range pairs {
			require.Equal(t, l.get(p[1]).Code, l.get(p[0]).Code, "%s, %v", p[0], fault)
		}
	}
	var many []port.Ended
	for i := range 2100 {
		many = append(many, ranAgo(fmt.Sprint("x", i), theirs, time.Hour, nil))
	}
	l := newListed(many...)
	require.NotContains(t, l.body(t, http.StatusOK, "/runs?repo=acme/vault"), "before=")
}

func TestAnOperatorSeesNoErrorThatMayQuoteWhatTheyMayNotRead(t *testing.T) {
	t.Parallel()
	l := newListed()
	l.visitors.Who.Operator = true
	l.operations.Events = []web.Open{{Run: "r1", Delivery: "d-1", State: view.DeadLetter, Why: "a line of vault",
		Event: port.Event{Repo: theirs}}}
	require.NotContains(t, l.body(t, http.StatusOK, "/dead-letters"), "a line of vault")
}
