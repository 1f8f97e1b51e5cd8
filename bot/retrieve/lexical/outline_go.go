package lexical

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// outlineGo returns the declarations of a Go file, as far as it can be parsed.
func outlineGo(data []byte) []Definition {
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", data, parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	o := goOutline{fset: fset, lines: bytes.Split(data, []byte("\n"))}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			o.add(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					o.add(s.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						o.add(name)
					}
				}
			}
		}
	}
	return o.out
}

type goOutline struct {
	fset  *token.FileSet
	lines [][]byte
	out   []Definition
}

func (o *goOutline) add(name *ast.Ident) {
	// The line in the file, whatever a //line comment says.
	line := o.fset.PositionFor(name.Pos(), false).Line
	if name.Name == "_" || len(o.out) == maxDefinitions || line < 1 || line > len(o.lines) {
		return
	}
	text := string(bytes.TrimRight(o.lines[line-1], " \t\r{"))
	o.out = append(o.out, Definition{name.Name, line, markdown.ClipBytes(text, maxDefinitionBytes)})
}
