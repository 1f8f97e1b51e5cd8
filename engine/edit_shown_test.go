package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

const (
	shownText = "package a\n\nfunc one() {\n\tfirst(1)\n\tsecond(2)\n}\n\nfunc two() {\n\tthird(3)\n\tfourth(4)\n}\n"
	// strict is what the policy of a run says of a file that changed since it was shown.
	strict = ShownChanged
)

// applyMoved applies blocks that were written for shownText to a file that has become now.
func applyMoved(t *testing.T, now string, blocks ...Block) (string, Outcome) {
	t.Helper()
	tree := MemTree{"f": []byte(now)}
	out, err := Apply(tree, blocks, Options{
		Base:  func(string) ([]byte, bool) { return []byte(shownText), true },
		Shown: func(string) Shown { return strict },
	})
	require.NoError(t, err)
	return string(tree["f"]), out
}

func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(shownText) }

// It has lost the indentation, and so needs a level that the file as it is now does not allow.
var loose = blockOf("f", "first(1)\nsecond(2)", "first(1)\nsecond(two)")

func TestABlockIsMergedWithChangesOfOtherLines(t *testing.T) {
	t.Parallel()
	text, out := applyMoved(t, replaced("third(3)", "third(three)\n\tmore()"), loose)
	require.Equal(t, replaced("third(3)", "third(three)\n\tmore()", "second(2)", "second(two)"), text)
	res := out.Results[0]
	require.Equal(t, Applied, res.Status, res.Detail)
	require.Equal(t, LevelMerged, res.Level)
	require.Equal(t, detailMerged, res.Detail)
	require.Equal(t, 5, res.Line)
	require.Equal(t, &Edit{
		Line: 5, Removed: []string{"\tsecond(2)"}, Added: []string{"\tsecond(two)"},
		ContextBefore: []string{"", "func one() {", "\tfirst(1)"}, ContextAfter: []string{"}", "", "func two() {"},
	}, res.Edit)
	require.Equal(t, []string{"f"}, out.Changed)
}

func TestALineIsThatOfTheFileAsItIsNow(t *testing.T) {
	t.Parallel()
	_, out := applyMoved(t, "// New.\n// New.\n"+shownText, loose, blockOf("f", "\tfourth(4)", "\tfourth(four)"))
	require.Equal(t, []int{7, 12}, []int{out.Results[0].Line, out.Results[1].Line})
	require.Equal(t, 12, out.Results[1].Edit.Line)
}

func TestEachBlockSeesTheEditsOfThoseBeforeIt(t *testing.T) {
	t.Parallel()
	text, out := applyMoved(t, replaced("third(3)", "third(three)"),
		blockOf("f", "\tsecond(2)", "\tsecond(two)\n\tafter(2)"), blockOf("f", "\tafter(2)", "\tafter(two)"))
	require.Equal(t, replaced("third(3)", "third(three)", "second(2)", "second(two)\n\tafter(two)"), text)
	require.Equal(t, LevelMerged, out.Results[1].Level)
}

func TestABlockForLinesThatChangedIsAConflictWithAllThree(t *testing.T) {
	t.Parallel()
	now := replaced("second(2)", "second(zwei)", "package a", "// A.\npackage a")
	text, out := applyMoved(t, now, loose, blockOf("f", "\tfourth(4)", "\tfourth(four)"))
	require.Equal(t, now, text)
	res := out.Results[0]
	require.Equal(t, Failed, res.Status)
	require.Equal(t, Conflict, res.Reason)
	require.Equal(t, detailConflict, res.Detail)
	require.Nil(t, res.Edit)
	require.Equal(t, 6, res.Line)
	require.Equal(t, &merge.Conflict{
		Base:   merge.Region{Line: 5, Lines: []string{"\tsecond(2)"}},
		Ours:   merge.Region{Line: 5, Lines: []string{"\tsecond(two)"}},
		Theirs: merge.Region{Line: 6, Lines: []string{"\tsecond(zwei)"}},
	}, res.Conflict)
	require.Equal(t, &Excerpt{Line: 4, Lines: []string{"func one() {", "\tfirst(1)", "\tsecond(zwei)", "}", ""}},
		res.ClosestMatch)
	require.Equal(t, EarlierFailed, out.Results[1].Reason)
	require.Empty(t, out.Changed)
}

