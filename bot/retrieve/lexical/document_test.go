package lexical

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// countIn returns how often a document has a word in each piece that has it.
func countIn(d *Document, word string) []posting {
	for i, t := range d.terms {
		if t == hash([]byte(word)) {
			return d.postings[d.first[i]:d.first[i+1]]
		}
	}
	return nil
}

func TestWhichPiecesHaveAWord(t *testing.T) {
	t.Parallel()
	d := NewDocument("a.txt", []byte("wood wood\n"+strings.Repeat("\n", 2*PieceLines-1)+"wood\nstone\n"))
	require.Equal(t, []posting{{0, 2}, {2, 1}}, countIn(d, "wood"))
	require.Equal(t, []posting{{2, 1}}, countIn(d, "ston"))
	require.Equal(t, []uint32{2, 0, 2}, d.lengths)
	require.Equal(t, 2*PieceLines+2, d.lines)
	require.Equal(t, 1, NewDocument("a.txt", []byte("without a line feed")).lines)
	require.Equal(t, 0, NewDocument("a.txt", nil).lines)
}

func TestLineEndingsDoNotMatter(t *testing.T) {
	t.Parallel()
	text := "def one():\n    return 'two'\n\nMAX = 3\n"
	windows := strings.ReplaceAll(text, "\n", "\r\n")
	require.Equal(t, NewDocument("a.py", []byte(text)), NewDocument("a.py", []byte(windows)))
}

func TestDefinitionsOfADocument(t *testing.T) {
	t.Parallel()
	d := NewDocument("a.py", []byte("def one():\ndef two():\ndef one():\n"))
	require.Equal(t, []int{1, 3}, d.Definitions("one"))
	require.Equal(t, []int{2}, d.Definitions("two"))
	require.Empty(t, d.Definitions("three"))
	require.Empty(t, d.Definitions("One"), "the case of a name counts")
	require.Empty(t, NewDocument("a.txt", []byte("def one():\n")).Definitions("one"))
	require.Empty(t, (*Document)(nil).Definitions("one"))
}

func TestHostileDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	words := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < MaxBytes; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text  string
		lines int
		bytes int64
	}{
		"one line":             {strings.Repeat("word ", MaxBytes/5), 1, 1 << 10},
		"different words":      {words("w%x\n"), 0, maxPostings*12 + 256<<10},
		"different long lines": {words(strings.Repeat("w%[1]xx ", 100) + "\n"), 0, maxPostings*12 + 256<<10},
		"empty lines":          {strings.Repeat("\n", MaxBytes), MaxBytes, 4*MaxBytes/PieceLines + 1<<10},
		"more than is read":    {strings.Repeat("\n", MaxBytes+1000), MaxBytes, 4*MaxBytes/PieceLines + 1<<10},
		"long words":           {strings.Repeat(strings.Repeat("x", maxWordBytes+1)+"\n", 10_000), 10_000, 4 << 10},
		"a word in each line":  {strings.Repeat("aa\n", MaxBytes/3), MaxBytes / 3, 8*MaxBytes/3/PieceLines + 1<<10},
		"definitions":          {strings.Repeat("def x():\n", MaxBytes/9), MaxBytes / 9, 256 << 10},
		"invalid UTF-8":        {strings.Repeat("\xff\xfe\x80 \xc3\n", 1000), 1000, 4 << 10},
		"NULs":                 {strings.Repeat("\x00", MaxBytes), 1, 1 << 10},
		"parentheses":          {"    " + strings.Repeat("f(", MaxBytes/2), 1, 1 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, file := range []string{"a.py", "a.java", "a.go"} {
				d := NewDocument(file, []byte(c.text))
				requireConsistent(t, d, len(c.text))
				require.LessOrEqual(t, d.Bytes(), c.bytes, file)
				if c.lines > 0 {
					require.Equal(t, c.lines, d.lines)
				}
			}
		})
	}
}

