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
	for _, one := range stories {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			one.play(t, open(t))
		})
	}
}

// must returns a value, and fails a test that gets an error instead.
func must[T any](value T, err error) func(t require.TestingT, why ...any) T {
	return func(t require.TestingT, why ...any) T {
		require.NoError(t, err, why...)
		return value
	}
}

// errorOf returns the error of a call that returns a value, too.
func errorOf[T any](_ T, err error) error { return err }

// requirePermanent requires an error that no further attempt heals.
func requirePermanent(t *testing.T, err error) {
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
