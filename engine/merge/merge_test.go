package merge

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
)

// song is a text of lines that can be told apart, with some replaced.
func song(changed map[int]string) string {
	var b strings.Builder
	for i := 1; i <= 20; i++ {
		line, ok := changed[i]
		if !ok {
			line = fmt.Sprintf("line %d\n", i)
		}
		b.WriteString(line)
	}
	return b.String()
}

type lineChanges map[int]string

func requireClean(t *testing.T, want, base, ours, theirs string) {
	t.Helper()
	for _, sides := range [][2]string{{ours, theirs}, {theirs, ours}} {
		got := Merge([]byte(base), []byte(sides[0]), []byte(sides[1]))
		require.True(t, got.Clean(), "%+v", got)
		require.Equal(t, want, string(got.Text))
	}
}

func requireConflict(t *testing.T, uncertain bool, base, ours, theirs string) Conflict {
	t.Helper()
	a, b := Merge([]byte(base), []byte(ours), []byte(theirs)), Merge([]byte(base), []byte(theirs), []byte(ours))
	require.False(t, a.Clean())
	require.Empty(t, a.Refusal)
	require.Nil(t, a.Text)
	require.Len(t, b.Conflicts, len(a.Conflicts))
	for i, c := range a.Conflicts {
		require.Equal(t, uncertain, c.Uncertain)
		require.Equal(t, Conflict{c.Uncertain, c.Base, c.Theirs, c.Ours}, b.Conflicts[i], "sides may be exchanged")
	}
	return a.Conflicts[0]
}

func TestChangesWithALineBetweenThemAreBothMade(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ ours, theirs, want lineChanges }{
		"far apart":        {lineChanges{3: "new\n"}, lineChanges{15: ""}, lineChanges{3: "new\n", 15: ""}},
		"one line between": {lineChanges{3: "new\n"}, lineChanges{5: "other\n"}, lineChanges{3: "new\n", 5: "other\n"}},
		"at both ends":     {lineChanges{1: ""}, lineChanges{20: "end"}, lineChanges{1: "", 20: "end"}},
		"the same on both": {lineChanges{3: "new\n", 9: ""}, lineChanges{3: "new\n"}, lineChanges{3: "new\n", 9: ""}},
		"several, in turns": {
			lineChanges{2: "a\n", 9: "b\nc\n"}, lineChanges{5: "", 13: "d\n"},
			lineChanges{2: "a\n", 5: "", 9: "b\nc\n", 13: "d\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireClean(t, song(c.want), song(nil), song(c.ours), song(c.theirs))
		})
	}
}

func TestChangesThatTouchAreAConflict(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ ours, theirs lineChanges }{
		"the same line":              {lineChanges{5: "a\n"}, lineChanges{5: "b\n"}},
		"the line below":             {lineChanges{5: "a\n"}, lineChanges{6: "b\n"}},
		"one removed, one changed":   {lineChanges{5: ""}, lineChanges{5: "b\n"}},
		"both insert there":          {lineChanges{5: "line 5\na\n"}, lineChanges{5: "line 5\nb\n"}},
		"inserted beside a removed":  {lineChanges{5: ""}, lineChanges{5: "line 5\nb\n"}},
		"one of two lines is common": {lineChanges{5: "a\n", 6: "same\n"}, lineChanges{5: "b\n", 6: "same\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireConflict(t, false, song(nil), song(c.ours), song(c.theirs))
		})
	}
}

func TestAConflictHasTheLinesOfAllThree(t *testing.T) {
	t.Parallel()
	ours, theirs := song(lineChanges{2: "", 9: "a\r\nb\n"}), song(lineChanges{9: "", 15: "z\n"})
	got := requireConflict(t, false, song(nil), ours, theirs)
	require.Equal(t, Conflict{
		Base:   Region{Line: 9, Lines: []string{"line 9"}},
		Ours:   Region{Line: 8, Lines: []string{"a", "b"}},
		Theirs: Region{Line: 9},
	}, got)
}

func TestOneSideAloneIsTheResult(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"", "\x00", "a", "a\r\n", "\xff\n", strings.Repeat("x", MaxBytes+1)} {
		other := data + "more\n"
		requireClean(t, data, other, data, other)
		requireClean(t, data, other, data, data)
		requireClean(t, other, data, data, other)
	}
}

