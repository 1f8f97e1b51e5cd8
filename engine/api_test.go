package engine_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

const module = "github.com/tenon-bot/tenon/"

var updateAPI = flag.Bool("update-api", false, "record the exported names in testdata/api.txt; review the diff")

// stable are the packages whose exported names are promised in the documentation of this one.
var stable = []string{"engine", "engine/merge", "meter", "syntax"}

// parts are the packages whose types have a second name in engine, by which programs know them.
var parts = []string{module + "engine/block", module + "engine/reply", module + "engine/tree"}

// What programs can depend on changes only on purpose. A line that is removed or changed breaks them: it needs a new
// major version.
func TestTheExportedNamesAreThoseThatAreRecorded(t *testing.T) {
	t.Parallel()
	packages := packageReader{t: t, files: token.NewFileSet(), read: map[string]*types.Package{}}
	var got strings.Builder
	for _, name := range stable {
		pkg, err := packages.Import(module + name)
		require.NoError(t, err)
		lines := exportedOf(pkg)
		slices.Sort(lines)
		for _, line := range lines {
			fmt.Fprintf(&got, "%s: %s\n", name, line)
		}
	}
	const golden = "testdata/api.txt"
	if *updateAPI {
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String(),
		"go test ./engine -run ExportedNames -update-api records new names; others must not change within a major version")
}

// Who adds a format adds an example of it, which documentation shows.
func TestEveryFormatHasAnExample(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("example_format_test.go")
	require.NoError(t, err)
	for _, format := range engine.Formats() {
		first, second, _ := strings.Cut(string(format.ParsesAs), "-")
		if second != "" {
			second = strings.ToUpper(second[:1]) + second[1:]
		}
		require.Contains(t, string(source), "\nfunc ExampleParse_"+first+second+"() {\n")
	}
}

// packageReader is a types.Importer that reads the packages of this module from their source, and knows of others only
// what the types of exported names need.
type packageReader struct {
	t     *testing.T
	files *token.FileSet
	read  map[string]*types.Package
}

func (r packageReader) Import(name string) (*types.Package, error) {
	if pkg := r.read[name]; pkg != nil {
		return pkg, nil
	}
	below, ours := strings.CutPrefix(name, module)
	if !ours {
		return standIn(name), nil
	}
	entries, err := fs.Glob(os.DirFS(".."), below+"/*.go")
	require.NoError(r.t, err)
	var sources []*ast.File
	for _, file := range entries {
		if !strings.HasSuffix(file, "_test.go") {
			source, err := parser.ParseFile(r.files, "../"+file, nil, parser.SkipObjectResolution)
			require.NoError(r.t, err)
			sources = append(sources, source)
		}
	}
	require.NotEmpty(r.t, sources, name)
	conf := types.Config{Importer: r, IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := conf.Check(name, r.files, sources, nil) // errors are about other modules
	r.read[name] = pkg
	return pkg, nil
}

// standIn returns a package of the standard library or another module, with the two names that matter.
func standIn(name string) *types.Package {
	pkg := types.NewPackage(name, path.Base(name))
	failure := types.Universe.Lookup("error").Type()
	switch name {
	case "errors":
		text := types.NewTuple(types.NewParam(token.NoPos, pkg, "text", types.Typ[types.String]))
		result := types.NewTuple(types.NewParam(token.NoPos, pkg, "", failure))
		pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, "New", types.NewSignatureType(nil, nil, nil, text, result, false)))
	case "context":
		context := types.NewTypeName(token.NoPos, pkg, "Context", nil)
		types.NewNamed(context, types.NewInterfaceType(nil, nil), nil)
		pkg.Scope().Insert(context)
	}
	pkg.MarkComplete()
	return pkg
}

// exportedOf returns a line for each exported name, field and method of a package.
func exportedOf(pkg *types.Package) (lines []string) {
	within := qualifierIn(pkg)
	for _, name := range pkg.Scope().Names() {
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.Const:
			if o.Exported() {
				value := o.Val().ExactString()
				if o.Val().Kind() == constant.String {
					value = fmt.Sprintf("%q", constant.StringVal(o.Val()))
				}
				lines = append(lines, fmt.Sprintf("const %s %s = %s", name, types.TypeString(o.Type(), within), value))
			}
		case *types.TypeName:
			if o.Exported() {
				lines = append(lines, membersOf(o, within)...)
			}
		default:
			if o.Exported() {
				lines = append(lines, types.ObjectString(o, within))
			}
		}
	}
	return lines
}

// qualifierIn returns how a package writes its own types, and engine those of its parts: without the package.
func qualifierIn(pkg *types.Package) types.Qualifier {
	return func(other *types.Package) string {
		if other == pkg || pkg.Path() == module+"engine" && slices.Contains(parts, other.Path()) {
			return ""
		}
		return other.Path()
	}
}

// membersOf returns the lines of an exported type.
func membersOf(o *types.TypeName, within types.Qualifier) (lines []string) {
	named := types.Unalias(o.Type()).(*types.Named)
	kind := types.TypeString(named.Underlying(), within)
	switch u := named.Underlying().(type) {
	case *types.Struct:
		kind = "struct"
		for f := range u.Fields() {
			if f.Exported() {
				lines = append(lines, fmt.Sprintf("field %s.%s %s", o.Name(), f.Name(), types.TypeString(f.Type(), within)))
			}
		}
	case *types.Interface:
		kind = "interface"
		for m := range u.Methods() {
			lines = append(lines, fmt.Sprintf("method %s.%s %s", o.Name(), m.Name(), types.TypeString(m.Type(), within)))
		}
	}
	for m := range named.Methods() {
		if m.Exported() {
			receiver := types.TypeString(m.Signature().Recv().Type(), within)
			lines = append(lines, fmt.Sprintf("method (%s) %s %s", receiver, m.Name(), types.TypeString(m.Type(), within)))
		}
	}
	return append(lines, fmt.Sprintf("type %s %s", o.Name(), kind))
}
