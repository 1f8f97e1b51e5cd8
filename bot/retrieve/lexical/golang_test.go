package lexical

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", data, parser.SkipObjectResolution)
	add := func(names ...*ast.Ident) {
		for _, name := range names {
			if name.Name != "_" && len(out) < maxDefinitions {
				// The line in the file, whatever a //line comment says.
				out = append(out, declared{name.Name, fset.PositionFor(name.Pos(), false).Line})
			}
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			add(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					add(s.Names...)
				}
			}
		}
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
		"const (\n\ta = iota\n\tb\n\tc = 1 +\n\t\tno\n\td, e = 2, 1.\n\tf = 0x1p-2\n)\nconst (g = 1; h = 2)\nconst ()\n",
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

// A file that cannot be parsed is for the compiler to complain about.
func TestTheIndexFindsTheNamesOfThisModule(t *testing.T) {
	t.Parallel()
	files := 0
	require.NoError(t, filepath.WalkDir("../..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", data, parser.SkipObjectResolution); err == nil {
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

// A parser that calls itself for each bracket takes 64 MiB of stack and more for these. The stacks of the whole process
// are measured, so this test runs alone.
func TestDeepNestingInAGoFileTakesNoDeepCalls(t *testing.T) {
	for _, nested := range []string{
		"func(){", "(", "[]", "-", "*", "<-", "chan ", "struct{a ", "interface{a(b ", "[", "map[", "a: ",
	} {
		text := []byte("package p\n\nfunc A() {}\n\nvar b = " + strings.Repeat(nested, MaxBytes/len(nested)))
		before := stacks()
		list := Outline("a.go", text)
		require.Less(t, stacks()-before, int64(1<<20), nested)
		require.Len(t, list, 2, nested)
		require.Equal(t, Definition{"A", 3, "func A() {}"}, list[0])
		require.Equal(t, "b", list[1].Name)
	}
}

// stacks returns how many bytes the stacks of all goroutines take.
func stacks() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.StackInuse)
}

// What the whole process allocates is measured, so this test runs alone.
func TestALongLineOfNamesIsNotCopiedForEachOfThem(t *testing.T) {
	text := []byte("package p\n\nvar " + strings.Repeat("a, ", MaxBytes/3))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.Len(t, Outline("a.go", text), maxDefinitions)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20))
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
