package markdown

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// GitHub draws formulas and diagrams. What is written for them need not be what is drawn: a formula may hide a part
// (\phantom), or make it too small or white, and the names in a diagram are not those on its boxes. So a formula
// remains if it is made of what is known to be shown, and no diagram does.

const (
	drawnMath    = "[formula]"
	drawnDiagram = "[diagram]"
)

// drawnFor returns what a block of code becomes that GitHub draws, empty for any other.
func drawnFor(language, code string) string {
	switch strings.ToLower(language) {
	case "mermaid", "geojson", "topojson", "stl":
		return drawnDiagram
	case "math":
		if !plainMath(code) {
			return drawnMath
		}
	}
	return ""
}

// mathCommand is a command of TeX, or what hides the rest of a line.
var mathCommand = regexp.MustCompile(`\\([A-Za-z]+|[^A-Za-z]|$)|%`)

// movedLine ends a line of a formula and says how far off the next one is. Markdown may have read its first backslash.
var movedLine = regexp.MustCompile(`\\\*?\s*\[`)

// plainMath reports whether a formula has nothing but what is shown.
func plainMath(tex string) bool {
	if movedLine.MatchString(tex) {
		return false
	}
	for _, m := range mathCommand.FindAllStringSubmatch(tex, -1) {
		if name := m[1]; !plainCommands[name] && (len(name) != 1 || !strings.Contains(`\{}[],;:!|%$&#_ `, name)) {
			return false
		}
	}
	return true
}

