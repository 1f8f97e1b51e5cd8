package bot_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Many repositories are remembered, but not without end.
func TestManySettingsAreRemembered(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	for i := range 520 {
		s.settings(fmt.Sprintf("label: bot%d\n", i))
		s.pull.Comment("maria", "/tenon config")
		s.Run()
	}
	require.Contains(t, s.pull.LastAnswer(), "bot519")
}
