package markdown

import (
	"bytes"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A preview has a box for each block that fits. GitHub writes "[x]" for "[ ]" when somebody ticks one, and leaves the
// rest of the line alone. Only a line as Box writes it counts, in a list at the top level: not in code, a quote or a
// fold, where a file or a model may have written something like it.

// boxLine is a line of Box or ChoiceBox, without the marker of its list and the end of the line.
var boxLine = regexp.MustCompile(`^\[([ xX])\] \*\*(C?)([1-9][0-9]{0,3})\*\* .*<!-- tenon:block=([1-9][0-9]{0,3}) -->$`)

// previewMark is the marker of a preview; it names the run.
var previewMark = regexp.MustCompile(`<!-- tenon:preview=([a-z0-9]{12}) -->`)

// resolveMark is the marker of an answer with the conflicts of a merge; it names the run, and what its boxes mean.
var resolveMark = regexp.MustCompile(`<!-- tenon:resolve=([a-z0-9]{12})\.([0-9a-f]{8}) -->`)

// offerMark is the marker of a comment that offers to open a pull request with the edits of a run; it names the run.
var offerMark = regexp.MustCompile(`<!-- tenon:offer=([a-z0-9]{12}) -->`)

// tickless changes what GitHub's renderer takes for a tick wherever it is on the line of a box.
var tickless = strings.NewReplacer("[x]", "[x ]", "[X]", "[X ]")

// Box returns the line of block n. label describes the block, as one line of Markdown.
func Box(n int, ticked bool, label string) string {
	tick := " "
	if ticked {
		tick = "x"
	}
	return fmt.Sprintf("- [%s] **%d** %s <!-- tenon:block=%d -->", tick, n, tickless.Replace(label), n)
}

// Choices is how many boxes the conflict of a merge may have.
const Choices = 4

// ChoiceBox returns the line of a box that chooses what becomes of conflict id, of which choice counts from 0. Its
// number, as for Box, is ChoiceNumber.
func ChoiceBox(id, choice int, ticked bool, label string) string {
	box := Box(ChoiceNumber(id, choice), ticked, label)
	number := fmt.Sprintf("**%d**", ChoiceNumber(id, choice))
	return strings.Replace(box, number, fmt.Sprintf("**C%d**", id), 1)
}

// ChoiceNumber is the number of the box of a choice for a conflict, above MaxNumber if there can be no such box.
func ChoiceNumber(id, choice int) int { return (id-1)*Choices + choice + 1 }

// ChosenBy returns the conflict, and the choice, of the box of a number.
func ChosenBy(number int) (id, choice int) { return (number-1)/Choices + 1, (number - 1) % Choices }

// NewTicks returns the numbers of the boxes that an edit of a preview ticked, in ascending order.
func NewTicks(before, after string) []int {
	was := TickedBoxes(before)
	return slices.DeleteFunc(TickedBoxes(after), func(n int) bool { return slices.Contains(was, n) })
}

// MayTick reports, by the bytes of two texts alone, whether NewTicks may return a number for them: whether a box of
// some number is ticked more often than before.
func MayTick(before, after string) bool {
	var ticks [MaxNumber + 1]int
	for n := range tickedNumbers(after) {
		ticks[n]++
	}
	for n := range tickedNumbers(before) {
		ticks[n]--
	}
	return slices.Max(ticks[:]) > 0
}

// tickedNumbers yields the numbers behind what looks like the tick of a Box.
func tickedNumbers(body string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for {
			i := strings.Index(body, "] **")
			if i < 0 {
				return
			}
			ticked := strings.HasSuffix(body[:i], "[x") || strings.HasSuffix(body[:i], "[X")
			body = body[i+len("] **"):]
			digits, _, _ := strings.Cut(CutBytes(body, len("C1000**")), "**")
			if strings.HasPrefix(digits, "C") {
				line, _, _ := strings.Cut(body, "\n")
				_, line, _ = strings.Cut(line, "<!-- tenon:block=")
				digits, _, _ = strings.Cut(line, " -->")
			}
			if n, err := strconv.Atoi(digits); ticked && err == nil && 0 < n && n <= MaxNumber && !yield(n) {
				return
			}
		}
	}
}