// Files of short words that are all different have the most terms for their size.
func TestADocumentTakesNoMoreThanTwiceItsFile(t *testing.T) {
	t.Parallel()
	for _, size := range []int{20_000, 100_000, MaxBytes} {
		for _, end := range []string{"\n", " "} {
			var text []byte
			for i := 0; len(text) < size; i++ {
				text = append(text, byte('a'+i%26), byte('a'+i/26%26), byte('a'+i/676%26), byte('a'+i/17_576%26))
				text = append(text, end...)
				if i%100 == 0 {
					text = append(text, '\n')
				}
			}
			d := NewDocument("a.py", text[:size])
			require.LessOrEqual(t, d.Bytes(), int64(2*size+size/10+1000), "%d %q", size, end)
		}
	}
	few := NewDocument("a.py", []byte("gearBox = slipRing(turnTable)\n"))
	require.Len(t, few.postings, 9, "a small file of many words has all of them")
}

func TestALargeDocumentLeavesNoLargeTables(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&text, "w%x\n", i)
	}
	b := &builder{slots: make([]uint32, minSlots)}
	b.document([]byte(text.String()))
	require.Greater(t, len(b.slots), keptSlots)
	b.reset()
	require.Len(t, b.slots, minSlots)
	require.Zero(t, cap(b.found))
}

// requireConsistent checks what is true of each document of a file of so many bytes.
func requireConsistent(t *testing.T, d *Document, size int) {
	t.Helper()
	require.True(t, slices.IsSorted(d.terms))
	require.Len(t, slices.Compact(slices.Clone(d.terms)), len(d.terms))
	require.Len(t, d.first, len(d.terms)+1)
	require.Equal(t, len(d.postings), int(d.first[len(d.terms)]))
	require.LessOrEqual(t, len(d.postings), postingsOf(size))
	require.Equal(t, (d.lines+PieceLines-1)/PieceLines, len(d.lengths))
	length, counted := uint32(0), uint32(0)
	for _, n := range d.lengths {
		length += n
	}
	require.Equal(t, d.length, length)
	for i := range d.terms {
		of := d.postings[d.first[i]:d.first[i+1]]
		if len(of) == 0 {
			t.Fatal("a term without postings")
		}
		for j, p := range of {
			if int(p.piece) >= len(d.lengths) || p.count == 0 || j > 0 && p.piece <= of[j-1].piece {
				t.Fatal("postings out of order")
			}
			counted += uint32(p.count)
		}
	}
	if len(d.postings) < postingsOf(size) {
		require.Equal(t, d.length, counted)
	}
	require.True(t, slices.IsSorted(d.names))
	require.Len(t, d.defined, len(d.names))
	require.LessOrEqual(t, len(d.defined), maxDefinitions)
	for _, line := range d.defined {
		require.True(t, line >= 1 && int(line) <= d.lines)
	}
}

// The next test measures the memory of the whole process, so it runs alone.
func TestDocumentsTakeTheMemoryThatTheySay(t *testing.T) {
	documents := make([]*Document, 0, 400)
	before, said := allocated(), int64(0)
	for i := range cap(documents) {
		d := NewDocument("a.py", []byte(python(i, 20+i)))
		documents, said = append(documents, d), said+d.Bytes()
	}
	used := allocated() - before
	require.InEpsilon(t, used, said, 0.15)
	runtime.KeepAlive(documents)
}

// allocated returns how much memory is in use.
func allocated() int64 {
	var m runtime.MemStats
	for range 2 { // what is in a pool survives once
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// python returns n functions.
func python(seed, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "def function_%d_%d(value):\n    return value.method%d(%d)\n\n", seed, i, i*seed%97, i)
	}
	return b.String()
}

// FuzzDocument indexes any text as any file.
func FuzzDocument(f *testing.F) {
	f.Add("a.go", []byte("package a\n\nfunc (t *T) One() {}\n"))
	f.Add("a.py", []byte("class A:\r\n    def b(self):\r\n"))
	f.Add("a.ts", []byte("\xff\x00 ((((\n  a() {\n"))
	f.Add("a.java", []byte("  int f(\n  public static final x\n"))
	f.Add("a.c", []byte("#define A\nint f (x\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		d := NewDocument(name, data)
		requireConsistent(t, d, len(data))
		require.Equal(t, d, NewDocument(name, data))
	})
}
