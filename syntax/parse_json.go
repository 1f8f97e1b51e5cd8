package syntax

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strings"
)

func parseJSON(src source) verdict {
	if commentsAllowed(src.path) {
		return parseJSONWithComments(src)
	}
	if plain, comment := plainJSON(src.text); comment >= 0 && !readByJSON(src.path) {
		v := strictJSON(src, plain)
		if v.outcome == valid { // The tool that reads it allows comments, if there were any.
			return oddAt(src.lineOf(comment), "a comment, which JSON does not have")
		}
		return v
	}
	strict := strictJSON(src, src.text)
	if strict.outcome == broken && isStream(src.text) {
		return verdict{}
	}
	return strict
}

// readByJSON reports whether the tools that read a file are known to allow nothing but JSON.
func readByJSON(name string) bool {
	switch strings.ToLower(path.Base(name)) {
	case "package.json", "package-lock.json", "composer.json", "composer.lock", "bower.json", "manifest.json":
		return true
	}
	return false
}

// isStream reports whether a text is several values of JSON, each of which begins on a line of its own.
func isStream(text []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return errors.Is(err, io.EOF)
		}
		rest := bytes.TrimLeft(text[decoder.InputOffset():], " \t\r")
		if len(rest) > 0 && rest[0] != '\n' {
			return false
		}
	}
}

// parseJSONWithComments parses JSON that may have comments and commas before closing brackets, as the settings of many
// tools may.
func parseJSONWithComments(src source) verdict {
	plain, _ := plainJSON(src.text)
	return strictJSON(src, plain)
}

// commentsAllowed reports whether the tool that reads a file of JSON is known to allow comments in it.
func commentsAllowed(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, prefix := range []string{"tsconfig", "jsconfig", "cspell", ".cspell", ".eslintrc", "turbo", "renovate"} {
		if strings.HasPrefix(base, prefix) {
			return true
		}
	}
	dir := "/" + path.Dir(name) + "/"
	return strings.Contains(dir, "/.vscode/") || strings.Contains(dir, "/.devcontainer/")
}

// strictJSON parses text, which has the lines of src.
func strictJSON(src source, text []byte) verdict {
	var value json.RawMessage
	err := json.Unmarshal(text, &value)
	var syntaxError *json.SyntaxError
	switch {
	case err == nil:
		return verdict{outcome: valid}
	case errors.As(err, &syntaxError):
		if offset := max(0, int(syntaxError.Offset)-1); bytes.HasPrefix(text[min(offset, len(text)):], []byte("${")) {
			return verdict{} // a template
		}
		return brokenAt(src.lineOf(int(syntaxError.Offset)-1), syntaxError.Error())
	}
	return verdict{}
}

// plainJSON returns text with blanks in place of comments and of commas before a closing bracket. It has the bytes and
// the lines of text in their places. comment is the offset of the first comment, -1 if there is none.
func plainJSON(text []byte) (plain []byte, comment int) {
	plain, comment = bytes.Clone(text), -1
	comma := -1 // of a comma after which nothing but blanks and comments came
	for i := 0; i < len(plain); {
		switch c := plain[i]; {
		case c == '"':
			i = endOfString(plain, i)
			comma = -1
		case c == '/' && i+1 < len(plain) && (plain[i+1] == '/' || plain[i+1] == '*'):
			if comment < 0 {
				comment = i
			}
			i = blankComment(plain, i)
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
		default:
			if (c == ']' || c == '}') && comma >= 0 {
				plain[comma] = ' '
			}
			comma = -1
			if c == ',' {
				comma = i
			}
			i++
		}
	}
	return plain, comment
}

// endOfString returns the offset behind a string that begins at start.
func endOfString(text []byte, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i + 1
		}
	}
	return len(text)
}

// blankComment overwrites the comment that begins at start with blanks, and returns the offset behind it. A block
// comment without an end stays as it is, which is an error to the parser.
func blankComment(text []byte, start int) int {
	end := start + 2
	if text[start+1] == '/' {
		for end < len(text) && text[end] != '\n' {
			end++
		}
	} else {
		n := bytes.Index(text[end:], []byte("*/"))
		if n < 0 {
			return len(text)
		}
		end += n + 2
	}
	for i := start; i < end; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
	return end
}
