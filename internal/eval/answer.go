package eval

import (
	"context"
	"strings"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Bounds on what is asked for. They are those of the bot.
const (
	maxRounds = 3
	maxAsks   = 5 // of a round
)

// answerer answers as the bot does.
func answerer(checkout repo.Checkout, query retrieve.Query) respond {
	return func(ctx context.Context, reply string) (response, error) {
		var names []string
		for line := range strings.Lines(reply) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "NEED: "); ok {
				names = append(names, name)
			}
		}
		files, _, err := retrieve.Requested(ctx, checkout, query, names)
		if err != nil {
			return response{}, err
		}
		var out response
		for _, f := range files {
			v := view{path: f.Path, count: f.Lines}
			for _, p := range f.Parts {
				v.parts = append(v.parts, retrieve.Span{From: p.From, To: p.To})
				out.text += p.Text
			}
			out.files = append(out.files, v)
		}
		return out, nil
	}
}
