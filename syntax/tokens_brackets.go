package syntax

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// bracket is an open bracket.
type bracket struct {
	text string
	line int
}

var closing = map[string]string{"(": ")", "[": "]", "{": "}"}

const unevenBranches = "the branches of this #if leave different brackets open"

// unpairedBracket finds a bracket that has no partner.
func (r tokenRules) unpairedBracket(tokens []lexer.Token) *flaw {
	var open []bracket
	var branches []conditional
	for i, t := range tokens {
		if r.perl && t.Text != "{" && i > 0 && tokens[i-1].Text == "$" {
			continue
		}
		if t.Kind == lexer.Directive && r.preprocessor {
			var even bool
			if branches, open, even = enter(branches, open, t.Text); !even {
				return &flaw{t.Line, unevenBranches}
			}
			continue
		}
		if t.Kind != lexer.Punctuation && t.Kind != lexer.Invalid || !strings.Contains(r.brackets, t.Text) {
			continue
		}
		if closing[t.Text] != "" {
			open = append(open, bracket{t.Text, t.Line})
			continue
		}
		if len(open) == 0 {
			return &flaw{t.Line, fmt.Sprintf("%q closes nothing", t.Text)}
		}
		last := open[len(open)-1]
		if want := closing[last.text]; want != t.Text {
			return &flaw{t.Line, fmt.Sprintf("%q where %q should close the %q of line %d", t.Text, want, last.text, last.line)}
		}
		open = open[:len(open)-1]
	}
	if len(open) > 0 {
		last := open[len(open)-1]
		return &flaw{last.line, fmt.Sprintf("%q is not closed", last.text)}
	}
	return nil
}

// tooDeep reports whether more than maxDepth brackets are open at once: each branch of a #if copies those that are.
func tooDeep(tokens []lexer.Token) bool {
	depth := 0
	for _, t := range tokens {
		switch t.Text {
		case "(", "[", "{":
			if depth++; depth > maxDepth {
				return true
			}
		case ")", "]", "}":
			depth = max(0, depth-1)
		}
	}
	return false
}

// conditional is a #if that has no #endif yet: the open brackets before it, and those after its first branch.
type conditional struct {
	before, after []bracket
	ended         bool
}

// maxBranches bounds the nesting of #if; the C standard asks for 63 levels.
const maxBranches = 256

// enter follows a directive: each branch of a #if begins with the brackets that were open before it, and behind the
// #endif those count that the first branch left open. It reports whether all of its branches leave as many open.
func enter(branches []conditional, open []bracket, directive string) ([]conditional, []bracket, bool) {
	word := strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(directive), "#"), " \t")
	top := len(branches) - 1
	even := top < 0 || !branches[top].ended || len(branches[top].after) == len(open)
	switch {
	case strings.HasPrefix(word, "if"):
		if len(branches) < maxBranches {
			branches = append(branches, conditional{before: slices.Clone(open)})
		}
	case top < 0:
	case strings.HasPrefix(word, "el"):
		if !branches[top].ended {
			branches[top].after, branches[top].ended = open, true
		}
		return branches, slices.Clone(branches[top].before), even
	case strings.HasPrefix(word, "endif"):
		if branches[top].ended {
			open = branches[top].after
		}
		return branches[:top], open, even
	}
	return branches, open, true
}