func TestAConflictWithALineRightBesideIsOneToo(t *testing.T) {
	t.Parallel()
	_, out := applyMoved(t, replaced("first(1)", "first(one)"), blockOf("f", "\tsecond(2)", "\tsecond(two)"))
	require.Equal(t, Conflict, out.Results[0].Reason)
}

func TestABlockWhosePlaceWasCopiedIsUncertain(t *testing.T) {
	t.Parallel()
	one := "func one() {\n\tfirst(1)\n\tsecond(2)\n}\n\n"
	_, out := applyMoved(t, replaced(one, one+one), loose)
	require.Equal(t, Conflict, out.Results[0].Reason)
	require.Equal(t, detailUncertain, out.Results[0].Detail)
	require.True(t, out.Results[0].Conflict.Uncertain)
}

func TestTheSameChangeMadeSinceIsAppliedAlready(t *testing.T) {
	t.Parallel()
	now := replaced("second(2)", "second(two)")
	text, out := applyMoved(t, now, loose, blockOf("f", "\tfourth(4)", "\tfourth(four)"))
	require.Equal(t, AlreadyApplied, out.Results[0].Reason)
	require.Equal(t, LevelMerged, out.Results[1].Level)
	require.Equal(t, strings.Replace(now, "(4)", "(four)", 1), text)
}

// The version that the model saw has no such lines: a person wrote the block for the file as it is.
func TestABlockThatDoesNotMatchWhatWasShownMustMatchTheFileExactly(t *testing.T) {
	t.Parallel()
	now := replaced("second(2)", "second(zwei)\n\tsecond(drei)")
	text, out := applyMoved(t, now, blockOf("f", "\tsecond(drei)", "\tsecond(three)"))
	require.Equal(t, LevelExact, out.Results[0].Level)
	require.Equal(t, strings.Replace(now, "drei", "three", 1), text)
	_, out = applyMoved(t, now, blockOf("f", "second(zwei)\nsecond(drei)", "second(three)"))
	require.Equal(t, Stale, out.Results[0].Reason)
}

// A model has seen no other version: what it looked for and did not find came from somewhere else, and means something
// else.
func TestABlockOfAModelThatMatchedNothingShownFailsWhateverTheFileHasNow(t *testing.T) {
	t.Parallel()
	now := replaced("second(2)", "second(zwei)\n\tsecond(drei)")
	tree := MemTree{"f": []byte(now)}
	base := func(string) ([]byte, bool) { return []byte(shownText), true }
	for _, only := range []bool{false, true} {
		out, err := Apply(tree, []Block{blockOf("f", "\tsecond(drei)", "\tsecond(three)")},
			Options{DryRun: true, Base: base, OnlyAsShown: only})
		require.NoError(t, err)
		require.Equal(t, only, out.Results[0].Reason == NotFound)
		require.Equal(t, !only, out.Results[0].Status == Applied)
	}
}

// In the file as it is, only one of the two places is left. It may not be the one that was meant.
func TestABlockThatWasAmbiguousWhenShownStaysSo(t *testing.T) {
	t.Parallel()
	_, out := applyMoved(t, strings.Replace(shownText, "}\n", "} // one\n", 1), blockOf("f", "}", "} // end"))
	require.Equal(t, Ambiguous, out.Results[0].Reason)
	require.Zero(t, out.Results[0].Line)
	require.Empty(t, out.Results[0].MatchLines)
}

func TestAVersionThatWasShownIsUsedOnlyIfItIsAnotherText(t *testing.T) {
	t.Parallel()
	for name, base := range map[string]func(string) ([]byte, bool){
		"none":      nil,
		"unknown":   func(string) ([]byte, bool) { return []byte("x\n"), false },
		"the same":  func(string) ([]byte, bool) { return []byte(shownText), true },
		"binary":    func(string) ([]byte, bool) { return []byte(shownText + "\x00\n"), true },
		"too large": func(string) ([]byte, bool) { return []byte(strings.Repeat("x\n", 1<<20+1)), true },
	} {
		tree := MemTree{"f": []byte(shownText)}
		out, err := Apply(tree, []Block{loose}, Options{Base: base, Shown: func(string) Shown { return ShownSame }})
		require.NoError(t, err)
		require.Equal(t, Applied, out.Results[0].Status, name)
		require.Equal(t, LevelIndent, out.Results[0].Level, name)
	}
}

