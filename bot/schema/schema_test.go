package schema_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/schema"
)

func TestDigitsMatchExactlyTheNumbersBetween(t *testing.T) {
	t.Parallel()
	for _, bounds := range [][2]int64{{0, 0}, {1, 5}, {1, 200}, {0, 65535}, {16, 100}, {31, 1000}, {198, 203},
		{99, 101}, {0, 9}} {
		re := regexp.MustCompile("^" + schema.Digits(bounds[0], bounds[1], false) + "$")
		for n := range int64(1200) {
			require.Equal(t, n >= bounds[0] && n <= bounds[1], re.MatchString(strconv.FormatInt(n, 10)), "%d in %v", n, bounds)
		}
		require.Equal(t, bounds[1] == 65535, re.MatchString("65535"))
		require.False(t, re.MatchString("65536"))
		require.False(t, re.MatchString("007"))
	}
	re := regexp.MustCompile("^" + schema.Digits(2000, 24_000, true) + "$")
	for text, fits := range map[string]bool{"2000": true, "2_000": true, "24_000": true, "1_2_0_0_0": true,
		"24_001": false,
		"1_999":  false, "_2000": false, "2000_": false, "2__000": false} {
		require.Equal(t, fits, re.MatchString(text), text)
	}
}
