package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumbersAreWrittenAsPeopleDo(t *testing.T) {
	t.Parallel()
	for want, list := range map[string][]int{
		"": nil, "2": {2}, "1, 2": {1, 2}, "1, 3-5": {1, 3, 4, 5}, "1-3, 7, 8": {1, 2, 3, 7, 8},
	} {
		require.Equal(t, want, NumberList(list))
	}
}
