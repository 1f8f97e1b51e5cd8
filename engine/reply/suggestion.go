package reply

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/engine/tree"
)

// Bounds of the search for shell commands: more than a person would read, and few enough that the worst scripts
// (nested arithmetic takes quadratic time to parse) take milliseconds.
const (
	maxSuggestions = 100
	maxScriptBytes = 4 << 10
	maxShellBytes  = 32 << 10 // for all scripts together
)

// suggestions collects the shell commands that a reply suggests.
type suggestions struct {
	list   []block.Suggestion
	parser *syntax.Parser
	bytes  int // passed to parser so far
}

// addScript adds the lines of a shell fence; first is the line of lines[0] in the reply. If some lines begin with a
// prompt, the others are output.
func (s *suggestions) addScript(lines []string, first int) {
	prompts := false
	for n, line := range lines {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok {
			prompts = true
			s.addCommands(command, first+n)
		}
	}
	if !prompts {
		s.addCommands(strings.Join(lines, "\n"), first)
	}
}

// addCommands adds a suggestion for each statement of a script. If it cannot be parsed, each line is one without an
// Op.
func (s *suggestions) addCommands(script string, line int) {
	file, ok := s.parse(script)
	if !ok {
		for n, command := range strings.Split(script, "\n") {
			if command = strings.TrimSpace(command); command != "" && command[0] != '#' {
				s.add(command, line+n, nil)
			}
		}
		return
	}
	plain := !changesMeaning(file)
	for _, stmt := range file.Stmts {
		command := script[stmt.Pos().Offset():stmt.End().Offset()]
		var op *block.Op
		if plain {
			op = opOf(stmt)
		}
		s.add(strings.TrimRight(command, " \t\r\n;"), line+int(stmt.Pos().Line())-1, op)
	}
}

// parse parses a script, if it is valid and short enough.
func (s *suggestions) parse(script string) (*syntax.File, bool) {
	s.bytes += len(script)
	if len(script) > maxScriptBytes || s.bytes > maxShellBytes {
		return nil, false
	}
	if s.parser == nil {
		s.parser = syntax.NewParser(syntax.Variant(syntax.LangBash))
	}
	file, err := s.parser.Parse(strings.NewReader(script), "")
	return file, err == nil
}

func (s *suggestions) add(command string, line int, op *block.Op) {
	isKnown := func(known block.Suggestion) bool { return known.Command == command }
	if len(s.list) < maxSuggestions && !slices.ContainsFunc(s.list, isKnown) {
		s.list = append(s.list, block.Suggestion{Command: command, Line: line, Op: op})
	}
}

// scanLine reads a trimmed line of prose: a file operation in a code span, or alone on the line.
func (s *suggestions) scanLine(line string, n int) {
	if s.addFileCommand(line, n) {
		return
	}
	for {
		i := strings.IndexByte(line, '`')
		if i < 0 {
			return
		}
		ticks, rest := cutRun(line[i:], "`")
		span, after, closed := strings.Cut(rest, line[i:i+ticks])
		if !closed {
			return
		}
		s.addFileCommand(strings.TrimSpace(span), n)
		line = after
	}
}

// addFileCommand adds one of the commands that are recognized outside of shell fences, and reports whether it is one.
func (s *suggestions) addFileCommand(command string, line int) bool {
	command = strings.TrimPrefix(command, "$ ")
	for _, prefix := range []string{"git rm ", "git mv ", "mkdir -p ", "rm -rf "} {
		if strings.HasPrefix(command, prefix) {
			if op := opOfWords(strings.Fields(command)); op != nil { // most need no parser
				s.add(command, line, op)
			} else {
				s.addCommands(command, line)
			}
			return true
		}
	}
	return false
}

// changesMeaning reports whether a script changes what its commands mean: the folder in which they run, or what their
// names refer to.
func changesMeaning(file *syntax.File) bool {
	found := false
	syntax.Walk(file, func(node syntax.Node) bool {
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
	return found
}

// fileCommands are the commands that are file operations, with the letters of the options that they may have.
var fileCommands = map[string]struct {
	kind    block.OpKind
	options string
}{
	"rm": {block.OpRemove, "rRf"}, "git rm": {block.OpRemove, "rfq"},
	"mv": {block.OpMove, ""}, "git mv": {block.OpMove, ""}, "mkdir": {block.OpMkdir, "p"},
}

// opOf returns the file operation of a statement, if it is exactly one on plain, safe paths. It returns nil for
// anything else, such as quotes, globs, variables, redirections or other options.
func opOf(stmt *syntax.Stmt) *block.Op {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || stmt.Negated || stmt.Background || stmt.Coprocess || len(stmt.Redirs) > 0 || len(call.Assigns) > 0 {
		return nil
	}
	words := make([]string, len(call.Args))
	for i, arg := range call.Args {
		words[i] = arg.Lit()
	}
	return opOfWords(words)
}

// opOfWords is opOf for the words of a command.
func opOfWords(words []string) *block.Op {
	isUnclear := func(word string) bool { return word == "" || strings.ContainsFunc(word, isSpecial) }
	if slices.ContainsFunc(words, isUnclear) {
		return nil
	}
	name, args := words[0], words[1:]
	if name == "git" && len(args) > 0 {
		name, args = name+" "+args[0], args[1:]
	}
	command, ok := fileCommands[name]
	if !ok {
		return nil
	}
	op := &block.Op{Kind: command.kind}
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		option := args[0][1:]
		args = args[1:]
		if option == "-" {
			break
		}
		if strings.Trim(option, command.options) != "" {
			return nil
		}
		if command.kind == block.OpRemove && strings.ContainsAny(option, "rR") {
			op.Kind = block.OpRemoveAll
		}
	}
	return withPaths(op, args)
}

// isSpecial reports whether a character may have a meaning in a word: as a glob, brace, tilde, escape or expansion.
func isSpecial(r rune) bool {
	return r < utf8.RuneSelf && !text.IsAlnum(byte(r)) && !strings.ContainsRune("._/-@+,=:%", r)
}

// withPaths returns op with the operands of its command, or nil if they are not safe paths, or too few.
func withPaths(op *block.Op, args []string) *block.Op {
	for _, arg := range args {
		path, why := tree.Clean(strings.TrimSuffix(arg, "/"))
		if why != "" || strings.HasPrefix(arg, "-") {
			return nil
		}
		op.Paths = append(op.Paths, path)
	}
	last := len(op.Paths) - 1
	if op.Kind == block.OpMove {
		if last < 1 || strings.HasSuffix(args[last], "/") {
			return nil
		}
		op.To, op.Paths = op.Paths[last], op.Paths[:last]
	}
	if last < 0 {
		return nil
	}
	return op
}
