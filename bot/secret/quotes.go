package secret

import (
	"cmp"
	"encoding/binary"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// Bounds on what is remembered of the secrets of whole texts.
const (
	// gram is how many bytes of a secret, one after the other, are recognized wherever they are quoted.
	gram = 8
	// maxGrams is how many of those are remembered; with more of them, nothing is quoted.
	maxGrams = 1 << 17
)

// Quotes masks what is quoted of texts that are known whole, however it was cut: each line is as in the masked text,
// and no piece of a secret is left. The zero value knows no texts. Quotes is not safe for concurrent use.
type Quotes struct {
	// lines are those with secrets, without the white space around them, and what they are masked.
	lines map[string]string
	grams map[uint64]struct{}
	// all reports that nothing may be quoted, because not everything could be masked.
	all bool
}

// Know adds a text from which may be quoted.
func (q *Quotes) Know(m Masked) {
	if !m.Hides() {
		return
	}
	if q.lines == nil {
		q.lines, q.grams = map[string]string{}, map[uint64]struct{}{}
	}
	masked := strings.Split(m.text, "\n")
	for i, line := range strings.Split(m.original, "\n") {
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed != strings.TrimSpace(masked[i]) {
			q.lines[trimmed] = strings.TrimSpace(masked[i])
		}
	}
	for _, f := range m.found {
		for value := range strings.SplitSeq(m.original[f.from:f.to], "\n") {
			for i := 0; i+gram <= len(value); i++ {
				q.grams[binary.LittleEndian.Uint64([]byte(value[i:i+gram]))] = struct{}{}
			}
		}
		if len(q.grams) > maxGrams {
			q.all = true
			return
		}
	}
}

// Hide says that there is a text that could not be masked: from here on nothing is quoted.
func (q *Quotes) Hide() { q.all = true }

// unquoted is what is shown in place of a line if nothing may be quoted.
const unquoted = "[not checked for secrets]"

// Lines returns lines that are quoted, masked; their number stays.
func (q *Quotes) Lines(lines []string) []string {
	if len(lines) == 0 {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = q.line(line)
	}
	return strings.Split(Mask(strings.Join(out, "\n")).Text(), "\n")
}

// Text returns a text that quotes, masked.
func (q *Quotes) Text(text string) string {
	return strings.Join(q.Lines(strings.Split(text, "\n")), "\n")
}

func (q *Quotes) line(line string) string {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		return line
	}
	if q.all {
		return unquoted
	}
	if masked, ok := q.lines[trimmed]; ok {
		at := strings.Index(line, trimmed)
		return line[:at] + masked + line[at+len(trimmed):]
	}
	return q.withoutPieces(line)
}

// withoutPieces masks the pieces of secrets in a line.
func (q *Quotes) withoutPieces(line string) string {
	if len(q.grams) == 0 {
		return line
	}
	var b strings.Builder
	at, hidden := 0, 0 // hidden is where the piece ends that was found last
	for i := 0; i+gram <= len(line); i++ {
		if _, ok := q.grams[binary.LittleEndian.Uint64([]byte(line[i:i+gram]))]; !ok {
			continue
		}
		if i >= hidden {
			b.WriteString(line[at:i] + "[redacted]")
		}
		hidden = i + gram
		at = hidden
	}
	return b.String() + line[at:]
}

// Results masks what the results of an application quote: it goes into the answer, and back to the model. Block of each
// becomes that of the masked texts, and Quoted is made of Edit, which stays as it is.
func (q *Quotes) Results(results []engine.Result) {
	for i := range results {
		r := &results[i]
		r.Detail = q.Text(r.Detail)
		r.AnchorPreview, r.OldPreview, r.NewPreview = "", "", ""
		r.ClosestMatch, r.Around = q.excerpt(r.ClosestMatch), q.excerpt(r.Around)
		problems := make([]engine.FileProblem, len(r.Problems)) // the blocks of a file share them
		for n, p := range r.Problems {
			p.Message = q.Text(p.Message)
			problems[n] = p
		}
		if len(problems) > 0 {
			r.Problems = problems
		}
		r.Block.Anchor, r.Block.Find, r.Block.Replace = q.cut(r.Block.Anchor), q.cut(r.Block.Find), q.cut(r.Block.Replace)
		if e := cmp.Or(r.Quoted, r.Edit); e != nil {
			r.Quoted = &engine.Edit{Line: e.Line, Removed: q.Lines(e.Removed), Added: q.Lines(e.Added),
				ContextBefore: q.Lines(e.ContextBefore), ContextAfter: q.Lines(e.ContextAfter)}
		}
		if c := r.Conflict; c != nil {
			masked := *c
			for _, side := range []*[]string{&masked.Base.Lines, &masked.Ours.Lines, &masked.Theirs.Lines} {
				*side = q.Lines(*side)
			}
			r.Conflict = &masked
		}
		if d := r.Difference; d != nil {
			r.Difference = &engine.Difference{Line: d.Line, Want: q.Text(d.Want), Have: q.Text(d.Have)}
		}
	}
}

func (q *Quotes) excerpt(e *engine.Excerpt) *engine.Excerpt {
	if e == nil {
		return nil
	}
	return &engine.Excerpt{Line: e.Line, Lines: q.Lines(e.Lines)}
}

// cut masks lines of a block, which may be lines of the middle of a secret that is known nowhere.
func (q *Quotes) cut(lines []string) []string {
	if len(lines) == 0 {
		return lines
	}
	return strings.Split(Fragment(strings.Join(q.Lines(lines), "\n")), "\n")
}
