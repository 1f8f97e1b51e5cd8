package conversation

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// WithoutSecrets returns the answer of a model as it is recorded: without secrets around its blocks. The blocks stay,
// since they are to be committed as they are; what is shown of them is masked with the files that they change.
func WithoutSecrets(text string) string {
	masked := secret.Redacted(text)
	if masked == text {
		return text
	}
	blocks := engine.Parse(text, engine.ParseOptions{}).Blocks
	original, lines := strings.Split(text, "\n"), strings.Split(masked, "\n")
	for _, margin := range []int{0, 2} { // the path and the fence of a block are beside it
		for _, b := range blocks {
			for n := max(1, b.Line-margin); n <= min(len(lines), b.EndLine+margin); n++ {
				lines[n-1] = original[n-1]
			}
		}
		out := strings.Join(lines, "\n")
		if slices.EqualFunc(engine.Parse(out, engine.ParseOptions{}).Blocks, blocks, edit.SameEdit) {
			return out
		}
	}
	return text
}
