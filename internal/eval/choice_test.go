package eval

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/retrieve"
)

// offerOf returns an offer of files of nine lines, without outlines.
func offerOf(names ...string) (out offer) {
	for _, name := range names {
		out.add(name, 9, nil)
	}
	return out
}

func choiceOf(t *testing.T, text string) Choice {
	t.Helper()
	c, err := ParseChoice(text)
	require.NoError(t, err)
	return c
}

func chosen(asks []retrieve.Ask) (names []string) {
	for _, a := range asks {
		names = append(names, a.Path)
	}
	return names
}

func TestAPerfectChoiceIsAllOfferedFilesOfTheFix(t *testing.T) {
	t.Parallel()
	pair := Pair{ID: "shop-1", Gold: []string{"lost.go", "tax.go", "total.go"}}
	asks := choiceOf(t, "perfect").of(pair, offerOf("a.go", "total.go", "b.go", "tax.go"))
	require.Equal(t, []retrieve.Ask{{Path: "total.go"}, {Path: "tax.go"}}, asks)
	none := choiceOf(t, "perfect").of(pair, offerOf("a.go"))
	require.NotNil(t, none, "a model that chooses nothing was asked")
	require.Empty(t, none)
}

func TestNoMoreIsChosenThanIsShown(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range retrieve.MaxChosen + 3 {
		names = append(names, fmt.Sprintf("part%02d.go", i))
	}
	asks := choiceOf(t, "perfect").of(Pair{Gold: names}, offerOf(names...))
	require.Equal(t, names[:retrieve.MaxChosen], chosen(asks))
}

func TestANoisyChoiceIsWrongAsOftenAsItSays(t *testing.T) {
	t.Parallel()
	gold := []string{"tax.go", "total.go"}
	var others []string
	for i := range 10 {
		others = append(others, fmt.Sprintf("other%d.go", i))
	}
	offered := offerOf(slices.Concat(others, gold)...)
	wrong, distinct := 0, map[string]bool{}
	for i := range 1000 {
		pair := Pair{ID: fmt.Sprintf("shop-%d", i), Gold: gold}
		names := chosen(choiceOf(t, "0.2").of(pair, offered))
		require.Equal(t, names, chosen(choiceOf(t, "0.2").of(pair, offered)), "the same pair gets the same choice")
		require.Len(t, names, 2)
		require.NotEqual(t, names[0], names[1])
		for j, name := range names {
			if name != gold[j] {
				require.Contains(t, others, name)
				distinct[name] = true
				wrong++
			}
		}
	}
	require.InDelta(t, 400, wrong, 60)
	require.Len(t, distinct, 10, "any other file may be chosen")
	require.Equal(t, gold, chosen(choiceOf(t, "0.9").of(Pair{Gold: gold}, offerOf(gold...))), "there is no other")
}

func TestAChoiceIsReadFromWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, Choice{}, choiceOf(t, "none"))
	require.Equal(t, choiceOf(t, "perfect"), choiceOf(t, "0"))
	for _, text := range []string{"", "good", "1", "-0.1", "NaN", "1e9"} {
		_, err := ParseChoice(text)
		require.ErrorContains(t, err, fmt.Sprintf("not %q", text))
	}
}

func TestAnOfferTakesWhatItsFilesDo(t *testing.T) {
	t.Parallel()
	o := offerOf("a.go")
	o.add("b.go", 120, []string{"3: func f()", "5: func g()"})
	require.Equal(t, []string{"a.go", "b.go"}, o.paths)
	require.Equal(t, len("a.go (9 lines)\nb.go (120 lines)\n3: func f()\n5: func g()\n"), o.bytes)
}
