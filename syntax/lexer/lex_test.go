package lexer

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
)

// short writes tokens other than white space as "kind:text".
func short(tokens []Token) []string {
	var words []string
	for _, t := range tokens {
		if t.Kind != Space {
			words = append(words, t.Kind.String()+":"+t.Text)
		}
	}
	return words
}

func TestAStringInAnInterpolationIsToldFromCode(t *testing.T) {
	t.Parallel()
	r := Lex(nil, "Ruby", "puts \"a #{b + 'c'} d\" # e\n")
	require.True(t, r.Complete)
	require.Equal(t, []string{
		"word:puts", "string:\"a #{", "word:b", "punctuation:+", "string:'c'} d\"", "comment:# e",
	}, short(r.Tokens))
}

func TestOperatorsThatTouchAreOneToken(t *testing.T) {
	t.Parallel()
	apart, touching := Lex(nil, "C", "a + +b;\n"), Lex(nil, "C", "a ++b;\n")
	require.Equal(t, []string{"word:a", "punctuation:+", "punctuation:+", "word:b", "punctuation:;"}, short(apart.Tokens))
	require.Equal(t, []string{"word:a", "punctuation:++", "word:b", "punctuation:;"}, short(touching.Tokens))
}

func TestBracketsAreTokensOfTheirOwn(t *testing.T) {
	t.Parallel()
	r := Lex(nil, "Python", "f([{}])\n")
	require.Equal(t, []string{
		"word:f", "punctuation:(", "punctuation:[", "punctuation:{", "punctuation:}", "punctuation:]", "punctuation:)",
	}, short(r.Tokens))
}

func TestTokensHaveTheLinesOfTheText(t *testing.T) {
	t.Parallel()
	r := Lex(nil, "Python", "a = '''x\r\ny'''\r\nb\r\n")
	require.True(t, r.Complete)
	last := r.Tokens[len(r.Tokens)-2]
	require.Equal(t, Token{Word, "b", 3, false}, last)
}

func TestAFileOfPHPBeginsAsText(t *testing.T) {
	t.Parallel()
	file := Lex(nil, "PHP", "<b>{\n<?php f(1);\n")
	require.Equal(t, []string{
		"directive:<b>{", "directive:<?php", "word:f", "punctuation:(", "number:1", "punctuation:)", "punctuation:;",
	}, short(file.Tokens))
	piece := Lex(nil, "PHP", "f(1);")
	require.Equal(t, short(file.Tokens)[2:], short(piece.Tokens))
}

func TestEachLexerOfTheTableSplitsAllOfAText(t *testing.T) {
	t.Parallel()
	const text = "f(a, [1.5, \"x\"]) { b = 'y' } # é\n/* c */\n\n\tend\nlast"
	patient := limits{steps: 1000, clock: (&fakeClock{}).clock()}
	for language := range lexerNames {
		r := lex(language, text, patient)
		require.True(t, r.Complete, language)
		var all strings.Builder
		for _, token := range r.Tokens {
			require.NotEmpty(t, token.Text)
			all.WriteString(token.Text)
		}
		require.Equal(t, text, all.String(), language)
	}
}

func TestWhatIsNotTextOfAKnownLanguageIsIncomplete(t *testing.T) {
	t.Parallel()
	require.False(t, Lex(nil, "", "a").Complete)
	require.False(t, Lex(nil, "Klingon", "a").Complete)
	require.False(t, Lex(nil, "Python", "\xff").Complete)
	require.False(t, Lex(nil, "Python", strings.Repeat("a", MaxText+1)).Complete)
	require.True(t, Lex(nil, "Python", strings.Repeat("a", MaxText)).Complete)
}

func TestATextThatCostsTooMuchIsIncomplete(t *testing.T) {
	t.Parallel()
	enough := limits{steps: 100, time: time.Second, clock: (&fakeClock{}).clock()}
	require.True(t, lex("Python", "a = 1\n", enough).Complete)

	few := enough
	few.steps = 3
	require.Equal(t, Result{}, lex("Python", "a = 1\n", few))

	late := enough
	late.clock = (&fakeClock{step: 300 * time.Millisecond, works: true}).clock()
	require.Equal(t, Result{}, lex("Python", "a = 1\n", late))
}

// The time in which others have the processors is neither late nor work.
func TestAThreadThatWaitsForAProcessorHasAllItsTime(t *testing.T) {
	t.Parallel()
	spent := func(c fakeClock) int {
		w := meter.Of(1 << 40)
		require.True(t, lex("Python", "a = 1\n", limits{steps: 100, time: time.Second, clock: c.clock(), work: w}).Complete)
		return w.Spent()
	}
	quick := spent(fakeClock{})
	require.Equal(t, quick, spent(fakeClock{step: time.Hour}))
	require.Greater(t, spent(fakeClock{step: time.Millisecond, works: true}), 10*quick)
}

// fakeClock goes on by a step each time that it is read. If works, the thread has worked all the time.
type fakeClock struct {
	step, passed time.Duration
	works        bool
}

func (c *fakeClock) clock() clock {
	return clock{
		now: func() time.Time {
			c.passed += c.step
			return time.Unix(0, 0).Add(c.passed)
		},
		worked: func() time.Duration {
			if !c.works {
				return 0
			}
			return c.passed
		},
	}
}

func TestPiecesShareABudget(t *testing.T) {
	t.Parallel()
	const text = "a = 1\n"
	clock := (&fakeClock{step: time.Millisecond, works: true}).clock()
	for story, c := range map[string]struct {
		budget Budget
		pieces int
	}{
		"calls": {Budget{3, 1000, time.Hour}, 3},
		"bytes": {Budget{1000, 4*len(text) + 1, time.Hour}, 4},
		"time":  {Budget{1000, 100_000, 100 * time.Millisecond}, 6},
	} {
		pieces := 0
		for range 20 {
			if !within(&c.budget, nil, "Python", text, clock).Complete {
				break
			}
			pieces++
		}
		require.InDelta(t, c.pieces, pieces, 2, story)
		require.Greater(t, pieces, 1, story)
		require.False(t, within(&c.budget, nil, "Python", text, clock).Complete, "%s: it stays used up", story)
	}
	plenty := NewBudget(10, 1<<20, BudgetTime)
	require.False(t, Within(&plenty, nil, "Python", strings.Repeat("a", MaxPiece+1)).Complete)
	require.Equal(t, 10, plenty.Calls, "what is refused costs nothing")
	require.True(t, Within(&plenty, nil, "Python", strings.Repeat("a", MaxPiece)).Complete)
	require.Equal(t, 1<<20-MaxPiece, plenty.Bytes)
}

func FuzzLex(f *testing.F) {
	for language := range lexerNames {
		f.Add(string(language), "f(a, \"b\") { /* c */ }\n")
	}
	f.Add("PHP", "<?php $a = \"{$b[1]}\" ?> <")
	f.Fuzz(func(t *testing.T, language, text string) {
		if len(text) > 1<<12 {
			t.Skip()
		}
		r := Lex(nil, Language(language), text)
		if !r.Complete {
			require.Nil(t, r.Tokens)
			return
		}
		var all strings.Builder
		for _, token := range r.Tokens {
			require.Equal(t, strings.Count(all.String(), "\n")+1, token.Line)
			all.WriteString(token.Text)
		}
		require.Equal(t, strings.ReplaceAll(text, "\r\n", "\n"), all.String())
	})
}