func TestLinesKeepTheEndingsOfTheirVersions(t *testing.T) {
	t.Parallel()
	const shown = "\ufeffone\r\ntwo\r\nthree\r\nfour\r\nfive"
	tree := MemTree{"f": []byte(strings.Replace(shown, "five", "5\n", 1))}
	out, err := Apply(tree, []Block{blockOf("f", "one", "1\nand more")}, Options{
		Base: func(string) ([]byte, bool) { return []byte(shown), true },
	})
	require.NoError(t, err)
	require.Equal(t, LevelMerged, out.Results[0].Level, out.Results[0].Detail)
	require.Equal(t, "\ufeff1\r\nand more\r\ntwo\r\nthree\r\nfour\r\n5\n", string(tree["f"]))
}

func TestAMergedFileObeysTheLimitOfItsSize(t *testing.T) {
	t.Parallel()
	now := replaced("package a", "package a // "+strings.Repeat("x", 100))
	tree := MemTree{"f": []byte(now)}
	blocks := []Block{blockOf("f", "\tfourth(4)", strings.Repeat("y", 100)), blockOf("f", "\tsecond(2)", "\tx")}
	out, err := Apply(tree, blocks, Options{
		Base: func(string) ([]byte, bool) { return []byte(shownText), true }, Limits: Limits{FileBytes: len(now) + 90},
	})
	require.NoError(t, err)
	require.Equal(t, TooLarge, out.Results[0].Reason)
	require.Equal(t, now, string(tree["f"]))
}

func TestMergesOfOneReplyShareABoundOfTheirWork(t *testing.T) {
	t.Parallel()
	long := "// " + strings.Repeat("long ", 40_000) + "\n" // whose bytes a merge has to read
	merged := func(w *meter.Work) (res Result, after string) {
		a := &applier{opts: Options{Limits: Limits{FileBytes: defaultFileBytes}}, work: w}
		f := &file{text: text.New(a.work, []byte("// New.\n"+long+shownText)), shown: []byte(long + shownText)}
		a.mergeEdit(f, []byte(long+replaced("(4)", "(four)")), &res)
		return res, string(f.text.Bytes())
	}
	one := meter.Of(meter.Default)
	res, _ := merged(one)
	require.Empty(t, res.Reason)
	both := meter.Of(one.Spent() * 3 / 2)
	res, _ = merged(both)
	require.Empty(t, res.Reason)
	res, after := merged(both)
	require.Equal(t, TooLarge, res.Reason)
	require.Equal(t, tooMuchWork.detail, res.Detail)
	require.Nil(t, res.Conflict)
	require.NotContains(t, after, "(four)")
}

func TestWhatIsMergedIntoAFileOfAnUnknownEncodingIsASCII(t *testing.T) {
	t.Parallel()
	now := "// caf\xe9\n" + shownText
	text, out := applyMoved(t, now, blockOf("f", "second(2)", "second(`é`)"))
	require.Equal(t, BinaryFile, out.Results[0].Reason)
	require.Equal(t, now, text)
	text, _ = applyMoved(t, now, blockOf("f", "second(2)", "second(two)"))
	require.Equal(t, "// caf\xe9\n"+replaced("second(2)", "second(two)"), text)
}

func TestVersionsThatAreTooLargeToCompareAreAConflict(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("// long\n", merge.MaxBytes/8)
	tree := MemTree{"f": []byte("// New.\n" + long + shownText)}
	out, err := Apply(tree, []Block{loose}, Options{
		Base:   func(string) ([]byte, bool) { return []byte(long + shownText), true },
		Limits: Limits{FileBytes: 2 * merge.MaxBytes},
	})
	require.NoError(t, err)
	require.Equal(t, Conflict, out.Results[0].Reason)
	require.Equal(t, detailTooDifferent, out.Results[0].Detail)
	require.Nil(t, out.Results[0].Conflict)
}
