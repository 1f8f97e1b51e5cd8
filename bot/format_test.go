package bot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestTheFormatIsAskedForInWhichMostOfTheEditsWereApplied(t *testing.T) {
	t.Parallel()
	count := func(format string, applied, blocks int64) port.FormatCount {
		return port.FormatCount{Format: format, Blocks: blocks, Applied: applied}
	}
	for story, c := range map[string]struct {
		usual, want string
		counts      []port.FormatCount
	}{
		"nothing is known":               {"diff", "diff", nil},
		"only the usual one is known":    {"diff", "diff", []port.FormatCount{count("diff", 10, 90)}},
		"another is better":              {"diff", "v3", []port.FormatCount{count("diff", 80, 90), count("v3", 19, 20)}},
		"it is worse":                    {"diff", "diff", []port.FormatCount{count("diff", 80, 90), count("v3", 1, 20)}},
		"too little is known of it":      {"diff", "diff", []port.FormatCount{count("diff", 80, 90), count("v3", 19, 19)}},
		"it is as good, with more edits": {"diff", "v3", []port.FormatCount{count("diff", 20, 20), count("v3", 30, 30)}},
		"it is as good, with fewer":      {"diff", "diff", []port.FormatCount{count("diff", 30, 30), count("v3", 20, 20)}},
		"the usual one is never written": {"diff", "section", []port.FormatCount{count("section", 15, 25)}},
		"no edit was applied":            {"diff", "diff", []port.FormatCount{count("section", 0, 25)}},
		"nobody can be asked for it":     {"v3", "v3", []port.FormatCount{count("json", 90, 90), count("xml", 90, 90)}},
		"the usual one is read alike":    {"editor-diff", "editor-diff", []port.FormatCount{count("diff", 90, 90)}},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, bestFormat(c.counts, c.usual))
		})
	}
}
