package markdown

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// GitHub shows a footnote if something refers to it. What looks like a reference is none in many places: before the
// target of a link, in an image, in an address. So a footnote is read if a reference is certain, and left out if not.

// noteStart is what begins a footnote.
var noteStart = regexp.MustCompile(`^\[\^([^\]\x00\t\n\r ]+)\]:[ \t]*`)

// notes is the parser of footnotes. Unlike the one of goldmark, it takes all labels that GitHub takes.
type notes struct{ parser.BlockParser }

func (p notes) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	m := noteStart.FindSubmatch(line[at:])
	if m == nil {
		return nil, parser.NoChildren
	}
	n := extast.NewFootnote(bytes.Clone(m[1]))
	reader.Advance(at + len(m[0]))
	if at+len(m[0]) >= len(line) {
		return n, parser.NoChildren
	}
	return n, parser.HasChildren
}

// Close leaves a footnote where it is, for noteTransformer.
func (notes) Close(ast.Node, text.Reader, parser.Context) {}

// noteTransformer moves the footnotes that something refers to to the end, and takes the others away.
type noteTransformer struct{}

func (noteTransformer) Transform(root *ast.Document, reader text.Reader, pc parser.Context) {
	f := noteFinder{source: reader.Source(), work: pc.Get(workKey).(*work), byLabel: map[string]*extast.Footnote{}}
	var all []*extast.Footnote
	within := 0
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		note, ok := n.(*extast.Footnote)
		switch {
		case !ok:
		case entering:
			within++
		default: // of several with a label, the first that ends counts
			all = append(all, note)
			if key := util.ToLinkReference(note.Ref); f.byLabel[key] == nil {
				f.byLabel[key] = note
			}
			if within--; within == 0 {
				note.Index = unread
			}
		}
		return ast.WalkContinue, nil
	})
	for _, note := range all {
		note.Parent().RemoveChild(note.Parent(), note)
	}
	f.references(root, true)
	for _, note := range all {
		f.references(note, false)
	}
	if len(f.list) == 0 {
		return
	}
	list := extast.NewFootnoteList()
	list.Count = len(f.list)
	for _, note := range f.list {
		list.AppendChild(list, note)
	}
	root.AppendChild(root, list)
}

// unread is the Index of a footnote that nothing refers to so far. One within another has none, and is never read.
const unread = 0

// noteFinder finds the references to footnotes.
type noteFinder struct {
	source  []byte
	work    *work
	byLabel map[string]*extast.Footnote
	// list has the footnotes that something refers to.
	list []*extast.Footnote
}

// references takes the references to footnotes in a node out of its text. If sure is set, those that are certain to be
// references become links to what they refer to.
func (f *noteFinder) references(n ast.Node, sure bool) {
	depth := 0
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c.Kind() {
		case ast.KindText:
			c = f.inText(c.(*ast.Text), &depth, sure)
		case ast.KindCodeSpan:
		case ast.KindLink, ast.KindImage:
			f.references(c, false)
		default:
			f.references(c, sure)
		}
	}
}

// inText is references for a text, and returns where it goes on. It counts the brackets that are open in depth.
func (f *noteFinder) inText(t *ast.Text, depth *int, sure bool) ast.Node {
	for i := t.Segment.Start; i < t.Segment.Stop; i++ {
		switch f.source[i] {
		case '\\':
			i++
		case ']':
			*depth = max(0, *depth-1)
		case '[':
			note, end := f.noteAt(i)
			rest, plain := textWith(t, end)
			if note == nil || rest == nil {
				*depth++
				continue
			}
			parent := t.Parent()
			parent.InsertBefore(parent, t, ast.NewTextSegment(text.NewSegment(t.Segment.Start, i)))
			if sure && plain && *depth == 0 && f.certain(note, i, end) {
				parent.InsertBefore(parent, t, f.link(note))
			}
			for n := ast.Node(t); n != rest; {
				next := n.NextSibling()
				parent.RemoveChild(parent, n)
				n = next
			}
			t, i = rest, end
			t.Segment = text.NewSegment(end+1, t.Segment.Stop)
		}
	}
	return t
}

// noteAt returns the footnote whose label is in the brackets that begin at from, and where those end; nil if none is.
func (f *noteFinder) noteAt(from int) (note *extast.Footnote, end int) {
	label, ok := bytes.CutPrefix(f.source[from:min(len(f.source), from+maxLabel)], []byte("[^"))
	if !ok {
		return nil, 0
	}
	n := bytes.IndexAny(label, "] \t\n")
	if n < 0 {
		n = len(label)
	}
	f.work.spend(n)
	if n == len(label) || label[n] != ']' {
		return nil, 0
	}
	return f.byLabel[util.ToLinkReference(label[:n])], from + len("[^") + n
}

// isNote reports whether brackets have the label of a footnote, which is no label of a link.
func (f *noteFinder) isNote(from int) bool {
	note, _ := f.noteAt(from)
	return note != nil
}

// textWith returns the text that the byte at end of the source is in, t or one behind it, and whether there is nothing
// but text between.
func textWith(t *ast.Text, end int) (found *ast.Text, plain bool) {
	plain = true
	for n := ast.Node(t); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); !ok {
			plain = false
		} else if t.Segment.Stop > end {
			return t, plain && t.Segment.Start <= end
		} else if t.SoftLineBreak() || t.HardLineBreak() {
			break
		}
	}
	return nil, false
}

// certain reports whether brackets from one byte of the source to another refer to a footnote wherever that is read.
func (f *noteFinder) certain(note *extast.Footnote, from, end int) bool {
	label, before, after := f.source[from+len("[^"):end], f.source[:from], f.source[end+1:]
	before = before[bytes.LastIndexAny(before[max(0, from-maxLabel):], " \t\n")+1+max(0, from-maxLabel):]
	f.work.spend(len(before))
	return note.Index >= unread && len(before) < maxLabel && strings.EqualFold(string(label), string(note.Ref)) &&
		!bytes.ContainsAny(label, "\\`<&[!") && !bytes.HasSuffix(before, []byte("!")) && !inAddress.Match(before) &&
		!bytes.HasPrefix(after, []byte("(")) && (!bytes.HasPrefix(after, []byte("[")) || f.isNote(end+1)) &&
		(!bytes.HasPrefix(after, []byte(":")) || len(before) > 0)
}

// inAddress matches what an address in a text may begin with.
var inAddress = regexp.MustCompile(`(?i)://|www\.|@|mailto:|xmpp:`)

// link returns a link to a footnote, which is read now.
func (f *noteFinder) link(note *extast.Footnote) ast.Node {
	if note.Index == unread {
		f.list = append(f.list, note)
		note.Index = len(f.list)
	}
	return extast.NewFootnoteLink(note.Index)
}
