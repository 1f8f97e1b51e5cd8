package bottest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// A contract is a list of stories that everything behind a port has to pass: the fakes of this package in its own
// tests, and each adapter in those of the adapter.

// contractStory is a story of a contract; S is what it is played on.
type contractStory[S any] struct {
	name string
	play func(t *testing.T, s S)
}

func runContract[S any](t *testing.T, open func(t *testing.T) S, stories []contractStory[S]) {
	t.Helper()
	for _, one := range stories {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			one.play(t, open(t))
		})
	}
}

// requirePermanent requires an error that no further attempt heals.
func requirePermanent(t *testing.T, err error) {
	t.Helper()
	require.Error(t, err)
	var p interface{ Permanent() bool }
	require.ErrorAs(t, err, &p)
	require.True(t, p.Permanent(), err.Error())
}

// isPermanent reports whether no further attempt heals an error.
func isPermanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}
