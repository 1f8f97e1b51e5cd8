package engine

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of what is looked at for shell commands: more than a person would read, and little enough that the grammar's worst
// scripts (nested arithmetic, quadratic to parse) cost milliseconds.
const (
	maxSuggestions = 100
	maxScriptBytes = 4 << 10
	maxShellBytes  = 32 << 10 // of all scripts together
)

// script takes the lines of a shell fence; first is the reply's line of lines[0]. In a session, where some lines begin with
// a prompt, the others are output.
func (r *proseReader) script(lines []string, first int) {
	if len(r.suggestions) >= maxSuggestions {
		return
	}
	if session(lines) {
		for n, line := range lines {
			if command, ok := strings.CutPrefix(trim(line), "$ "); ok {
				r.commands(command, first+n)
			}
		}
		return
	}
	r.commands(strings.Join(lines, "\n"), first)
}

func session(lines []string) bool {
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimLeft(line, blanks), "$ ") {
			return true
		}
	}
	return false
}

// commands adds one suggestion for each statement of a script. What the shell's grammar does not allow is kept as it is.
func (r *proseReader) commands(script string, line int) {
	stmts, ok := r.parse(script)
	if !ok {
		for n, command := range strings.Split(script, "\n") {
			if s := trim(command); s != "" && s[0] != '#' {
				r.suggest(s, line+n, nil)
			}
		}
		return
	}
	plain := !moves(stmts)
	for _, stmt := range stmts {
		command := script[stmt.Pos().Offset():stmt.End().Offset()]
		var op *Op
		if plain {
			op = opOf(stmt)
		}
		r.suggest(strings.TrimRight(command, blanks+"\n;"), line+int(stmt.Pos().Line())-1, op)
	}
}

func (r *proseReader) parse(script string) ([]*syntax.Stmt, bool) {
	r.shellBytes += len(script)
	if len(script) > maxScriptBytes || r.shellBytes > maxShellBytes {
		return nil, false
	}
	if r.shell == nil {
		r.shell = syntax.NewParser(syntax.Variant(syntax.LangBash))
	}
	file, err := r.shell.Parse(strings.NewReader(script), "")
	if err != nil {
		return nil, false
	}
	return file.Stmts, true
}

func (r *proseReader) suggest(command string, line int, op *Op) {
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

// line looks at a trimmed line of prose: a file operation in a code span, or alone on the line.
func (r *proseReader) line(s string, n int) {
	if len(r.suggestions) >= maxSuggestions {
		return
	}
	if command := strings.TrimPrefix(s, "$ "); isFileCommand(command) {
		r.commands(command, n)
		return
	}
	for {
		i := strings.IndexByte(s, '`')
		if i < 0 {
			return
		}
		ticks, rest := runOf(s[i:], "`")
		mark := s[i : i+ticks]
		end := strings.Index(rest, mark)
		if end < 0 {
			return
		}
		if span := strings.TrimPrefix(trim(rest[:end]), "$ "); isFileCommand(span) {
			r.commands(span, n)
		}
		s = rest[end+len(mark):]
	}
}

// isFileCommand says that a command is of those that are looked for outside shell fences.
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