// plainCommands are the commands of TeX that people write and that hide nothing.
var plainCommands = wordSet(`
	alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau upsilon
	phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell hbar infty partial nabla frac
	dfrac tfrac sqrt sum prod int iint oint lim limsup liminf min max sup inf log ln lg exp sin cos tan arg deg det dim
	gcd ker mod bmod pmod binom le leq ge geq ne neq lt gt ll gg approx sim simeq equiv cong propto in notin ni subset
	subseteq supset supseteq cup cap setminus emptyset varnothing forall exists neg land lor wedge vee to gets mapsto
	rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow implies iff times cdot div pm mp ast star circ
	oplus otimes dots ldots cdots vdots ddots colon quad qquad left right big Big bigg Bigg lfloor rfloor lceil rceil
	langle rangle lvert rvert lVert rVert vert Vert mid nmid parallel perp angle prime text textbf textit mathrm mathbf
	mathit mathsf mathtt mathbb mathcal mathfrak operatorname begin end hat bar tilde vec dot ddot overline underline
	overbrace underbrace top bot vdash models not limits nolimits displaystyle`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// hidingCommand are commands by which a formula hides or shrinks a part of it, or makes other commands.
var hidingCommand = regexp.MustCompile(`\\(?:[hv]?phantom|(?:text|f?)color(?:box)?|definecolor|tiny|scriptsize|` +
	`scriptscriptstyle|scriptstyle|small|footnotesize|[rlc]lap|math[rlc]lap|smash|[hv]space|[mh]?skip|m?kern|raise|` +
	`lower|rule|require|def|gdef|edef|let|(?:re)?newcommand|newenvironment|html\w*|class|style|cssId|href|url|bbox|` +
	`unicode|tag|label|e?ref|nonumber|notag|mmlToken|toggle|endtoggle|enclose|cancel|data|texttip|tooltip|hidewidth|` +
	`char|transparent|opacity|scalebox|resizebox|rotatebox|moveleft|moveright|hbox|mbox|vcenter|strut|null)\b`)

// withoutMath returns the pieces of a line, those that are text as one between others, without the formulas that may
// hide something.
func withoutMath(pieces []part) []part {
	var b strings.Builder
	var others []part
	for _, p := range pieces {
		if p.kind == isText {
			b.WriteString(p.text)
		} else {
			b.WriteString(literal)
			others = append(others, p)
		}
	}
	m := mathFinder{text: b.String(), others: others, mayOpen: true}
	m.find()
	return m.out
}

// mathFinder finds the formulas in a text, in which the byte literal stands for each of others.
type mathFinder struct {
	text   string
	others []part
	out    []part
	// mayOpen says whether a dollar at the beginning of text may begin a formula.
	mayOpen bool
}

// find takes the text apart at its dollars.
func (m *mathFinder) find() {
	for m.text != "" {
		i := strings.IndexByte(m.text, '$')
		if i < 0 {
			m.keep(len(m.text))
			return
		}
		m.keep(i)
		if n := m.formula(); n == 0 {
			m.keep(len(m.text) - len(strings.TrimLeft(m.text, "$")))
		} else if m.plain(n) {
			m.keep(n)
		} else {
			m.drop(n)
		}
	}
}

// formula returns the length of the formula that the text begins with, 0 if it is none.
func (m *mathFinder) formula() int {
	if rest, ok := strings.CutPrefix(m.text, "$$"); ok {
		if i := strings.Index(rest, "$$"); i >= 0 {
			return i + 4
		}
		return 0
	}
	if strings.HasPrefix(m.text, "$"+literal+"$") && m.others[0].kind == isCode {
		return len("$" + literal + "$")
	}
	end := strings.IndexByte(m.text[1:], '$') + 1
	if end < 2 {
		return 0
	}
	in := m.text[1:end]
	isText := !m.mayOpen || strings.TrimSpace(in) != in || goesOn(m.text[end+1:])
	if isText && !hidingCommand.MatchString(in) {
		return 0
	}
	return end + 1
}

// opens reports whether a dollar behind a text may begin a formula: it ends no word and no pattern.
func opens(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || !unicode.In(r, unicode.L, unicode.N) && !strings.ContainsRune(`+\^%$`, r)
}

// goesOn reports whether a dollar before a text is none that ends a formula, as it is part of a word.
func goesOn(after string) bool {
	r, _ := utf8.DecodeRuneInString(after)
	return after != "" && (unicode.In(r, unicode.L, unicode.N) || strings.ContainsRune("_{(", r))
}

// plain reports whether the formula that is the first n bytes of the text hides nothing.
func (m *mathFinder) plain(n int) bool {
	for _, p := range m.others[:strings.Count(m.text[:n], literal)] {
		if p.kind == isCode && !plainMath(p.text) {
			return false
		}
	}
	return plainMath(strings.Trim(m.text[:n], "$"))
}

// keep moves the first n bytes of the text to the pieces.
func (m *mathFinder) keep(n int) {
	for i, s := range strings.Split(m.text[:n], literal) {
		if i > 0 {
			m.out, m.others = append(m.out, m.others[0]), m.others[1:]
		}
		if s != "" {
			m.out = append(m.out, part{isText, s})
		}
	}
	if n > 0 {
		m.mayOpen = opens(m.text[:n])
	}
	m.text = m.text[n:]
}

// drop leaves the formula out that is the first n bytes of the text.
func (m *mathFinder) drop(n int) {
	m.others = m.others[strings.Count(m.text[:n], literal):]
	m.mayOpen = opens(m.text[:n])
	m.text = m.text[n:]
	m.out = append(m.out, part{isRaw, drawnMath})
}

// maxGap is how many blank columns a line of code may have before its text: what is further right is out of sight.
const maxGap = 100

// beforeGap returns a line of code up to a gap that moves the rest out of sight.
func beforeGap(line string) string {
	from, columns := 0, 0
	for i, r := range line {
		switch {
		case r == '\t':
			columns += 4
		case unicode.IsSpace(r) || r == '\u2800':
			columns++
		case columns > maxGap:
			return line[:from] + " …"
		default:
			from, columns = i+len(string(r)), 0
		}
	}
	return line
}

// languages are those whose name remains on a block of code.
var languages = wordSet(`
	ada asm astro awk bash bat batch c c# c++ caddyfile clj clojure cmake cmd cobol coffeescript console cpp crystal cs
	csharp css csv cuda cue cxx d dart diff dockerfile dotenv elixir elm erb erl erlang ex f# fish fortran fs fsharp go
	golang graphql groovy h haml haskell hbs hcl hpp hs html http ini java javascript jinja jl js json json5 jsonc jsx
	julia kotlin kt kts latex less lisp log lua make makefile markdown matlab md mdx nginx nim nix objc objective-c ocaml
	patch perl php pl plaintext powershell prisma properties proto protobuf ps1 pug py pycon pytb python r rb re rs rst
	ruby rust sass scala scheme scss sh shell solidity sql ssh-config stylus suggestion svelte swift tcl terraform tex text
	tf toml tsx ts txt typescript vb vba verilog vhdl vim vue wasm xhtml xml yaml yml zig zsh`)
