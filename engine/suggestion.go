package engine

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of the search for shell commands: more than a person would read, and few enough that the worst scripts
// (nested arithmetic takes quadratic time to parse) take milliseconds.
const (
	maxSuggestions = 100
	maxScriptBytes = 4 << 10
	maxShellBytes  = 32 << 10 // for all scripts together
)

// addScript adds the lines of a shell fence; first is the line of lines[0] in the reply. If some lines begin with a
// prompt, the others are output.
func (r *proseReader) addScript(lines []string, first int) {
	if len(r.suggestions) >= maxSuggestions {
		return
	}
	isPrompt := func(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, whitespace), "$ ") }
	if slices.ContainsFunc(lines, isPrompt) {
		for n, line := range lines {
			if command, ok := strings.CutPrefix(trimSpace(line), "$ "); ok {
				r.addCommands(command, first+n)
			}
		}
		return
	}
	r.addCommands(strings.Join(lines, "\n"), first)
}

// addCommands adds a suggestion for each statement of a script. If it cannot be parsed, each line is one without an
// Op.
func (r *proseReader) addCommands(script string, line int) {
	if words := plainCommand(script); words != nil && r.mayParse(script) {
		r.shellBytes += len(script)
		r.addSuggestion(script, line, opOfWords(words))
		return
	}
	stmts, ok := r.parseScript(script)
	if !ok {
		for n, command := range strings.Split(script, "\n") {
			if s := trimSpace(command); s != "" && s[0] != '#' {
				r.addSuggestion(s, line+n, nil)
			}
		}
		return
	}
	plain := !changesMeaning(stmts)
	for _, stmt := range stmts {
		command := script[stmt.Pos().Offset():stmt.End().Offset()]
		var op *Op
		if plain {
			op = opOf(stmt)
		}
		r.addSuggestion(strings.TrimRight(command, whitespace+"\n;"), line+int(stmt.Pos().Line())-1, op)
	}
}

// plainCommand returns the words of a script that is one command of the kind that isFileCommand recognizes, on words
// that stand for themselves with one space between. It returns nil for any other: that takes a parser to understand.
func plainCommand(script string) []string {
	if !isFileCommand(script) {
		return nil
	}
	for i := 0; i < len(script); i++ {
		switch c := script[i]; {
		case c == ' ' && i+1 < len(script) && script[i+1] != ' ':
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("._/-", c) >= 0:
		default:
			return nil
		}
	}
	return strings.Split(script, " ")
}

// mayParse reports whether a script is short enough to understand.
func (r *proseReader) mayParse(script string) bool {
	return len(script) <= maxScriptBytes && r.shellBytes+len(script) <= maxShellBytes
}

func (r *proseReader) parseScript(script string) ([]*syntax.Stmt, bool) {
	may := r.mayParse(script)
	if r.shellBytes += len(script); !may {
		return nil, false
	}
	if r.shellParser == nil {
		r.shellParser = syntax.NewParser(syntax.Variant(syntax.LangBash))
	}
	file, err := r.shellParser.Parse(strings.NewReader(script), "")
	if err != nil {
		return nil, false
	}
	return file.Stmts, true
}

func (r *proseReader) addSuggestion(command string, line int, op *Op) {
	if len(r.suggestions) >= maxSuggestions {
		return
	}
	for _, s := range r.suggestions {
		if s.Command == command {
			return
		}
	}
	r.suggestions = append(r.suggestions, Suggestion{Command: command, Line: line, Op: op})
}

// scanLine reads a trimmed line of prose: a file operation in a code span, or alone on the line.
func (r *proseReader) scanLine(s string, n int) {
	if len(r.suggestions) >= maxSuggestions {
		return
	}
	if command := strings.TrimPrefix(s, "$ "); isFileCommand(command) {
		r.addCommands(command, n)
		return
	}
	for {
		i := strings.IndexByte(s, '`')
		if i < 0 {
			return
		}
		ticks, rest := cutRun(s[i:], "`")
		mark := s[i : i+ticks]
		end := strings.Index(rest, mark)
		if end < 0 {
			return
		}
		if span := strings.TrimPrefix(trimSpace(rest[:end]), "$ "); isFileCommand(span) {
			r.addCommands(span, n)
		}
		s = rest[end+len(mark):]
	}
}

// isFileCommand reports whether s is one of the commands that are recognized outside of shell fences.
func isFileCommand(s string) bool {
	if s == "" || s[0] != 'g' && s[0] != 'm' && s[0] != 'r' {
		return false
	}
	for _, prefix := range []string{"git rm ", "git mv ", "mkdir -p ", "rm -rf "} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// changesMeaning reports whether a script changes what its commands mean: the folder in which they run, or what their
// names refer to.
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

// opOf returns the file operation of a statement, if it is exactly one on plain, safe paths. It returns nil for
// anything else, such as quotes, globs, variables, redirections or other options.
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
	return opOfWords(words)
}

// opOfWords returns the file operation of a command, given as words that stand for themselves.
func opOfWords(words []string) *Op {
	switch {
	case len(words) > 2 && words[0] == "git" && words[1] == "rm":
		return pathsOp(OpRemove, words[2:], "-r", "-f", "-rf", "-fr", "-q")
	case len(words) > 2 && words[0] == "git" && words[1] == "mv":
		return moveOp(words[2:])
	case words[0] == "rm":
		return pathsOp(OpRemove, words[1:], "-r", "-R", "-f", "-rf", "-fr", "-Rf", "-fR")
	case words[0] == "mv":
		return moveOp(words[1:])
	case words[0] == "mkdir":
		return pathsOp(OpMkdir, words[1:], "-p")
	}
	return nil
}

// isPlainWord reports whether a word stands for itself: it has no glob, brace, tilde, escape or history expansion.
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

func moveOp(args []string) *Op {
	op := pathsOp(OpMove, args)
	if op == nil || len(op.Paths) < 2 || strings.HasSuffix(args[len(args)-1], "/") {
		return nil
	}
	last := len(op.Paths) - 1
	op.To, op.Paths = op.Paths[last], op.Paths[:last]
	return op
}

// pathsOp reads options, an optional "--", and paths.
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
		if kind == OpRemove && strings.ContainsAny(option, "rR") {
			kind = OpRemoveAll
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