func TestUnchangedLinesKeepTheirBytes(t *testing.T) {
	t.Parallel()
	base := "\ufeffone\r\ntwo\r\n\tthree \nfour\xe9\nfive\nsix\r\nseven"
	ours := strings.Replace(base, "two\r\n", "2\r\n", 1)
	theirs := strings.Replace(base, "six\r\n", "6\r\n", 1)
	requireClean(t, strings.Replace(ours, "six", "6", 1), base, ours, theirs)
	requireClean(t, ours+"\n", base, ours, base+"\n")
	requireConflict(t, false, base, ours, strings.ReplaceAll(base, "\r\n", "\n"))
}

// A group of added lines can be placed in several ways. Where that decides about the text, there is no clean result.
func TestAnInsertionThatCouldBeAboveOrBelowAChangeIsUncertain(t *testing.T) {
	t.Parallel()
	base, theirs := "A\nx\ny\nB\n", "A\nx\ny\nnew\nx\ny\nB\n"
	got := requireConflict(t, true, base, "A\ny\nB\n", theirs)
	require.Equal(t, Region{Line: 2, Lines: []string{"x"}}, got.Base)
	// The other side added either "b, new" above b or "new, b" below it; without copies, only another alignment shows it.
	requireConflict(t, true, "a\nb\nc\n", "a\nnew\nb\nc\n", "a\nb\nnew\nb\nc\n")
	// Here the text is the same wherever it is placed.
	requireClean(t, "AA\nx\ny\nnew\nx\ny\nB\n", base, "AA\nx\ny\nB\n", theirs)
}

// A passage was rewritten, and has a blank line after every fifth line, as before. As in git, those are changed too.
func TestFrequentLinesAmongChangedOnesAreChangedToo(t *testing.T) {
	t.Parallel()
	numbers := table{}
	text := func(word string) lines {
		var b strings.Builder
		for i := range 200 {
			name := "line"
			if i >= 80 && i < 120 {
				name = word
			}
			fmt.Fprintf(&b, "%s %d\n", name, i)
			if i%5 == 0 {
				b.WriteString("\n")
			}
		}
		return numbers.split([]byte(b.String()))
	}
	base, side := text("old"), text("new")
	work := Work
	for w, want := range map[way]int{ways[0]: 1, {all: true}: 9} {
		hunks, ok := w.align(base, side, &work)
		require.True(t, ok)
		require.Len(t, hunks, want)
	}
}

const (
	loadFunc = "func load() error {\n\topen()\n\tcheck()\n\treturn nil\n}\n"
	saveFunc = "func save() error {\n\topen()\n\tcheck()\n\treturn nil\n}\n"
)

func TestAChangeOfLinesThatTheOtherSideCopiedNearbyIsUncertain(t *testing.T) {
	t.Parallel()
	base := "package a\n\n" + loadFunc
	ours := strings.Replace(base, "\tcheck()\n", "", 1)
	for name, theirs := range map[string]string{
		"the function below": base + "\n" + saveFunc,
		"the function above": "package a\n\n" + saveFunc + "\n" + loadFunc,
		"the statement":      strings.Replace(base, "\tcheck()\n", "\tcheck()\n\tcheck()\n", 1),
		"it and the next":    strings.Replace(base, "\treturn nil\n", "\treturn nil\n\tcheck()\n\treturn nil\n", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireUncertain(t, base, ours, theirs)
		})
	}
}

// requireUncertain requires a conflict of any kind: where a copy touches the change, it is one by git's rule too.
func requireUncertain(t *testing.T, base, ours, theirs string) {
	t.Helper()
	require.NotEmpty(t, Merge([]byte(base), []byte(ours), []byte(theirs)).Conflicts)
	require.NotEmpty(t, Merge([]byte(base), []byte(theirs), []byte(ours)).Conflicts)
}

