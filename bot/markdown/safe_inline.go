package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// maxAddress is how much of a link's address is shown, in characters.
const maxAddress = 200

// piece is a run of text, or of inline code.
type piece struct {
	text string
	code bool
}

// inline writes what is in a paragraph, on one line.
func (w safeWriter) inline(n ast.Node) string {
	var out []string
	var chunk []piece
	flush := func() {
		if len(chunk) > 0 {
			out = append(out, w.chunk(chunk, len(out) == 0))
		}
		chunk = nil
	}
	for _, p := range w.pieces(n) {
		if p.code {
			chunk = append(chunk, p)
			continue
		}
		for i, word := range strings.Split(Printable(p.text, false), " ") {
			if i > 0 {
				flush()
			}
			switch n := len(chunk) - 1; {
			case word == "":
			case n >= 0 && !chunk[n].code:
				chunk[n].text += word
			default:
				chunk = append(chunk, piece{text: word})
			}
		}
	}
	flush()
	return strings.Join(out, " ")
}

// chunk writes what stands between two blanks: a word, code with punctuation around it, or as code what is neither.
func (w safeWriter) chunk(pieces []piece, first bool) string {
	open, end := "", ""
	if p := pieces[0]; !p.code && strings.Trim(p.text, opening) == "" {
		open, pieces = p.text, pieces[1:]
	}
	if n := len(pieces) - 1; n > 0 && !pieces[n].code && strings.Trim(pieces[n].text, closing) == "" {
		end, pieces = pieces[n].text, pieces[:n]
	}
	if len(pieces) == 1 && pieces[0].code {
		return open + w.code(pieces[0].text) + end
	}
	text, code := open, false
	for _, p := range pieces {
		text, code = text+p.text, code || p.code
	}
	if code {
		return Code(text) + end
	}
	return word(text+end, first)
}

// pieces are the texts and the code in a paragraph, in order.
func (w safeWriter) pieces(n ast.Node) (out []piece) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			out = append(out, piece{text: w.text(c)})
		case *ast.CodeSpan:
			if text := OneLine(w.raw(c)); text != "" {
				out = append(out, piece{text, true})
			}
		case *ast.AutoLink:
			out = append(out, piece{text: string(c.URL(w.source))})
		case *ast.RawHTML:
			out = append(out, w.tag(c)...)
		case *ast.Link:
			out = append(out, w.link(c)...)
		case *extast.TaskCheckBox:
			out = append(out, piece{text: map[bool]string{false: "☐ ", true: "☑ "}[c.IsChecked]})
		default: // emphasis, and images, of which the description stays
			out = append(out, w.pieces(c)...)
		}
	}
	return out
}

func (w safeWriter) text(n *ast.Text) string {
	text := string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(n.Segment.Value(w.source)))))
	if n.SoftLineBreak() || n.HardLineBreak() {
		text += " "
	}
	return text
}

// raw is the text in inline code.
func (w safeWriter) raw(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(w.source))
		}
	}
	return b.String()
}

// tag shows HTML as code; of a comment, nothing.
func (w safeWriter) tag(n *ast.RawHTML) []piece {
	var b strings.Builder
	for i := range n.Segments.Len() {
		at := n.Segments.At(i)
		b.Write(at.Value(w.source))
	}
	if strings.HasPrefix(b.String(), "<!--") {
		return nil
	}
	return []piece{{OneLine(b.String()), true}}
}

// link shows a link's text, and behind it where it leads.
func (w safeWriter) link(n *ast.Link) []piece {
	out := w.pieces(n)
	if to := OneLine(Clip(string(n.Destination), maxAddress)); to != "" && (len(out) != 1 || out[0].text != to) {
		out = append(out, piece{text: " ("}, piece{to, true}, piece{text: ")"})
	}
	return out
}
