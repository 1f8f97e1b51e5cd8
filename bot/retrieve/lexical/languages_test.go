package lexical

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A line that reaches no regular expression defines nothing: whatever its pattern says alone, it says behind the quick
// look at the line too.
func TestNoDefinitionIsMissedByTheQuickLook(t *testing.T) {
	t.Parallel()
	for _, ext := range slices.Sorted(maps.Keys(languages)) {
		t.Run(ext, func(t *testing.T) {
			t.Parallel()
			l := languages[ext]
			r := rand.New(rand.NewPCG(3, 7))
			parts := partsOfLines(l)
			found := 0
			for range 20_000 {
				line := randomLine(r, parts)
				want := l.byPattern(line)
				require.Equal(t, string(want), string(l.defined(line)), "%q", line)
				if want != nil {
					found++
				}
			}
			require.NotZero(t, found)
		})
	}
}

// byPattern returns the name that a line defines.
func (l *language) byPattern(line []byte) []byte {
	line = bytes.TrimRight(line, "\r\n")
	m := l.pattern.FindSubmatch(line)
	if m == nil {
		return nil
	}
	for _, name := range m[1:] {
		if len(name) > 0 && !notDefined[string(name)] {
			return name
		}
	}
	return nil
}

// partsOfLines returns what lines of a language are made of.
func partsOfLines(l *language) []string {
	parts := slices.Concat(slices.Collect(maps.Keys(l.words)), slices.Collect(maps.Keys(l.modifiers)),
		strings.Fields(`name Name NAME if const let var get set #define # ## @attr pub(crate) macro_rules! impl<T> function*
			create CREATE table self. ( ) () { } [ ] < > = ; : , . * & ~ ! ? :: -> " ä`))
	slices.Sort(parts)
	return parts
}

func randomLine(r *rand.Rand, parts []string) []byte {
	var line bytes.Buffer
	line.WriteString([]string{"", "", "  ", "\t"}[r.IntN(4)])
	for range 1 + r.IntN(6) {
		line.WriteString(parts[r.IntN(len(parts))])
		line.WriteString([]string{"", " ", " ", "\t"}[r.IntN(4)])
	}
	line.WriteString([]string{"", "\n", "\r\n", "{\n", "() {\n", "(x)\n", " = 1\n"}[r.IntN(7)])
	return line.Bytes()
}

func TestAKeywordOfTheTablesIsNeverTooLong(t *testing.T) {
	t.Parallel()
	for ext, l := range languages {
		for word := range l.words {
			require.LessOrEqual(t, len(word), maxKeyword, ext)
		}
		for word := range l.modifiers {
			require.LessOrEqual(t, len(word), maxKeyword, ext)
		}
	}
}

// FuzzDefined compares the quick look at any line with the pattern alone.
func FuzzDefined(f *testing.F) {
	extensions := slices.Sorted(maps.Keys(languages))
	for i, line := range []string{
		"  public static int f(int x)\n", "def x", "type X =", "fun <T> f()", "  get x() {", "#define X", "const x = 1",
		"function* f()", "pub(crate) fn x", "CREATE TABLE x", "## x", "", "\n", "(", "\xff(",
	} {
		f.Add(uint8(i%len(extensions)), []byte(line))
	}
	f.Fuzz(func(t *testing.T, n uint8, text []byte) {
		line, _ := nextLine(text)
		if len(line) == 0 || len(line) > maxDefinitionLine {
			return
		}
		l := languages[extensions[int(n)%len(extensions)]]
		require.Equal(t, string(l.byPattern(line)), string(l.defined(line)))
	})
}
