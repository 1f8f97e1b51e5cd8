package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// A preview has a box for each block that would fit. GitHub writes "[x]" for "[ ]" when somebody ticks one, and leaves the rest of
// the line as it is. What counts is a line as box writes it, in a list of its own level: not in code, a quote or a fold, where a
// file or a model may have written the like.

// maxCommentBytes bounds the comment that is read for a command: GitHub's limit is 65,536 characters of up to 4 bytes.
const MaxCommentBytes = 4 * 65536

// maxNumber is the highest number of a block or suggestion that people can name.
const MaxNumber = 1000

// boxLine is a line of box, without the mark of its list and what stands for its end.
var boxLine = regexp.MustCompile(`^\[([ xX])\] \*\*([1-9][0-9]{0,3})\*\* .*<!-- tenon:block=([1-9][0-9]{0,3}) -->$`)

// previewMark is the mark of a preview; it names the run.
var previewMark = regexp.MustCompile(`<!-- tenon:preview=([a-z0-9]{12}) -->`)

// box is the line of block n, which says what the block is: one line of Markdown, escaped already.
func Box(n int, ticked bool, what string) string {
	mark := " "
	if ticked {
		mark = "x"
	}
	return fmt.Sprintf("- [%s] **%d** %s <!-- tenon:block=%d -->", mark, n, what, n)
}

// NewTicks are the numbers of the boxes that are ticked after an edit of a preview's text and were not before it, ascending.
func NewTicks(before, after string) []int {
	was := TickedBoxes(before)
	return slices.DeleteFunc(TickedBoxes(after), func(n int) bool { return slices.Contains(was, n) })
}

// tickedBoxes are the numbers of the boxes that are ticked, ascending.
func TickedBoxes(body string) []int {
	var out []int
	for _, b := range boxesIn(body) {
		if b.ticked {
			out = append(out, b.number)
		}
	}
	return out
}

// untick is body with the boxes of these numbers not ticked.
func Untick(body string, these []int) string {
	out := []byte(body)
	for _, b := range boxesIn(body) {
		if slices.Contains(these, b.number) {
			out[b.at] = ' '
		}
	}
	return string(out)
}

// previewRun is the run whose preview a body is: it is in the last of the marks that tenon sets outside of folds.
func PreviewRun(body string) (run string, ok bool) {
	eachPart(body, func(n ast.Node, source []byte) {
		if n.Kind() != ast.KindHTMLBlock {
			return
		}
		r := blockRange(n.(*ast.HTMLBlock), len(source))
		if m := previewMark.FindSubmatch(source[r[0]:r[1]]); m != nil {
			run, ok = string(m[1]), true
		}
	})
	return run, ok
}

// readBox is a box in a body.
type readBox struct {
	number int
	ticked bool
	at     int // of the byte between the brackets
}

// boxesIn are the boxes of a body. Numbers ascend: a line that is out of order is none of ours.
func boxesIn(body string) []readBox {
	var out []readBox
	eachPart(body, func(n ast.Node, source []byte) {
		if n.Kind() != ast.KindList || n.(*ast.List).Marker != '-' {
			return
		}
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			b, ok := boxOf(item, source)
			if ok && (len(out) == 0 || out[len(out)-1].number < b.number) {
				out = append(out, b)
			}
		}
	})
	return out
}

// boxOf reads the first line of a list's item.
func boxOf(item ast.Node, source []byte) (readBox, bool) {
	first := item.FirstChild()
	if first == nil || first.Lines().Len() == 0 || (first.Kind() != ast.KindTextBlock && first.Kind() != ast.KindParagraph) {
		return readBox{}, false
	}
	at := first.Lines().At(0)
	m := boxLine.FindSubmatch(bytes.TrimRight(source[at.Start:at.Stop], " \t\r\n"))
	if m == nil || !bytes.Equal(m[2], m[3]) {
		return readBox{}, false
	}
	n, err := strconv.Atoi(string(m[2]))
	return readBox{number: n, ticked: m[1][0] != ' ', at: at.Start + 1}, err == nil && n <= MaxNumber
}

// eachPart calls visit for the parts of a body that are in no quote, list or fold.
func eachPart(body string, visit func(n ast.Node, source []byte)) {
	if len(body) > MaxCommentBytes || len(Shallow(body)) < len(body) {
		return
	}
	source := []byte(body)
	folds := 0
	root := CommentParser().Parse(text.NewReader(source))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if html, ok := n.(*ast.HTMLBlock); ok {
			r := blockRange(html, len(source))
			tags := strings.ToLower(string(source[r[0]:r[1]]))
			folds = max(0, folds+strings.Count(tags, "<details")-strings.Count(tags, "</details"))
		}
		if folds == 0 {
			visit(n, source)
		}
	}
}
