package conversation

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what the model is shown of a failed edit.
const (
	maxFindLines    = 3  // lines of what the block looked for
	maxClosestLines = 40 // lines of the file
	maxProblems     = 5  // problems of a file after its edits
	// MaxQuoted bounds each quotation, in bytes.
	MaxQuoted = 4000
)

// Unrepairable reports whether an edit that failed for a reason would fail again, however the model words it.
func Unrepairable(r engine.Reason) bool {
	switch r {
	case engine.UnsafePath, engine.ProtectedPath, engine.BinaryFile, engine.TooLarge, engine.Unchecked:
		return true
	}
	return false
}

// repair asks for corrections of the edits that failed. The kind is empty if there is nothing that the model could
// correct.
func repair(results []engine.Result, nonce string) (kind record.TurnKind, ask string) {
	in := prompts.RepairInput{Nonce: nonce}
	for i, r := range results {
		switch {
		case r.Reason == engine.SyntaxError && failedIndex(results, r.Block) >= 0: // it may parse once that is corrected
			in.Waiting = append(in.Waiting, i+1)
		case r.Reason == engine.SyntaxError:
			in.Broken = addBroken(in.Broken, i+1, r)
		case r.Status == engine.Applied || r.Reason == engine.AlreadyApplied:
			in.Applied = append(in.Applied, i+1)
		case r.Reason == engine.EarlierFailed:
			in.Waiting = append(in.Waiting, i+1)
		case r.Status == engine.Failed && !Unrepairable(r.Reason) && !overtaken(r):
			in.Failed = append(in.Failed, failedEdit(i+1, r))
		}
	}
	if len(in.Failed)+len(in.Broken) == 0 {
		return "", ""
	}
	return record.TurnRepair, prompts.Repair(in)
}

// addBroken adds an edit after which its file does not parse to the files of such edits.
func addBroken(files []prompts.BrokenFile, number int, r engine.Result) []prompts.BrokenFile {
	for i, f := range files {
		if f.Path == secret.Path(r.Path) {
			files[i].Edits = append(f.Edits, number)
			return files
		}
	}
	f := prompts.BrokenFile{Path: secret.Path(r.Path), Edits: []int{number}}
	for _, p := range r.Problems[:min(len(r.Problems), maxProblems)] {
		f.Problems = append(f.Problems, p.String())
		f.Parses = f.Parses || p.Syntax
	}
	f.Parses = !f.Parses
	if r.Around != nil {
		f.Around, f.Line = quoteLines(r.Around.Lines, maxClosestLines), r.Around.Line
	}
	return append(files, f)
}

func failedEdit(number int, r engine.Result) prompts.FailedEdit {
	f := prompts.FailedEdit{
		Number: number, Path: secret.Path(r.Path), Why: r.Detail, Began: quoteLines(r.Block.Find, maxFindLines),
		Places: r.MatchLines,
	}
	if r.ClosestMatch != nil {
		f.Nearest, f.Line = quoteLines(r.ClosestMatch.Lines, maxClosestLines), r.ClosestMatch.Line
	}
	if d := r.Difference; d != nil {
		f.Differs, f.Want, f.Have = d.Line, markdown.Clip(d.Want, MaxQuoted), markdown.Clip(d.Have, MaxQuoted)
	}
	return f
}

func quoteLines(lines []string, most int) string {
	return markdown.Clip(strings.Join(lines[:min(len(lines), most)], "\n"), MaxQuoted)
}

