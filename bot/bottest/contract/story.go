package contract

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// story is a story of a contract; S is what it is played on.
type story[S any] struct {
	name string
	play func(t *testing.T, s S)
}

func run[S any](t *testing.T, open func(t *testing.T) S, stories []story[S]) {
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
