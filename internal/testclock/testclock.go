// Package testclock finds where tests wait for a clock, or measure by one, outside of the bubbles of testing/synctest,
// whose clock is fake. Its own test refuses all such places in the repository but those that allowed.txt lists.
package testclock

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// functions are those of packages that wait or measure, or limit how long something else may wait.
var functions = map[string][]string{
	"time":    {"Sleep", "Since", "Until", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
	"context": {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
}

// methods are those that limit how long something may wait, and the functions of testify that poll.
var methods = []string{
	"SetDeadline", "SetReadDeadline", "SetWriteDeadline",
	"Eventually", "Eventuallyf", "EventuallyWithT", "EventuallyWithTf", "Never", "Neverf",
}

// comparisons are methods of time.Time and functions of testify that measure if they are given the present time.
var comparisons = []string{
	"Sub", "After", "Before", "Compare", "WithinDuration", "WithinDurationf", "WithinRange", "WithinRangef",
}

// Use is a place that waits for a clock or measures by one.
type Use struct {
	File string
	Line int
	// Func is the function around it, such as TestX or server.wait, or the variable at the top level of the file.
	Func string
	// Name says what is used, such as time.Sleep.
	Name string
}

// String says what is used where.
func (u Use) String() string { return fmt.Sprintf("%s:%d: %s uses %s", u.File, u.Line, u.Func, u.Name) }

// Find returns the uses in the files of one package, which are given by name. It leaves out benchmarks, and function
// literals that are passed to synctest.Test, or to a function of the package that passes its parameter on to it.
func Find(files map[string][]byte) ([]Use, error) {
	f := finder{set: token.NewFileSet()}
	var parsed []*ast.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file, err := parser.ParseFile(f.set, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	for _, file := range parsed {
		f.findBubbles(file)
	}
	for _, file := range parsed {
		f.findUses(file)
	}
	return f.uses, nil
}

// finder is one call of Find.
type finder struct {
	set     *token.FileSet
	imports map[string]string // the packages that the present file imports, by the names that it gives them
	bubbles []string          // the functions that call a parameter in a bubble
	uses    []Use
}

func (f *finder) addUse(in string, at ast.Node, name string) {
	position := f.set.Position(at.Pos())
	f.uses = append(f.uses, Use{File: position.Filename, Line: position.Line, Func: in, Name: name})
}

func (f *finder) setImports(file *ast.File) {
	f.imports = map[string]string{}
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		f.imports[name] = imported
	}
}

// findBubbles finds the functions of a file that call a parameter in a bubble.
func (f *finder) findBubbles(file *ast.File) {
	f.setImports(file)
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil {
			continue
		}
		var stories []string
		for _, param := range fn.Type.Params.List {
			if _, ok := param.Type.(*ast.FuncType); ok {
				for _, name := range param.Names {
					stories = append(stories, name.Name)
				}
			}
		}
		inspect(fn, func(call *ast.CallExpr) {
			if f.isFunc(call.Fun, "testing/synctest", "Test") {
				inspect(call, func(id *ast.Ident) {
					if slices.Contains(stories, id.Name) {
						f.bubbles = append(f.bubbles, fn.Name.Name)
					}
				})
			}
		})
	}
}

// findUses finds the uses in a file.
func (f *finder) findUses(file *ast.File) {
	f.setImports(file)
	if imported := f.imports["."]; functions[imported] != nil { // they have no package's name before theirs
		f.addUse("the file", file, "import . "+strconv.Quote(imported))
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if !strings.HasPrefix(decl.Name.Name, "Benchmark") {
				f.findIn(funcName(decl), decl)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if value, ok := spec.(*ast.ValueSpec); ok {
					f.findIn(value.Names[0].Name, value)
				}
			}
		}
	}
}

// findIn finds the uses in a declaration.
func (f *finder) findIn(name string, decl ast.Node) {
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f.isBubble(n.Fun) {
				for _, arg := range n.Args {
					if _, ok := arg.(*ast.FuncLit); !ok {
						f.findIn(name, arg)
					}
				}
				return false
			}
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains(comparisons, s.Sel.Name) && f.hasNow(n) {
				f.addUse(name, s.Sel, s.Sel.Name+" with time.Now")
			}
		case *ast.SelectorExpr:
			id, _ := n.X.(*ast.Ident)
			if id != nil && slices.Contains(functions[f.imports[id.Name]], n.Sel.Name) {
				f.addUse(name, n.Sel, f.imports[id.Name]+"."+n.Sel.Name)
			} else if slices.Contains(methods, n.Sel.Name) {
				f.addUse(name, n.Sel, n.Sel.Name)
			}
		}
		return true
	})
}

// isBubble reports whether a called expression runs function literals in a bubble.
func (f *finder) isBubble(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && slices.Contains(f.bubbles, id.Name) || f.isFunc(e, "testing/synctest", "Test")
}

// isFunc reports whether an expression is a function of an imported package.
func (f *finder) isFunc(e ast.Expr, imported, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && f.imports[id.Name] == imported
}

// hasNow reports whether a call has one of time.Now in it.
func (f *finder) hasNow(call *ast.CallExpr) (found bool) {
	inspect(call, func(inner *ast.CallExpr) { found = found || f.isFunc(inner.Fun, "time", "Now") })
	return found
}

// inspect calls visit with the nodes of a type in a tree.
func inspect[N ast.Node](in ast.Node, visit func(N)) {
	ast.Inspect(in, func(n ast.Node) bool {
		if n, ok := n.(N); ok {
			visit(n)
		}
		return true
	})
}

// funcName returns the name of a function, and of a method with its type before it.
func funcName(fn *ast.FuncDecl) (name string) {
	if fn.Recv != nil {
		// The first name is the type, which a pointer or parameters of the type may surround.
		inspect(fn.Recv.List[0].Type, func(id *ast.Ident) {
			if name == "" {
				name = id.Name + "."
			}
		})
	}
	return name + fn.Name.Name
}