// corrected returns a plan with corrections, which are the blocks of the given turn. Each replaces the edit of its file
// that failed, so that edits that were skipped because of that one still come after it, unless the correction contains
// them. A whole file comes before all other edits of the file: what it lacks of them is made then, and nothing is lost.
// Those of a file that does not parse after its edits replace all of these, unless each finds what one of them finds:
// then it replaces that one. Corrections of other files replace the edits that failed because of their path, or else go
// to the end. A correction that repeats an edit which did not fail is ignored. results are those of the plan.
func corrected(
	plan []record.BlockRef, results []engine.Result, corrections []engine.Block, turn int,
) []record.BlockRef {
	replacements, dropped, first := map[int][]record.BlockRef{}, map[int]bool{}, map[int][]record.BlockRef{}
	var others []record.BlockRef
	for n, b := range corrections {
		ref := record.BlockRef{Turn: turn, Block: n}
		i, broken := failedIndex(results, b), brokenIndexes(results, b)
		if i >= 0 && !overtaken(results[i]) {
			dropCovered(dropped, results, b)
		}
		switch {
		case repeats(results, b):
		case i >= 0 && overtaken(results[i]):
		case i >= 0 && b.Whole:
			at := slices.IndexFunc(results, func(r engine.Result) bool { return isOf(r, b) })
			first[at], dropped[i] = append(first[at], ref), true
		case i >= 0:
			replacements[i] = append(replacements[i], ref)
		case len(broken) > 0 && findsSame(results, broken, corrections):
			i := broken[slices.IndexFunc(broken, func(i int) bool { return slices.Equal(results[i].Block.Find, b.Find) })]
			replacements[i] = append(replacements[i], ref)
		case len(broken) > 0:
			replacements[broken[0]] = append(replacements[broken[0]], ref)
			for _, i := range broken[1:] {
				dropped[i] = true
			}
		default:
			others = append(others, ref)
		}
	}
	var next []record.BlockRef
	placed := 0 // how many of the others
	for i, ref := range plan {
		wrongPath := results[i].Reason == engine.FileNotFound || results[i].Reason == engine.FileExists
		next = append(next, first[i]...)
		switch {
		case replacements[i] != nil:
			next = append(next, replacements[i]...)
		case dropped[i]:
		case wrongPath && len(others) > 0:
			next, placed = append(next, others[placed:]...), len(others)
		default:
			next = append(next, ref)
		}
	}
	return append(next, others[placed:]...)
}

// failedIndex returns the index of the edit, of the file that a block is of, that found no place, or -1. There is at
// most one, as later edits of the file are skipped.
func failedIndex(results []engine.Result, b engine.Block) int {
	return slices.IndexFunc(results, func(r engine.Result) bool {
		return r.Status == engine.Failed && r.Reason != engine.SyntaxError && isOf(r, b)
	})
}

// brokenIndexes returns the indexes of the edits after which the file that a block is of does not parse.
func brokenIndexes(results []engine.Result, b engine.Block) (out []int) {
	for i, r := range results {
		if r.Reason == engine.SyntaxError && isOf(r, b) {
			out = append(out, i)
		}
	}
	return out
}

// isOf reports whether a result is of an edit of the file that a block is of. The path of the result is that of the
// file; those of blocks are as replies write them, in any of their readings.
func isOf(r engine.Result, b engine.Block) bool {
	return r.Block.Path == b.Path || r.Path == b.Path || slices.Contains(b.Candidates, r.Path)
}

// findsSame reports whether each correction of the file that some edits broke finds the lines of one of these edits,
// and none those of two, or of one that another correction finds.
func findsSame(results []engine.Result, broken []int, corrections []engine.Block) bool {
	found := map[int]bool{}
	for _, b := range corrections {
		if !isOf(results[broken[0]], b) {
			continue
		}
		var same []int
		for _, i := range broken {
			if slices.Equal(results[i].Block.Find, b.Find) {
				same = append(same, i)
			}
		}
		if len(same) != 1 || found[same[0]] {
			return false
		}
		found[same[0]] = true
	}
	return true
}

// dropCovered drops the edits that a correction of their file contains, as one that merges edits does: those that wait
// for it and, if it is the whole file, those before it.
func dropCovered(dropped map[int]bool, results []engine.Result, b engine.Block) {
	for i, r := range results {
		w := r.Block
		switch {
		case !isOf(r, b) || r.Status == engine.Failed || repeats(results, b):
		case b.Whole:
			dropped[i] = dropped[i] || hasLines(b.Replace, w.Replace) && !hasLines(b.Replace, w.Find)
		case r.Reason == engine.EarlierFailed && len(w.Find) > 0:
			dropped[i] = dropped[i] || hasLines(b.Find, w.Find) && hasLines(b.Replace, w.Replace)
		}
	}
}

// hasLines reports whether a part is among lines, one line after the other.
func hasLines(lines, part []string) bool {
	joined := func(lines []string) string { return "\n" + strings.Join(append(slices.Clone(lines), ""), "\n") }
	return strings.Contains(joined(lines), joined(part))
}

// repeats reports whether a correction is the same as an edit that did not fail.
func repeats(results []engine.Result, b engine.Block) bool {
	return slices.ContainsFunc(results, func(r engine.Result) bool {
		same := b
		same.Path = r.Block.Path
		return r.Status != engine.Failed && isOf(r, b) && edit.SameEdit(r.Block, same)
	})
}
