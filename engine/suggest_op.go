package engine

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// moves says that a script changes what its commands mean: by changing the folder, or by defining functions.
func changesMeaning(stmts []*syntax.Stmt) bool {
	found := false
	for _, stmt := range stmts {
		syntax.Walk(stmt, func(node syntax.Node) bool {
			switch n := node.(type) {
			case *syntax.FuncDecl:
				found = true
			case *syntax.CallExpr:
				if len(n.Args) > 0 {
					switch n.Args[0].Lit() {
					case "cd", "pushd", "popd", "eval", "source", ".", "alias", "exit", "return", "exec":
						found = true
					}
				}
			}
			return !found
		})
	}
	return found
}

// opOf reads a statement as one file operation on plain, safe paths. Anything else about it, be it a quote, a glob, a
// variable, a redirection, an option that means something more, leaves it to people: nil.
func opOf(stmt *syntax.Stmt) *Op {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || stmt.Negated || stmt.Background || stmt.Coprocess || len(stmt.Redirs) > 0 || len(call.Assigns) > 0 {
		return nil
	}
	words := make([]string, 0, len(call.Args))
	for _, arg := range call.Args {
		word := arg.Lit()
		if word == "" || !isPlainWord(word) {
			return nil
		}
		words = append(words, word)
	}
	switch {
	case len(words) > 2 && words[0] == "git" && words[1] == "rm":
		return removeOp(words[2:], "-r", "-f", "-rf", "-fr", "-q")
	case len(words) > 2 && words[0] == "git" && words[1] == "mv":
		return moveOp(words[2:])
	case words[0] == "rm":
		return removeOp(words[1:], "-r", "-R", "-f", "-rf", "-fr", "-Rf", "-fR")
	case words[0] == "mv":
		return moveOp(words[1:])
	case words[0] == "mkdir":
		return pathsOp(OpMkdir, words[1:], "-p")
	}
	return nil
}

// isPlain says that a word means itself: no glob, brace, tilde, escape or history mark.
func isPlainWord(word string) bool {
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c >= 0x80:
		case strings.IndexByte("._/-@+,=:%", c) >= 0:
		default:
			return false
		}
	}
	return true
}

func removeOp(args []string, options ...string) *Op { return pathsOp(OpRemove, args, options...) }

func moveOp(args []string) *Op {
	op := pathsOp(OpMove, args)
	if op == nil || len(op.Paths) < 2 || strings.HasSuffix(args[len(args)-1], "/") {
		return nil
	}
	last := len(op.Paths) - 1
	op.To, op.Paths = op.Paths[last], op.Paths[:last]
	return op
}

// pathsOp takes options, then "--" if it is there, then paths.
func pathsOp(kind OpKind, args []string, options ...string) *Op {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		option := args[0]
		args = args[1:]
		if option == "--" {
			break
		}
		if !slices.Contains(options, option) {
			return nil
		}
	}
	op := &Op{Kind: kind}
	for _, arg := range args {
		path, why := safePath(strings.TrimSuffix(arg, "/"))
		if why != "" || strings.HasPrefix(arg, "-") {
			return nil
		}
		op.Paths = append(op.Paths, path)
	}
	if len(op.Paths) == 0 {
		return nil
	}
	return op
}
