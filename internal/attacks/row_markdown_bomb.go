package attacks

import (
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/internal/markdowntest"
)

// maxComment is the most that GitHub takes for a comment, in bytes.
const maxComment = 65_000

var markdownBomb = Attack{
	Name:      "markdown-bomb",
	Surface:   Comment,
	Mechanism: "Comments are as long as GitHub allows, of what makes parsers of Markdown slow.",
	Defence:   "The parser's work is counted, and what costs more is plain text; what is read of comments is bounded.",
	Survives:  true,
	Setup:     (*World).SmallModel,
	Plant: func(w *World) {
		costly := markdowntest.Costly()
		for _, name := range slices.Sorted(maps.Keys(costly)) {
			w.Post("mallory", "Hello.\n\n"+costly[name](maxComment)[:maxComment])
		}
	},
}
