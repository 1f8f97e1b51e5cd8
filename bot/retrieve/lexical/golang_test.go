package lexical

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// declared is a name and its line.
type declared struct {
	name string
	line int
}

func quickly(data []byte) (out []declared) {
	eachGoName(data, func(name []byte, line int) { out = append(out, declared{string(name), line}) })
	return out
}

func byParser(data []byte) (out []declared) {
	for _, d := range outlineGo(data) {
		out = append(out, declared{d.Name, d.Line})
	}
	return out
}

func TestTheIndexFindsTheNamesThatTheParserOfGoFinds(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"",
		"func A() {}\nfunc (t *T[K]) B(x func() (int, error)) (y int) {\n\tvar no int\n\ttype no2 int\n}\n" +
			"func C[T any](x T)\n",
		"type A int\ntype B = A\ntype C[K comparable, V any] struct {\n\tno K\n}\ntype (\n\tD int\n\tE struct{ no int }\n)\n",
		"var a int\nvar b, c = 1, 2\nvar (\n\td = f(no,\n\t\tno2)\n\te,\n\tf int\n\t_ = 1\n)\nvar g = []int{\n\tno,\n}\n",
		"const (\n\ta = iota\n\tb\n\tc = 1 +\n\t\tno\n\td, e = 1., 2\n\tf = 0x1p-2\n)\nconst (g = 1; h = 2)\nconst ()\n",
		"var a = `\nfunc no() {}\n` + \"\\\"func no(\" + string('\\'') + string('{')\nvar b = 1\n",
		"// func no() {\n/* func no() {\n*/ func a() {}\nvar b = 1 /* c\n*/\nvar c /* x */, d int\n",
		"//line other.y:900\nfunc a() {}\n",
		"func a() { type no struct{} }; func b() {}; var c = func(x int) (int) { return x }\nvar d interface{ no() }\n",
		"func Größe() {}\r\nvar x = map[string]int{\r\n\t\"a\": 1,\r\n}\r\nvar y = x[1:2]\r\n",
		"import (\n\t\"no\"\n\tno \"no\"\n)\n\nfunc a() {}\n",
	} {
		data := []byte("package p\n\n" + text)
		_, err := parser.ParseFile(token.NewFileSet(), "", data, 0)
		if !strings.Contains(text, "func C[T any](x T)\n") {
			require.NoError(t, err, "%s", text)
		}
		require.Equal(t, byParser(data), quickly(data), "%s", text)
		for _, d := range quickly(data) {
			require.NotContains(t, d.name, "no", "%s", text)
		}
	}
}

func TestTheIndexFindsTheNamesOfThisModule(t *testing.T) {
	t.Parallel()
	files := 0
	require.NoError(t, filepath.WalkDir("../..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == "testdata" {
			return filepath.SkipDir
		}
		if filepath.Ext(name) == ".go" {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Equal(t, byParser(data), quickly(data), name)
			files++
		}
		return nil
	}))
	require.Greater(t, files, 100)
}

func TestGoFilesThatCannotBeParsed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]declared{
		"func A() {}\nfunc B( {\n":           {{"A", 1}, {"B", 2}},
		"func A() {}\n)\n}\nfunc B() {}\n":   {{"A", 1}, {"B", 4}},
		"var a = \"\nvar b = 'x\nvar c = 1":  {{"a", 1}, {"b", 2}, {"c", 3}},
		"var a = `\nvar b = 1\n":             {{"a", 1}},
		"/* never closed\nfunc A() {}\n":     nil,
		"func":                               nil,
		"func (":                             nil,
		"\x00func A() {}\xff\nfunc B() {}\n": {{"B", 2}},
	} {
		require.Equal(t, want, quickly([]byte(text)), "%q", text)
	}
	require.Len(t, quickly(bytes.Repeat([]byte("var x int\n"), 5000)), maxDefinitions)
}

// FuzzGoNames compares the names of any valid Go file.
func FuzzGoNames(f *testing.F) {
	f.Add([]byte("package a\n\nfunc (t *T) A() {}\nvar (\n\tb, c = 1, `\n`\n)\n"))
	f.Add([]byte("package a; type B[T any] struct { x int }; const d = 'x'"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := parser.ParseFile(token.NewFileSet(), "", data, 0); err == nil {
			require.Equal(t, byParser(data), quickly(data))
		}
	})
}
