package syntax

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// rubyOpeners begin a block that end closes; rubyModifiers do so at the start of a statement only, since behind one
// they make it conditional or repeat it. Both are in openersOfRuby.
var (
	rubyOpeners   = strings.Fields("begin case class def do module")
	rubyModifiers = strings.Fields("if unless while until for")
	openersOfRuby = slices.Concat(rubyOpeners, rubyModifiers)
)

// rubyBlocks pairs the words that begin a block of Ruby with end. It says nothing of a file with a here-document that
// the lexer takes for code.
func rubyBlocks(tokens []lexer.Token) *flaw {
	var kept []lexer.Token // words of blocks, with something between them
	skipped := -1          // what is no word of a block up to this index
	loopDo := -1           // the do of a loop, which end does not close once more
	for i, t := range tokens {
		if t.Kind == lexer.Punctuation && (strings.Contains(t.Text, "<<~") || strings.Contains(t.Text, "<<-")) {
			return nil
		}
		if t.Kind != lexer.Word || i <= skipped || i == loopDo || isRubyName(tokens, i) {
			continue
		}
		switch {
		case t.Text == "def":
			var endless bool
			if skipped, endless = methodHead(tokens, i); endless {
				continue
			}
		case slices.Contains(rubyModifiers, t.Text):
			if !startsRuby(tokens, i) {
				continue
			}
			if t.Text == "while" || t.Text == "until" || t.Text == "for" {
				loopDo = doOfLoop(tokens, i)
			}
		case t.Text != "end" && !slices.Contains(rubyOpeners, t.Text):
			continue
		}
		kept = append(kept, t, lexer.Token{Kind: lexer.Punctuation, Text: ";"})
	}
	return unpairedWords(kept,
		func(w word) bool { return w.Text != "end" }, map[string][]string{"end": openersOfRuby})
}

// isRubyName reports whether a word is a method, variable, symbol or key, and no keyword.
func isRubyName(tokens []lexer.Token, i int) bool {
	if i+1 < len(tokens) && tokens[i+1].Kind == lexer.Punctuation {
		next := tokens[i+1].Text
		if next[0] == '?' || next[0] == ':' && !strings.HasPrefix(next, "::") {
			return true
		}
	}
	if i == 0 || tokens[i-1].Kind != lexer.Punctuation {
		return i > 1 && tokens[i-1].Kind == lexer.Space && (tokens[i-2].Text == "alias" || tokens[i-2].Text == "undef")
	}
	previous := tokens[i-1].Text
	return strings.ContainsAny(previous[len(previous)-1:], ".@$:") && !strings.HasSuffix(previous, "..")
}

// startsRuby reports whether a word is the first of a statement or expression.
func startsRuby(tokens []lexer.Token, i int) bool {
	newLine := false
	p := i - 1
	for ; p >= 0 && (tokens[p].Kind == lexer.Space || tokens[p].Kind == lexer.Comment || tokens[p].Text == `\`); p-- {
		newLine = tokens[p].Text != `\` && (newLine || strings.Contains(tokens[p].Text, "\n"))
	}
	if p < 0 || newLine {
		return true
	}
	previous := tokens[p]
	switch previous.Kind {
	case lexer.String:
		return strings.HasSuffix(previous.Text, "#{")
	case lexer.Word:
		return slices.Contains([]string{"then", "else", "do", "begin", "and", "or", "not"}, previous.Text) &&
			!isRubyName(tokens, p)
	case lexer.Punctuation:
		if strings.ContainsAny(previous.Text[:1], "!?") && p > 0 && tokens[p-1].Kind == lexer.Word {
			return false // the end of a name
		}
		return !strings.ContainsAny(previous.Text[:1], ")]}$")
	}
	return false
}

// methodHead returns the index of the last token of the name behind a def, and whether the method has a body behind "="
// instead of a block.
func methodHead(tokens []lexer.Token, i int) (last int, endless bool) {
	i++
	for i < len(tokens) && tokens[i].Kind == lexer.Space {
		i++
	}
	for i < len(tokens) && tokens[i].Kind != lexer.Space && tokens[i].Text != "(" && tokens[i].Text != ";" {
		i++
	}
	last = i - 1
	for depth := 0; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.Text == "(":
			depth++
		case t.Text == ")":
			depth--
		case depth > 0:
		case t.Kind != lexer.Space || strings.Contains(t.Text, "\n"):
			return last, strings.HasPrefix(t.Text, "=")
		}
	}
	return last, false
}

// doOfLoop returns the index of the do that belongs to a loop, or -1.
func doOfLoop(tokens []lexer.Token, i int) int {
	depth := 0
	for j := i + 1; j < min(len(tokens), i+maxHead); j++ {
		switch t := tokens[j]; {
		case strings.Contains("([{", t.Text):
			depth++
		case strings.Contains(")]}", t.Text):
			depth--
		case depth > 0:
		case t.Kind == lexer.Word && t.Text == "do":
			return j
		case t.Text == ";", strings.Contains(t.Text, "\n") && !continuesRuby(tokens[j-1]):
			return -1
		}
	}
	return -1
}

// continuesRuby reports whether a statement goes on behind a token at the end of a line.
func continuesRuby(t lexer.Token) bool {
	return slices.Contains([]string{"&&", "||", ",", `\`, "and", "or"}, t.Text)
}
