package conversation

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what a repair quotes.
const (
	maxBegan   = 3  // lines of a failed block's search text
	maxNearest = 40 // lines of the file
	MaxQuoted  = 4000
)

// hopeless are reasons that no other words of the model would change.
var Hopeless = []engine.Reason{engine.UnsafePath, engine.ProtectedPath, engine.BinaryFile, engine.TooLarge}

// repair asks for corrections of what failed; an empty kind when nothing did that could be corrected.
func repair(results []engine.Result, nonce string) (record.TurnKind, string) {
	in := prompts.RepairInput{Nonce: nonce}
	for i, r := range results {
		switch {
		case r.Status == engine.Applied || r.Reason == engine.AlreadyApplied:
			in.Applied = append(in.Applied, i+1)
		case r.Reason == engine.EarlierFailed:
			in.Waiting = append(in.Waiting, i+1)
		case r.Status == engine.Failed && !slices.Contains(Hopeless, r.Reason):
			in.Failed = append(in.Failed, failedEdit(i+1, r))
		}
	}
	if len(in.Failed) == 0 {
		return "", ""
	}
	return record.TurnRepair, prompts.Repair(in)
}

func failedEdit(number int, r engine.Result) prompts.FailedEdit {
	f := prompts.FailedEdit{Number: number, Path: r.Path, Why: r.Detail, Began: quoteLines(r.Block.Find, maxBegan), Places: r.MatchLines}
	if r.ClosestMatch != nil {
		f.Nearest, f.Line = quoteLines(r.ClosestMatch.Lines, maxNearest), r.ClosestMatch.Line
	}
	if r.Difference != nil {
		f.Differs, f.Want, f.Have = r.Difference.Line, markdown.Clip(r.Difference.Want, MaxQuoted), markdown.Clip(r.Difference.Have, MaxQuoted)
	}
	return f
}

func quoteLines(lines []string, most int) string {
	return markdown.Clip(strings.Join(lines[:min(len(lines), most)], "\n"), MaxQuoted)
}

// mend puts corrections where the failed blocks of their files stood, so that blocks that waited for those still come after.
// Other corrections go to the end; blocks whose path was the mistake give way to them. What the plan has already is not
// taken twice, though the model was told not to send it. results are the plan's;
// the corrections are the blocks of the given turn.
func Corrected(plan []record.BlockRef, results []engine.Result, corrections []engine.Block, turn int) []record.BlockRef {
	instead := map[int][]record.BlockRef{}
	var others []record.BlockRef
	for n, b := range corrections {
		c := record.BlockRef{Turn: turn, Block: n}
		switch i := failedIndex(results, b.Path); {
		case repeated(results, b):
		case i >= 0:
			instead[i] = append(instead[i], c)
		default:
			others = append(others, c)
		}
	}
	var mended []record.BlockRef
	for i, r := range plan {
		wrongPath := results[i].Reason == engine.FileNotFound || results[i].Reason == engine.FileExists
		switch {
		case instead[i] != nil:
			mended = append(mended, instead[i]...)
		case !wrongPath || len(others) == 0:
			mended = append(mended, r)
		}
	}
	return append(mended, others...)
}

// failedIn is the place of the block that failed in a file, -1 when none did; there is one at most, as later ones are skipped.
func failedIndex(results []engine.Result, path string) int {
	return slices.IndexFunc(results, func(r engine.Result) bool {
		return r.Status == engine.Failed && (r.Block.Path == path || r.Path == path)
	})
}

// sentAgain says that the plan holds a correction already, letter by letter, in an edit that did not fail.
func repeated(results []engine.Result, b engine.Block) bool {
	return slices.ContainsFunc(results, func(r engine.Result) bool { return r.Status != engine.Failed && edit.SameEdit(r.Block, b) })
}
