package syntax

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// goDefinitions lists the functions, methods, types, variables and constants of a file of Go that parses.
func goDefinitions(file splitFile) (list []definition, ok bool) {
	units := grammars["Go"].units(file.text)
	if !file.work.Affords(units) || grammars["Go"].refuses(file.text) != "" {
		return nil, false
	}
	file.work.Spend(units)
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", file.text, parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	add := func(scope string, name *ast.Ident) {
		if name.Name != "_" {
			list = append(list, definition{scope, scope + "." + name.Name, name.Name, files.PositionFor(name.Pos(), false).Line})
		}
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv != nil && len(d.Recv.List) == 1:
				if r := receiver(d.Recv.List[0].Type); r != "" {
					add("method of "+r, d.Name)
				}
			case d.Name.Name != "init":
				add("package", d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add("package", s.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						add("package", name)
					}
				}
			}
		}
	}
	return list, true
}

// receiver returns the name of the type of a method.
func receiver(e ast.Expr) string {
	for {
		switch t := e.(type) {
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}
