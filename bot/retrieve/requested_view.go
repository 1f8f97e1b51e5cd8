package retrieve

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what is shown of a file that was asked for.
const (
	aroundLine     = 30 // lines on either side of one that was asked for alone
	aroundUse      = 15 // lines on either side of a use of a name that the file does not define
	maxUses        = 6  // of those
	maxLeadLines   = 30 // comments and decorators above a definition
	maxPieceLines  = 60
	tabWidth       = 4
	outlineDivisor = 4 // of the room for a file, for its outline
)

// view is a file that was asked for, without its secrets.
type view struct {
	path, text, sum, secrets string
	lines                    []string
	// wanted are the ranges of lines that were asked for, from 0. best says that those are shown first that are most
	// likely meant, if not all fit.
	wanted markdown.Ranges
	best   bool
	terms  map[string]bool
	// outlined are the definitions, once they are known.
	outlined []definition
}

// choose decides which lines an ask means, or returns why none are.
func (v *view) choose(a Ask) (why string) {
	n := len(v.lines)
	switch {
	case n == 0:
		return "it is empty"
	case a.Lines.From > n:
		return fmt.Sprintf("it has only %d lines", n)
	case a.Lines.From > 0 && a.Lines.From == a.Lines.To:
		v.wanted = markdown.Ranges{{max(0, a.Lines.From-1-aroundLine), min(n, a.Lines.To+aroundLine)}}
	case a.Lines.From > 0:
		v.wanted = markdown.Ranges{{a.Lines.From - 1, min(n, a.Lines.To)}}
	case a.Name != "":
		if v.wanted = v.definitionsOf(a.Name); len(v.wanted) == 0 {
			return fmt.Sprintf("it neither defines nor uses %s", a.Name)
		}
	default:
		v.wanted, v.best = markdown.Ranges{{0, n}}, true
	}
	return ""
}

// want returns about how many bytes the wanted lines take, with the outline of a file that is too long to be shown whole.
func (v *view) want() int {
	n := len(v.path)
	if v.best && len(v.lines) > maxAskedLines {
		n += maxOutline
	}
	for _, r := range v.wanted {
		n += delimiterBytes + len(v.path)
		for _, line := range v.lines[r[0]:r[1]] {
			n += len(line)
		}
	}
	return n
}

// cut returns as much of some ranges of lines as fits into room, and the ranges that it has no room for.
func (v *view) cut(ranges markdown.Ranges, room int) (file prompts.File, rest markdown.Ranges) {
	file = prompts.File{Path: v.path, Lines: len(v.lines), Redacted: v.secrets}
	chosen := v.first(ranges, room)
	if v.best && (len(v.lines) > maxAskedLines || len(without(ranges, chosen)) > 0) {
		file.Outline = outlineText(v.outline(), min(maxOutline, room/outlineDivisor))
		chosen = v.likeliest(ranges, room-len(file.Outline)-delimiterBytes)
	}
	for _, r := range chosen {
		file.Parts = append(file.Parts, prompts.Part{From: r[0] + 1, To: r[1], Text: strings.Join(v.lines[r[0]:r[1]], "")})
	}
	return file, without(ranges, chosen)
}

// outline returns what the file defines, in what is shown of it.
func (v *view) outline() []definition {
	if v.outlined == nil {
		v.outlined = outline(v.path, []byte(v.text))
	}
	return v.outlined
}

// first returns the first lines of ranges that fit into room.
func (v *view) first(ranges markdown.Ranges, room int) (out markdown.Ranges) {
	room -= len(v.path)
	for _, r := range ranges {
		room -= len(v.path) + delimiterBytes
		end := r[0]
		for end < r[1] && len(v.lines[end]) <= room {
			room -= len(v.lines[end])
			end++
		}
		if end > r[0] {
			out = append(out, [2]int{r[0], end})
		}
		if end < r[1] {
			break
		}
	}
	return out
}

// likeliest returns the pieces of ranges that have most of the terms in them, as many as fit into room, in their order.
// With nothing to choose by, they are the first ones.
func (v *view) likeliest(ranges markdown.Ranges, room int) (out markdown.Ranges) {
	pieces := v.pieces(ranges)
	scores := v.scores(pieces)
	order := make([]int, len(pieces))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	room -= len(v.path)
	lines := 0
	for _, i := range order {
		need := len(v.path) + delimiterBytes
		for _, line := range v.lines[pieces[i][0]:pieces[i][1]] {
			need += len(line)
		}
		if n := pieces[i][1] - pieces[i][0]; need <= room && lines+n <= maxAskedLines {
			room -= need
			lines += n
			out = append(out, pieces[i])
		}
	}
	if len(out) == 0 {
		return v.first(ranges, room)
	}
	return markdown.MergeRanges(out)
}

// pieces divides ranges of lines where definitions begin, and after maxPieceLines.
func (v *view) pieces(ranges markdown.Ranges) (out markdown.Ranges) {
	begins := map[int]bool{}
	for _, d := range v.outline() {
		begins[v.lead(d.line-1)] = true
	}
	for _, r := range ranges {
		from := r[0]
		for i := r[0] + 1; i <= r[1]; i++ {
			if i == r[1] || i-from >= maxPieceLines || begins[i] {
				out = append(out, [2]int{from, i})
				from = i
			}
		}
	}
	return out
}

// scores returns how well pieces fit the terms: a term counts for more in fewer pieces.
func (v *view) scores(pieces markdown.Ranges) []float64 {
	in := make([]map[string]int, len(pieces))
	of := map[string]int{}
	for i, p := range pieces {
		in[i] = map[string]int{}
		for _, line := range v.lines[p[0]:p[1]] {
			eachTerm(line[:min(len(line), maxDefinitionLine)], func(term string) {
				if v.terms[term] {
					in[i][term]++
				}
			})
		}
		for term := range in[i] {
			of[term]++
		}
	}
	scores := make([]float64, len(pieces))
	for i := range pieces {
		for term, n := range in[i] {
			scores[i] += math.Log(1+float64(len(pieces))/float64(of[term])) * (1 + math.Log(float64(n)))
		}
	}
	return scores
}

// maxTerms is how many terms of the texts are looked for.
const maxTerms = 500

// termsOf returns the words of texts, and the parts of the names in them, in lower case.
func termsOf(texts []string) map[string]bool {
	terms := map[string]bool{}
	for _, text := range texts {
		eachTerm(text, func(term string) {
			if len(terms) < maxTerms {
				terms[term] = true
			}
		})
	}
	return terms
}

// endings are cut off words, so that "refused" and "refuses" are the same as "refuse".
var endings = []string{"ing", "ed", "es", "s", "e"}

// termOf returns the form under which a word is compared.
func termOf(word string) string {
	word = strings.TrimRight(strings.ToLower(word), "0123456789")
	for _, end := range endings {
		if rest, ok := strings.CutSuffix(word, end); ok && len(rest) > 2 {
			return rest
		}
	}
	return word
}

// eachTerm visits the words of a text, and the parts of those that are written in camel or snake case.
func eachTerm(text string, visit func(string)) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(word) > 2 && len(word) <= maxFindBytes {
			visit(termOf(word))
		}
		from := 0
		for i := 1; i <= len(word); i++ {
			if i == len(word) || word[i] == '_' || isUpper(word[i]) && !isUpper(word[i-1]) {
				if part := strings.Trim(word[from:i], "_"); len(part) > 2 && len(part) < len(word) {
					visit(termOf(part))
				}
				from = i
			}
		}
	}
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
