package caution

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// view is a line as its language reads it.
type view struct {
	// code is the line without its comments and with empty strings, strings are what its strings contain, and comment are
	// its comments. Of a line that cannot be read so, whole is set, and code and comment are all of it.
	code, strings, comment string
	whole                  bool
}

// said is the line without its comments.
func (v view) said() string { return v.code + " " + v.strings }

// views returns the lines of the new text as their language reads them.
func (s *search) views(f *file) []view {
	if f.viewed {
		return f.views
	}
	f.viewed = true
	whole := strings.Join(f.after, "\n")
	result := lexer.Result{}
	if f.language != "" && !whollyText[f.language] {
		result = lexer.Lex(s.work, f.language, whole)
	}
	f.views = make([]view, len(f.after))
	if !result.Complete {
		for i, line := range f.after {
			f.views[i] = view{code: line, comment: line, whole: true}
		}
		return f.views
	}
	parts := make([]parts, len(f.after))
	for _, t := range result.Tokens {
		n := t.Line - 1
		if t.Kind == lexer.String && n < len(parts) && isDocumentation(t.Text) && parts[n].isBlank() {
			t.Kind = lexer.Comment
		}
		for line := range strings.SplitSeq(t.Text, "\n") {
			if n < len(parts) {
				parts[n].add(t.Kind, line)
			}
			n++
		}
	}
	for i := range parts {
		f.views[i] = view{parts[i].code.String(), parts[i].strings.String(), parts[i].comment.String(), false}
	}
	return f.views
}

// parts are the parts of a line.
type parts struct{ code, strings, comment strings.Builder }

// isBlank reports whether there is nothing yet but blanks.
func (p *parts) isBlank() bool {
	return p.strings.Len() == 0 && strings.TrimSpace(p.code.String()) == ""
}

// isDocumentation reports whether a string with nothing before it on its line is text about code.
func isDocumentation(text string) bool {
	for _, mark := range []string{`"""`, `'''`, `r"""`, "//", "/*"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

func (p *parts) add(kind lexer.Kind, text string) {
	switch {
	case kind == lexer.Comment, kind == lexer.Directive && strings.HasPrefix(text, "//"): // as //nolint in Go
		p.comment.WriteString(text)
	case kind == lexer.String:
		p.strings.WriteString(text)
		if text != "" {
			p.code.WriteString(`""`)
		}
	default:
		p.code.WriteString(text)
	}
}

// whollyText are languages in whose values there may be code of another one.
var whollyText = map[lexer.Language]bool{
	"YAML": true, "JSON": true, "TOML": true, "Dockerfile": true, "INI": true, "Markdown": true, "HTML": true,
	"Makefile": true, "Text": true, "XML": true, "Svelte": true, "Vue": true, "JSON with Comments": true,
}

// isCommentLine reports whether all of a line of a language without a view is a comment.
func isCommentLine(line string) bool {
	line = strings.TrimSpace(line)
	for _, end := range []string{"-->", "*/"} { // what is behind the comment counts
		if _, rest, ok := strings.Cut(line, end); ok && strings.TrimSpace(rest) != "" {
			return false
		}
	}
	for _, mark := range []string{"#", "//", "<!--", "*", "/*", ";"} {
		if strings.HasPrefix(line, mark) && !strings.HasPrefix(line, "#!") {
			return true
		}
	}
	return line == ""
}

// says reports whether a new line has more than a comment.
func (s *search) says(f *file, i int) bool {
	v := s.views(f)[i]
	if v.whole {
		return !f.isComment(f.after[i])
	}
	return strings.TrimSpace(v.said()) != ""
}

// isComment is isCommentLine, by the language of the file: in a shell and its like, only # begins a comment.
func (f *file) isComment(line string) bool {
	if slices.Contains(shells, string(f.language)) {
		line = strings.TrimSpace(line)
		return line == "" || strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "#!")
	}
	return isCommentLine(line)
}
