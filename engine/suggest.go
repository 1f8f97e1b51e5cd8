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
func (r *proseReader) addScript(lines []string, first int) {
	if len(r.suggestions) >= maxSuggestions {
		return
	}
	if isShellSession(lines) {
		for n, line := range lines {
			if command, ok := strings.CutPrefix(trimSpace(line), "$ "); ok {
				r.addCommands(command, first+n)
			}
		}
		return
	}
	r.addCommands(strings.Join(lines, "\n"), first)
}

func isShellSession(lines []string) bool {
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimLeft(line, whitespace), "$ ") {
			return true
		}
	}
	return false
}

// commands adds one suggestion for each statement of a script. What the shell's grammar does not allow is kept as it is.
func (r *proseReader) addCommands(script string, line int) {
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

func (r *proseReader) parseScript(script string) ([]*syntax.Stmt, bool) {
	r.shellBytes += len(script)
	if len(script) > maxScriptBytes || r.shellBytes > maxShellBytes {
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

// line looks at a trimmed line of prose: a file operation in a code span, or alone on the line.
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