func TestAChangeOfOneOfSeveralCopiesThatTheOtherSideRemovedIsUncertain(t *testing.T) {
	t.Parallel()
	base := "package a\n\n" + loadFunc + "\n" + loadFunc + "\nvar x int\n"
	ours := strings.Replace(base, "\tcheck()\n", "\tcheck(1)\n", 1)
	requireUncertain(t, base, ours, "package a\n\n"+loadFunc+"\nvar x int\n")
	// There is one alignment, and it keeps the first copy. Whoever removed the second may have meant either.
	const open, check, read, last = "open()\n", "check()\n", "read()\n", "end\n"
	base = open + check + read + open + check + last
	got := requireConflict(t, true, base, open+"check(1)\n"+read+open+check+last, open+check+read+last)
	require.Equal(t, Region{Line: 2, Lines: []string{"check()"}}, got.Base)
}

// The lines between are in both versions exactly once, so no alignment would take the copy for the original.
func TestACopyBehindOtherLinesIsNoDoubt(t *testing.T) {
	t.Parallel()
	base := "package a\n\n" + loadFunc + "\nconst a = 1\nconst b = 2\nconst c = 3\n"
	ours := strings.Replace(base, "\tcheck()\n", "", 1)
	requireClean(t, ours+"\n"+saveFunc, base, ours, base+"\n"+saveFunc)
}

func TestVersionsThatCannotBeComparedAreRefused(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range MaxBytes / 8 {
		fmt.Fprintf(&b, "%07d\n", i)
	}
	large := b.String()
	for _, c := range []struct {
		base, ours, theirs string
		want               Refusal
	}{
		{"a\nb\nc\n", "a\x00\nb\nc\n", "a\nb\nd\n", NotText},
		{"a\nb\nc\n", "a\nb\nd\n", "a\x00\nb\nc\n", NotText},
		{"a\nb\nc\x00\n", "a\n", "b\n", NotText},
		{large, "b\n" + large, "c\n", TooLarge},
	} {
		got := Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs))
		require.Equal(t, Result{Refusal: c.want}, got)
		require.False(t, got.Clean())
	}
	got := Merge([]byte(large), []byte("b\n"+large[8:]), []byte(large[:len(large)-8]))
	require.True(t, got.Clean(), "that large it may be")
}

// Every line of these is in both versions, in another order.
func TestTheWorkOfAMergeIsBounded(t *testing.T) {
	t.Parallel()
	var base, ours, theirs bytes.Buffer
	const n = 60_000
	for i := range n {
		fmt.Fprintln(&base, i*7919%n)
		fmt.Fprintln(&ours, i*104_729%n)
		fmt.Fprintln(&theirs, i*1_299_709%n)
	}
	work := Work
	require.Equal(t, Result{Refusal: TooDifferent}, within(&work, base.Bytes(), ours.Bytes(), theirs.Bytes()))
	require.Greater(t, work, -Work/100, "not much more than that is done")
	for _, work := range []int{-1, 0, 20} {
		got := within(&work, []byte("a\nb\nc\nd\n"), []byte("x\na\nb\nc\nd\n"), []byte("a\nb\nc\nd\ny\n"))
		require.Equal(t, Result{Refusal: TooDifferent}, got)
	}
}

// The lines around each change have many copies, which are counted for each of them.
func TestTheWorkOfCountingCopiesIsBounded(t *testing.T) {
	t.Parallel()
	block := strings.Repeat("x\n", 40) + "y\n"
	base := strings.Repeat(block, 800)
	ours, theirs := strings.ReplaceAll(base, "x\ny\n", "x\nz\ny\n"), "y\n"+base
	work := 1 << 22
	require.Equal(t, Result{Refusal: TooDifferent}, within(&work, []byte(base), []byte(ours), []byte(theirs)))
	require.Greater(t, work, -1<<20)
}

func TestAMergeTakesWhatItCostsFromTheWorkOfItsCaller(t *testing.T) {
	t.Parallel()
	base := []byte(strings.Repeat("same\n", 100) + "one\n\ntwo\n")
	ours, theirs := bytes.Replace(base, []byte("one"), []byte("1"), 1), bytes.Replace(base, []byte("two"), []byte("2"), 1)
	w := meter.Of(1000)
	require.Equal(t, Merge(base, ours, theirs), Within(w, base, ours, theirs))
	require.Positive(t, w.Spent())
	require.Equal(t, TooDifferent, Within(meter.Of(1), base, ours, theirs).Refusal)
}
