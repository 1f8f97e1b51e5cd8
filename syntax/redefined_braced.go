package syntax

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// maxHead is the number of tokens of the longest head that is compared.
const maxHead = 200

// functionWords is the word that each function of a language has in its head; languages without one have a type
// there.
var functionWords = map[lexer.Language][]string{
	"Kotlin": {"fun"}, "Rust": {"fn"}, "Swift": {"func"}, "PHP": {"function"}, "Perl": {"sub"}, "Scala": {"def"},
	"JavaScript": {"function"}, "TypeScript": {"function"}, "TSX": {"function"},
}

// typeWords begin the block of a type, in which functions are methods.
var typeWords = []string{"class", "interface", "enum", "record", "struct", "trait", "object", "protocol"}

// typeWords returns the words that begin the block of a type.
func (s *bracedScan) typeWords() []string {
	if s.language == "Protocol Buffer" {
		return []string{"message", "enum", "service"}
	}
	return typeWords
}

// scopeWords begin other blocks that contain definitions.
var scopeWords = []string{"namespace", "impl", "extension", "mod", "module", "package", "extern"}

// controlWords begin blocks that define nothing.
var controlWords = strings.Fields("if for while switch catch else do try match when foreach using lock synchronized " +
	"fixed return throw new case default finally unless until loop guard defer with select typeof sizeof await yield")

// braced is a block in braces that is open.
type braced struct {
	id string
	// holds reports whether what is defined in the block is a definition of its scope.
	holds bool
	// isClass reports whether it is that of a class.
	isClass bool
}

// bracedScan lists the definitions of a file whose blocks are in braces.
type bracedScan struct {
	language lexer.Language
	list     []definition
	open     []braced
	// head has the tokens since the last statement or block ended; line is that of its first.
	head []string
	// defines reports whether the head has a word that begins a definition.
	defines bool
	line    int
	parens  int
	// literals is how many braces of types and patterns are open in the head.
	literals int
	ids      int
	// branches are the open #if, as "3.1" for the second branch of the third one.
	branches []string
}

func bracedDefinitions(file splitFile) ([]definition, bool) {
	s := bracedScan{language: file.language, open: []braced{{id: "0", holds: true}}}
	result := file.tokens()
	for _, t := range result.Tokens {
		s.add(t)
	}
	return s.list, result.Complete
}

func (s *bracedScan) add(t lexer.Token) {
	switch t.Kind {
	case lexer.Space:
		if strings.Contains(t.Text, "\n") && s.endsAtLine() {
			s.clear()
		}
		return
	case lexer.Comment:
		return
	case lexer.Directive:
		if s.language != "Rust" && s.language != "PHP" {
			s.branch(t.Text)
			return
		}
	}
	if t.Kind == lexer.Punctuation || t.Kind == lexer.Invalid {
		if s.punctuate(t) {
			return
		}
	}
	if len(s.head) == 0 {
		s.line = t.Line
	}
	if len(s.head) <= maxHead {
		s.head = append(s.head, t.Text)
		isWord := slices.Contains(functionWords[s.language], t.Text) || slices.Contains(s.typeWords(), t.Text)
		s.defines = s.defines || isWord && s.literals == 0
	}
}

// punctuate follows brackets and semicolons, and reports whether a token ends a head.
func (s *bracedScan) punctuate(t lexer.Token) bool {
	switch t.Text {
	case "(", "[":
		s.parens++
	case ")", "]":
		s.parens = max(0, s.parens-1)
	case "{":
		if s.literals > 0 || s.beginsLiteral() {
			s.literals++
			return false
		}
		s.enter(t.Line)
		return true
	case "}":
		if s.literals > 0 {
			s.literals--
			return false
		}
		if len(s.open) > 1 {
			s.open = s.open[:len(s.open)-1]
		}
		s.clear()
		s.parens = 0
		return true
	case ";":
		if s.parens == 0 && s.literals == 0 {
			s.endStatement()
			return true
		}
	}
	return false
}

// beginsLiteral reports whether a brace in a head of TypeScript begins a type, a pattern or a value, not a body.
func (s *bracedScan) beginsLiteral() bool {
	if !s.merges() || len(s.head) == 0 || !s.defines && !s.open[len(s.open)-1].isClass {
		return false
	}
	last := s.head[len(s.head)-1]
	if last == "=>" {
		return s.parens > 0 || !slices.Contains(s.head, "=")
	}
	return last == "extends" || strings.Contains(":|&<,=([?", last[len(last)-1:])
}

// clear begins another head.
func (s *bracedScan) clear() { s.head, s.defines = nil, false }

