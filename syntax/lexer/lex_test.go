package lexer

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
	r := Lex("Ruby", "puts \"a #{b + 'c'} d\" # e\n")
	require.True(t, r.Complete)
	require.Equal(t, []string{
		"word:puts", "string:\"a #{", "word:b", "punctuation:+", "string:'c'} d\"", "comment:# e",
	}, short(r.Tokens))
}

func TestOperatorsThatTouchAreOneToken(t *testing.T) {
	t.Parallel()
	apart, touching := Lex("C", "a + +b;\n"), Lex("C", "a ++b;\n")
	require.Equal(t, []string{"word:a", "punctuation:+", "punctuation:+", "word:b", "punctuation:;"}, short(apart.Tokens))
	require.Equal(t, []string{"word:a", "punctuation:++", "word:b", "punctuation:;"}, short(touching.Tokens))
}

func TestBracketsAreTokensOfTheirOwn(t *testing.T) {
	t.Parallel()
	r := Lex("Python", "f([{}])\n")
	require.Equal(t, []string{
		"word:f", "punctuation:(", "punctuation:[", "punctuation:{", "punctuation:}", "punctuation:]", "punctuation:)",
	}, short(r.Tokens))
}

func TestTokensHaveTheLinesOfTheText(t *testing.T) {
	t.Parallel()
	r := Lex("Python", "a = '''x\r\ny'''\r\nb\r\n")
	require.True(t, r.Complete)
	last := r.Tokens[len(r.Tokens)-2]
	require.Equal(t, Token{Word, "b", 3}, last)
}

func TestAFileOfPHPBeginsAsText(t *testing.T) {
	t.Parallel()
	file := Lex("PHP", "<b>{\n<?php f(1);\n")
	require.Equal(t, []string{
		"directive:<b>{", "directive:<?php", "word:f", "punctuation:(", "number:1", "punctuation:)", "punctuation:;",
	}, short(file.Tokens))
	piece := Lex("PHP", "f(1);")
	require.Equal(t, short(file.Tokens)[2:], short(piece.Tokens))
}

func TestEachLexerOfTheTableSplitsAllOfAText(t *testing.T) {
	t.Parallel()
	const text = "f(a, [1.5, \"x\"]) { b = 'y' } # é\n/* c */\n\n\tend\nlast"
	for language := range lexerNames {
		r := Lex(language, text)
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
	require.False(t, Lex("", "a").Complete)
	require.False(t, Lex("Klingon", "a").Complete)
	require.False(t, Lex("Python", "\xff").Complete)
	require.False(t, Lex("Python", strings.Repeat("a", MaxText+1)).Complete)
	require.True(t, Lex("Python", strings.Repeat("a", MaxText)).Complete)
}

func TestATextThatCostsTooMuchIsIncomplete(t *testing.T) {
	t.Parallel()
	start := time.Unix(0, 0)
	enough := limits{steps: 100, now: func() time.Time { return start }, until: start}
	require.True(t, lex("Python", "a = 1\n", enough).Complete)

	few := enough
	few.steps = 3
	require.Equal(t, Result{}, lex("Python", "a = 1\n", few))

	late := enough
	late.now = func() time.Time { return start.Add(1) }
	require.Equal(t, Result{}, lex("Python", "a = 1\n", late))
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
		r := Lex(Language(language), text)
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
