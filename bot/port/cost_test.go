package port_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestTheCostOfCallsIsKnownAsFarAsThePricesAre(t *testing.T) {
	t.Parallel()
	var cheap, unknown port.ModelUse
	cheap.Add(port.Usage{In: 1000, Cached: 400, Out: 10}, port.Price{Input: 2, Cached: 1, Output: 10})
	unknown.Add(port.Usage{In: 1000, Out: 10}, port.Price{})
	for name, c := range map[string]struct {
		used     []port.ModelUse
		nanos    int64
		unpriced bool
	}{
		"no call":           {},
		"with a price":      {[]port.ModelUse{cheap, cheap}, 2 * 1_700_000, false},
		"one without":       {[]port.ModelUse{cheap, unknown}, 1_700_000, true},
		"one without first": {[]port.ModelUse{unknown, cheap}, 1_700_000, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nanos, unpriced := port.CostOf(c.used)
			require.Equal(t, c.nanos, nanos)
			require.Equal(t, c.unpriced, unpriced)
		})
	}
}
