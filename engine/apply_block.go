package engine

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine/block"
)

// applyBlock applies one block, appends its result and notes a file in which it failed.
func (a *applier) applyBlock(i int, b Block) error {
	res := Result{
		Block: b, Path: b.Path, Status: Failed,
		AnchorPreview: preview(b.Anchor), OldPreview: preview(b.Old), NewPreview: preview(b.New),
	}
	err := a.tryBlock(i, b, &res)
	if res.Status == Failed {
		a.failedFiles[res.Path] = true
	}
	a.results = append(a.results, res)
	return err
}

// tryBlock applies one block and sets its result. The error is the tree's own.
func (a *applier) tryBlock(i int, b Block, res *Result) error {
	a.replyBytes += len(b.Raw)
	if a.replyBytes > a.opts.Limits.ReplyBytes || i >= a.opts.Limits.Blocks {
		res.Reason = TooLarge
		res.Detail = fmt.Sprintf("Too much in one reply: at most %d blocks and %d bytes are applied",
			a.opts.Limits.Blocks, a.opts.Limits.ReplyBytes)
		return nil
	}
	if a.work.UsedUp() {
		res.fail(tooMuchWork)
		return nil
	}
	target, refused, err := a.paths.resolve(b)
	if err != nil {
		return err
	}
	switch {
	case refused == nil:
		target.path = cmp.Or(a.oldNames[target.path], target.path)
		res.Path, res.Detail = target.path, target.note
	case refused.reason == FileNotFound && b.MoveTo != "" && a.isFile(b.MoveTo):
		res.Path = b.MoveTo
		res.skip(AlreadyApplied)
		return nil
	case refused.reason == FileNotFound:
		refused.detail = a.paths.notFound(target.path)
	}
	switch {
	case a.failedFiles[res.Path]:
		if !a.isRepeated(res.Path, b) {
			a.blocksOf[res.Path] = append(a.blocksOf[res.Path], i)
		}
		res.skip(EarlierFailed)
	case refused != nil:
		res.fail(*refused)
	case a.opts.Protected != nil && a.opts.Protected(target.path):
		res.fail(refusal{ProtectedPath, "Edits of this path are not allowed: " + target.path})
	case a.isRepeated(res.Path, b):
		res.skip(AlreadyApplied)
		res.Detail = detailRepeated
	default:
		a.blocksOf[res.Path] = append(a.blocksOf[res.Path], i)
		return a.editFile(b, target, res)
	}
	return nil
}

// isRepeated reports whether the reply has had a block before for the same file, with the same halves but for trailing
// whitespace. Such a block counts once.
func (a *applier) isRepeated(path string, b Block) bool {
	key := keyOf(path, b)
	if a.seen[key] {
		return true
	}
	a.seen[key] = true
	return false
}

// editFile applies a block to the file that it names.
func (a *applier) editFile(b Block, target resolvedPath, res *Result) error {
	f, err := a.open(target)
	if err != nil {
		return err
	}
	switch {
	case f.refusal != nil:
		res.fail(*f.refusal)
	case b.Remove, b.MoveTo != "":
		return a.operate(f, b, target, res)
	case b.Whole:
		a.replaceWhole(f, b, target, res)
	case b.Create:
		a.create(f, b, target, res)
	case slices.Equal(b.Find, b.Replace) && len(b.Splits) < 2 && b.Ending == block.EndingKept:
		res.skip(NoChange)
	case f.shown != nil:
		a.editShown(f, b, target, res)
	default:
		a.edit(f, b, target, res)
	}
	return nil
}

// previewRunes is the length of the previews in a Result.
const previewRunes = 50

// preview returns the first characters of lines.
func preview(lines []string) string {
	var buf [previewRunes * utf8.UTFMax]byte
	out, n := buf[:0], 0
	for i, s := range lines {
		if i > 0 {
			if n++; n > previewRunes {
				break
			}
			out = append(out, '\n')
		}
		for _, r := range s {
			if n++; n > previewRunes {
				return string(out)
			}
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}