// TickedBoxes returns the numbers of the boxes that are ticked, in ascending order.
func TickedBoxes(body string) []int {
	var out []int
	for _, b := range boxesIn(body) {
		if b.ticked {
			out = append(out, b.number)
		}
	}
	return out
}

// Boxes returns the numbers of the boxes of a preview, in ascending order.
func Boxes(body string) []int {
	var out []int
	for _, b := range boxesIn(body) {
		out = append(out, b.number)
	}
	return out
}

// Untick returns body with the boxes of these numbers unticked.
func Untick(body string, numbers []int) string {
	out := []byte(body)
	for _, b := range boxesIn(body) {
		if slices.Contains(numbers, b.number) {
			out[b.at] = ' '
		}
	}
	return string(out)
}

// PreviewRun returns the run whose preview a body is. The last of the markers outside of folds is tenon's own.
func PreviewRun(body string) (run string, ok bool) { return markedRun(body, previewMark) }

// ResolveRun returns the run whose answer, with the conflicts of a merge, a body is, and the eight hexadecimal digits
// that say what its boxes mean. The last of the markers outside of folds is tenon's own.
func ResolveRun(body string) (run, revision string, ok bool) {
	m := marked(body, resolveMark)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// ResolveMarker returns the marker of an answer with the conflicts of a merge.
func ResolveMarker(run, revision string) string {
	return fmt.Sprintf("<!-- tenon:resolve=%s.%s -->", run, revision)
}

// OfferRun returns the run whose edits a body offers to open a pull request with. The last of the markers outside of
// folds is tenon's own.
func OfferRun(body string) (run string, ok bool) { return markedRun(body, offerMark) }

func markedRun(body string, mark *regexp.Regexp) (run string, ok bool) {
	m := marked(body, mark)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// marked returns the last match of a marker in a block of HTML of its own, nil if there is none.
func marked(body string, mark *regexp.Regexp) (found []string) {
	eachPart(body, func(n ast.Node, source []byte) {
		if n.Kind() != ast.KindHTMLBlock {
			return
		}
		r := blockRange(n.(*ast.HTMLBlock), len(source))
		if m := mark.FindStringSubmatch(string(source[r[0]:r[1]])); m != nil {
			found = m
		}
	})
	return found
}

// A readBox is a box in a body.
type readBox struct {
	number int
	ticked bool
	at     int // the offset of the byte between the brackets
}

// boxesIn returns the boxes of a body. Their numbers ascend: tenon did not write a line that is out of order.
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

// boxOf reads a box from the first line of a list item.
func boxOf(item ast.Node, source []byte) (readBox, bool) {
	first := item.FirstChild()
	if first == nil || first.Lines().Len() == 0 ||
		(first.Kind() != ast.KindTextBlock && first.Kind() != ast.KindParagraph) {
		return readBox{}, false
	}
	at := first.Lines().At(0)
	m := boxLine.FindSubmatch(bytes.TrimRight(source[at.Start:at.Stop], " \t\r\n"))
	if m == nil {
		return readBox{}, false
	}
	shown, err := strconv.Atoi(string(m[3]))
	if err != nil {
		return readBox{}, false
	}
	n, err := strconv.Atoi(string(m[4]))
	if id, _ := ChosenBy(n); err == nil && (len(m[2]) == 0 && shown != n || len(m[2]) > 0 && shown != id) {
		return readBox{}, false
	}
	return readBox{number: n, ticked: m[1][0] != ' ', at: at.Start + 1}, err == nil && n <= MaxNumber
}

// eachPart calls visit for the top-level blocks of a body that are not in a fold.
func eachPart(body string, visit func(n ast.Node, source []byte)) {
	root, ok := Parse(body)
	if !ok {
		return
	}
	source := []byte(body)
	folds := 0
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
