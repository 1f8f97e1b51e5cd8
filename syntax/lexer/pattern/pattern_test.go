package pattern_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/syntax/lexer/pattern"
)

func compiled(t *testing.T, expression string) *pattern.Pattern {
	p, err := pattern.Compile(expression)
	require.NoError(t, err)
	return p
}

func requireMatch(t *testing.T, m *pattern.Matcher, p *pattern.Pattern, text string, pos int) {
	matched, known := m.Match(p, []rune(text), pos)
	require.True(t, matched)
	require.True(t, known)
}

func TestAGroupHasWhatItMatchedLast(t *testing.T) {
	t.Parallel()
	p := compiled(t, `(?<!x)(?:(a)|(b)|(c))+?d`)
	m := pattern.Matcher{Steps: 1000}
	requireMatch(t, &m, p, "_abad", 1)
	require.Equal(t, 4, p.Groups())
	for i, want := range [][2]int{{1, 5}, {3, 4}, {2, 3}, {-1, -1}} {
		start, end := m.Group(i)
		require.Equal(t, want, [2]int{start, end}, "group %d", i)
	}
	matched, known := m.Match(p, []rune("xabad"), 1)
	require.False(t, matched)
	require.True(t, known)
}

func TestWhatNoLexerNeedsIsNotCompiled(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{`(`, `(?<a>b)(?<-a>c)`, `(a)?(?(1)b|c)`, `(?(?=a)b|c)`} {
		_, err := pattern.Compile(expression)
		require.Error(t, err, expression)
	}
}

func TestATextThatIsMadeToBeSlowEndsWithTheSteps(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 100_000)
	for expression, text := range map[string]string{
		`(a|aa)*b`:        strings.Repeat("a", 100),
		`(?:a+b?)*c`:      long,
		`(?:a|(aa))*?c`:   long,
		`(?=(.+)+c)`:      strings.Repeat("語", 100_000),
		`(.*)\1+,`:        long,
		`(?:a*?a*?a*?)+b`: long,
		`a*(?<=,(?>\w*))`: strings.Repeat("a", 10_000),
	} {
		m := pattern.Matcher{Steps: 10_000_000}
		matched, known := m.Match(compiled(t, expression), []rune(text), 0)
		require.False(t, matched, expression)
		require.False(t, known, expression)
		require.Negative(t, m.Steps, expression)
		_, known = m.Match(compiled(t, `a`), []rune("a"), 0)
		require.False(t, known, "what is used up stays so")
	}
}

// What a loop tries for a character, sets and takes back takes time, too.
func TestWhatIsTriedAndTakenBackIsCounted(t *testing.T) {
	t.Parallel()
	const n = 1000
	m := pattern.Matcher{Steps: 100 * n}
	matched, known := m.Match(compiled(t, `(?:(a)|(b))*c`), []rune(strings.Repeat("a", n)), 0)
	require.False(t, matched)
	require.True(t, known)
	require.LessOrEqual(t, m.Steps, 85*n)
}

func TestALoopOverCharactersIsOneChoice(t *testing.T) {
	t.Parallel()
	const n = 1_000_000
	text := strings.Repeat("a", n) + "b"
	for _, expression := range []string{`a*b`, `a*?b`, `(?>a*)b`, `(?<=a{1000})?a+b`} {
		m := pattern.Matcher{Steps: 10 * n}
		requireMatch(t, &m, compiled(t, expression), text, 0)
	}
}

// Otherwise it would take gigabytes: a choice and several changes for each character.
func TestMemoryIsBounded(t *testing.T) {
	text := []rune(strings.Repeat("ab", 4<<20))
	p := compiled(t, `(?:(a)|(b))*z`)
	before := allocated()
	m := pattern.Matcher{Steps: 1 << 40}
	_, known := m.Match(p, text, 0)
	require.False(t, known)
	require.Positive(t, m.Steps, "they are not what it lacks")
	require.Less(t, allocated()-before, uint64(50<<20))
	runtime.KeepAlive(&m)
}

// allocated returns the bytes in use.
func allocated() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
