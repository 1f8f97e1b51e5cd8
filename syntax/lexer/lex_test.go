package lexer

import (
	"strings"
	"testing"

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
	for language := range lexerNames {
		r := Lex(nil, language, text)
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
	require.Equal(t, Result{Why: NoRules}, Lex(nil, "", "a"))
	require.Equal(t, Result{Why: NoRules}, Lex(nil, "Klingon", "a"))
	require.Equal(t, Result{Why: NotText}, Lex(nil, "Python", "\xff"))
	require.Equal(t, Result{Why: TooLarge}, Lex(nil, "Python", strings.Repeat("a", MaxText+1)))
	require.True(t, Lex(nil, "Python", strings.Repeat("a", MaxText)).Complete)
	for why := NoRules; why <= Steps; why++ {
		require.NotEmpty(t, why.String())
	}
}

func TestATextThatCostsTooMuchIsIncomplete(t *testing.T) {
	t.Parallel()
	const text = "a = 1\n"
	w := meter.Of(1 << 40)
	require.True(t, lex(w, "Python", text, 1000).Complete)
	require.Equal(t, Result{Why: Steps}, lex(nil, "Python", text, w.Spent()*stepsPerUnit/2))
	require.Equal(t, Result{Why: Steps}, Lex(meter.Of(w.Spent()/2), "Python", text))
	require.True(t, Lex(meter.Of(w.Spent()), "Python", text).Complete)
}

// Each is one that the rules of a language try in many ways, most of them for each character again.
func TestATextThatIsMadeToBeSlowTakesItsStepsAndNoMore(t *testing.T) {
	t.Parallel()
	for language, unit := range map[Language]string{
		"Ruby": "<<a\n", "Perl": "s/", "Kotlin": "/*", "C++": "a::", "JavaScript": "<!--", "Haskell": "{-", "Scala": "\"\"\"",
	} {
		text := strings.Repeat(unit, MaxText/4/len(unit))
		w := meter.Of(1 << 40)
		const steps = 3_000_000
		result := lex(w, language, text, steps)
		require.LessOrEqual(t, w.Spent(), 2*steps/stepsPerUnit, language)
		require.Equal(t, result, lex(nil, language, text, steps), "%s: it is the same each time", language)
		few := meter.Of(100_000)
		require.Equal(t, Result{Why: Steps}, Lex(few, language, text), language)
		require.Less(t, few.Spent(), 110_000, language)
	}
}

// Chroma's lexers add a character at a time to a comment or a string.
func TestALongStringOfManyPartsIsOneToken(t *testing.T) {
	t.Parallel()
	text := "\"" + strings.Repeat("\\n ", MaxText/4) + "\""
	r := Lex(nil, "Python", text)
	require.True(t, r.Complete)
	require.Equal(t, []string{"string:" + text}, short(r.Tokens))
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
			require.NotZero(t, r.Why)
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
