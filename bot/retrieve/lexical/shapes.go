package lexical

import "bytes"

// The functions below report whether a line has the shape of a definition. They are quick, and true of each line that
// the pattern of the language matches, and of few others.

// isConstant reports whether a line begins with a capital letter and assigns something.
func isConstant(line []byte) bool {
	return isUpper(line[0]) && bytes.IndexByte(line, '=') > 0
}

// isVariable reports whether a line that is not indented declares a variable.
func isVariable(line []byte) bool {
	switch string(line[:wordEnd(line)]) {
	case "const", "let", "var":
		return true
	}
	return false
}

// isMethod reports whether an indented line opens a block behind a word and parentheses.
func isMethod(line []byte) bool {
	head, ok := beforeParenthesis(line, "")
	return ok && isSpace(line[0]) && opensBlock(line) && !notDefined[string(lastWord(head))]
}

// isTypedMethod reports whether an indented line has a type, a word and a parenthesis.
func isTypedMethod(line []byte) bool {
	if !isSpace(line[0]) {
		return false
	}
	head, ok := beforeParenthesis(line, "<>[],.?")
	if !ok {
		return false
	}
	name := lastWord(head)
	head = head[:len(head)-len(name)]
	return len(head) > 0 && isSpace(head[len(head)-1]) && len(trimSpace(head)) > 0 && !notDefined[string(name)]
}

// isFunction reports whether a line that is not indented has a type, a word and a parenthesis.
func isFunction(line []byte) bool {
	if !isWord(line[0]) {
		return false
	}
	head, ok := beforeParenthesis(line, "*&:<>,~")
	return ok && bytes.ContainsAny(head, " \t*&\f\r") && !notDefined[string(lastWord(head))]
}

func isMacro(line []byte) bool { return bytes.HasPrefix(line, []byte("#define")) }

func isHeading(line []byte) bool { return line[0] == '#' }

func isAttribute(line []byte) bool { return bytes.HasPrefix(trimSpace(line), []byte("@")) }

func hasEmptyParentheses(line []byte) bool { return bytes.Contains(line, []byte("()")) }

// isCreation reports whether the first word of a line is CREATE, in any case.
func isCreation(line []byte) bool {
	line = trimSpace(line)
	return bytes.EqualFold(line[:wordEnd(line)], []byte("create"))
}

// opensBlock reports whether the last byte of a line is an opening brace.
func opensBlock(line []byte) bool {
	n := len(line)
	for n > 0 && isSpace(line[n-1]) {
		n--
	}
	return n > 0 && line[n-1] == '{'
}

// beforeParenthesis returns what is before the first parenthesis of a line without the spaces at its end. ok says that
// it has only words, spaces and some other bytes, and that no semicolon follows.
func beforeParenthesis(line []byte, others string) (head []byte, ok bool) {
	for i, c := range line {
		if c == '(' {
			head = line[:i]
			for len(head) > 0 && isSpace(head[len(head)-1]) {
				head = head[:len(head)-1]
			}
			return head, bytes.IndexByte(line[i:], ';') < 0
		}
		if !isWord(c) && !isSpace(c) && bytes.IndexByte([]byte(others), c) < 0 {
			return nil, false
		}
	}
	return nil, false
}

// lastWord returns the word at the end of text.
func lastWord(text []byte) []byte {
	i := len(text)
	for i > 0 && isWord(text[i-1]) {
		i--
	}
	return text[i:]
}

// wordEnd returns the length of the word at the beginning of text.
func wordEnd(text []byte) int {
	i := 0
	for i < len(text) && isWord(text[i]) {
		i++
	}
	return i
}

// trimSpace returns text without the spaces at its beginning.
func trimSpace(text []byte) []byte {
	for len(text) > 0 && isSpace(text[0]) {
		text = text[1:]
	}
	return text
}

// isWord and isSpace are \w and \s of regular expressions.
func isWord(c byte) bool { return c < 0x80 && classes[c] != separator }

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