// endsAtLine reports whether a line end ends the statement: not behind an annotation, nor in a definition.
func (s *bracedScan) endsAtLine() bool {
	return slices.Contains(lineLanguages, s.language) && s.parens == 0 && s.literals == 0 && len(s.head) > 0 &&
		s.head[0] != "@" && !s.defines
}

// lineLanguages are the languages whose statements end with their line.
var lineLanguages = []lexer.Language{"JavaScript", "Kotlin", "Scala", "Swift", "TSX", "TypeScript"}

// endStatement forgets a statement. One like "package A;" begins another scope.
func (s *bracedScan) endStatement() {
	if len(s.head) > 0 && (s.head[0] == "package" || s.head[0] == "namespace") {
		s.ids++
		s.open[len(s.open)-1].id = strconv.Itoa(s.ids)
	}
	s.clear()
}

// enter opens a block, and takes its head for a definition if it is one.
func (s *bracedScan) enter(line int) {
	around := s.open[len(s.open)-1]
	s.ids++
	block := braced{id: strconv.Itoa(s.ids)}
	if s.parens == 0 && len(s.head) > 0 && len(s.head) <= maxHead {
		isScope := slices.ContainsFunc(s.head, isIn(scopeWords))
		block.holds = around.holds && (isScope || slices.ContainsFunc(s.head, isIn(s.typeWords())))
		block.isClass = slices.Contains(s.head, "class")
		if around.holds && startsHead(s.head[0]) && (!isScope && s.isType() || s.isFunction()) {
			scope := around.id + strings.Join(s.branches, "/")
			s.list = append(s.list, definition{scope, strings.Join(s.head, " "), nameOf(s.head), s.line})
		}
	}
	s.open = append(s.open, block)
	s.clear()
	s.parens, s.line = 0, line
}

func isIn(words []string) func(string) bool {
	return func(w string) bool { return slices.Contains(words, w) }
}

// startsHead reports whether a definition can begin with a token: a word, an annotation or attribute, or a destructor.
func startsHead(token string) bool {
	return isName(token) || strings.ContainsAny(token[:1], "@[#~")
}

// isName reports whether a token is a word.
func isName(token string) bool {
	c, _ := utf8.DecodeRuneInString(token)
	return c == '_' || c == '$' || unicode.IsLetter(c)
}

// isType reports whether the head is that of a type that has a name and is defined in one place.
func (s *bracedScan) isType() bool {
	if s.merges() && !slices.Contains(s.head, "class") {
		return false
	}
	at := slices.IndexFunc(s.head, isIn(s.typeWords()))
	return at >= 0 && at+1 < len(s.head) && isName(s.head[at+1]) &&
		!slices.ContainsFunc(s.head, isIn([]string{"partial", "=", "("}))
}

// merges reports whether several interfaces or enumerations of one name are one, as in TypeScript.
func (s *bracedScan) merges() bool { return s.language == "TypeScript" || s.language == "TSX" }

// isScript reports whether methods have no word before their names.
func (s *bracedScan) isScript() bool { return s.merges() || s.language == "JavaScript" }

// isFunction reports whether the head is that of a function.
func (s *bracedScan) isFunction() bool {
	at := slices.Index(s.head, "(")
	words := functionWords[s.language]
	if s.isScript() && s.open[len(s.open)-1].isClass {
		return at >= 1 && !slices.ContainsFunc(s.head[:at], isIn(controlWords)) && !slices.Contains(s.head[:at], "=")
	}
	if at < 0 && words != nil {
		at = len(s.head)
	}
	if at < 1 || slices.ContainsFunc(s.head[:at], isIn(controlWords)) || slices.Contains(s.head[:at], "=") {
		return false
	}
	if words == nil {
		return at >= 2
	}
	i := slices.IndexFunc(s.head[:at], isIn(words))
	return i >= 0 && i+1 < len(s.head) && s.head[i+1] != "("
}

// branch follows a directive of the preprocessor: what is in two branches is not twice there.
func (s *bracedScan) branch(directive string) {
	word := strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(directive), "#"), " \t")
	s.ids++
	switch top := len(s.branches) - 1; {
	case strings.HasPrefix(word, "if") && len(s.branches) < maxBranches:
		s.branches = append(s.branches, "#"+strconv.Itoa(s.ids))
	case top >= 0 && strings.HasPrefix(word, "el"):
		s.branches[top] = "#" + strconv.Itoa(s.ids)
	case top >= 0 && strings.HasPrefix(word, "endif"):
		s.branches = s.branches[:top]
	}
}
