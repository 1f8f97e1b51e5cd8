package reply

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// maxSplits bounds the lines that may be the divider of a block. Nobody could review an edit with more.
const maxSplits = 32

// fill sets the halves of the block. If it cannot, it returns the kind of the
// problem and its description.
func (r *blockReader) fill(b *block.Block) (problem block.ProblemKind, description string) {
	head, end := r.tokens[r.i], r.tokens[r.j]
	body := dedent(r.lines[head.line:end.line], r.lines[end.line])
	switch head.kind {
	case newHead:
		b.Format, b.Create = block.FormatSection, true
		b.Replace = body[1:len(body):len(body)]
		b.New = b.Replace
		return "", ""
	case editHead:
		stage, at := stageStart, [stageTail + 1]int{}
		r.eachToken(func(_ int, t token) {
			if next := nextStage(stage, t.kind); next != stage {
				stage, at[next] = next, t.line-head.line
			}
		})
		if stage >= stageOld {
			return fillAnchored(b, body, stage, at)
		}
		b.Format = block.FormatV3
		r.findDividers(replDivider)
		return r.splitHalves(b, body, head, "(═══════ REPL)")
	default:
		r.findDividers(divider)
		if len(r.dividers) == 0 {
			r.findOwnDivider()
		}
		r.preferRunLength(head.run)
		problem, description = r.splitHalves(b, body, head, "(=======)")
		withoutNumbers(b, r.inCall)
		return problem, description
	}
}

// withoutNumbers cuts the lines that Roo Code has at the start of the lines to find: :start_line:12, perhaps
// :end_line:20, and a line of hyphens. The first is where they are in the file. inCall is set if the block is in a call
// of a tool.
func withoutNumbers(b *block.Block, inCall bool) {
	n := 0
	for ; n < len(b.Find) && strings.HasPrefix(b.Find[n], ":"); n++ {
		key, value, _ := strings.Cut(strings.TrimSpace(b.Find[n][1:]), ":")
		line, err := strconv.Atoi(strings.TrimSpace(value))
		switch {
		case err != nil || key != "start_line" && key != "end_line":
			return
		case key == "start_line":
			b.At = max(line, 0)
		}
	}
	if n == 0 && !inCall || n == len(b.Find) || len(b.Splits) > 0 ||
		!strings.HasPrefix(b.Find[n], "---") || strings.Trim(b.Find[n], "- ") != "" {
		return
	}
	block.SetHalves(b, b.Find[n+1:], b.Replace)
	b.Create = text.AllBlank(b.Find)
}

// dedent removes the indentation of the head from all lines of a block, if they have it, as in a list item.
func dedent(lines []string, end string) []string {
	first := lines[0]
	prefix := text.IndentOf(first)
	if prefix == "" || !strings.HasPrefix(end, prefix) {
		return lines
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, prefix) && !text.IsBlank(line) {
			return lines
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		if strings.HasPrefix(line, prefix) {
			out[i] = line[len(prefix):]
		}
	}
	return out
}

// eachToken calls f for the tokens between i and j that are not inside a complete block or a merge conflict.
func (r *blockReader) eachToken(f func(int, token)) {
	for k := r.i + 1; k < r.j; k++ {
		t := r.tokens[k]
		if t.closedBy != 0 {
			k = t.closedBy
			continue
		}
		f(k, t)
	}
}

// findDividers sets dividers to the tokens that may be the divider.
func (r *blockReader) findDividers(k markerKind) {
	r.dividers = r.dividers[:0]
	r.eachToken(func(at int, t token) {
		if t.kind == k {
			r.dividers = append(r.dividers, at)
		}
	})
}

// findOwnDivider sets dividers to the dividers as long as the head, between markers of another length that pair up
// across them: those are content, even if one half has the head and the other the end.
func (r *blockReader) findOwnDivider() {
	run := r.tokens[r.i].run
	for k := r.i + 1; k < r.j; k++ {
		switch t := r.tokens[k]; {
		case t.closedBy != 0 && t.run == run:
			k = t.closedBy
		case t.kind == divider && t.run == run:
			r.dividers = append(r.dividers, k)
		}
	}
}

// preferRunLength reduces dividers: the only one as long as the head is the divider, and one longer than models
// write is an underline if there are others.
func (r *blockReader) preferRunLength(run int) {
	if len(r.dividers) < 2 {
		return
	}
	isOther := func(at int) bool { return r.tokens[at].run != run }
	isLong := func(at int) bool { return isOther(at) && r.tokens[at].run > maxDivider }
	if own := slices.DeleteFunc(slices.Clone(r.dividers), isOther); len(own) == 1 {
		r.dividers = own
	} else if usual := slices.DeleteFunc(slices.Clone(r.dividers), isLong); len(usual) > 0 {
		r.dividers = usual
	}
}

// splitHalves splits body, which begins with the head, at dividers.
func (r *blockReader) splitHalves(
	b *block.Block, body []string, head token, want string,
) (problem block.ProblemKind, description string) {
	n := len(r.dividers)
	if n == 0 {
		return block.ProblemNoDivider, "no divider " + want
	}
	if n > maxSplits {
		return block.ProblemManyDividers, "too many lines that could be its divider " + want
	}
	to, mid := len(body), n/2
	switch second, certain := r.isSecondDivider(body, head); {
	case !certain:
		return block.ProblemManyDividers, "a line before its end marker that may be a second divider or a heading's underline"
	case second:
		to, mid = to-1, (n-1)/2
	}
	split := func(at int) block.Split {
		d := r.tokens[at].line - head.line
		end := max(to, d+1)
		return block.Split{Find: body[1:d:d], Replace: body[d+1 : end : end]}
	}
	// The halves mostly have about the same length, so the divider in the middle is the likeliest.
	likely := split(r.dividers[mid])
	b.Find, b.Replace = likely.Find, likely.Replace
	if n > 1 {
		b.Splits = make([]block.Split, n)
		for s, at := range r.dividers {
			b.Splits[s] = split(at)
		}
	}
	b.Create = text.AllBlank(b.Find)
	same := text.CommonPrefix(b.Find, b.Replace)
	b.Anchor, b.Old, b.New = b.Find[:same:same], b.Find[same:], b.Replace[same:]
	return "", ""
}

// fillAnchored sets the halves of an anchored block, whose separators are the lines at of body.
func fillAnchored(b *block.Block, body []string, stage int, at [stageTail + 1]int) (block.ProblemKind, string) {
	b.Format = block.FormatAnchored
	switch stage {
	case stageOld:
		return block.ProblemNoDivider, "no divider (═══════)"
	case stageNew:
		return block.ProblemNoDivider, "no second separator (───────)"
	}
	old, now, tail := at[stageOld], at[stageNew], at[stageTail]
	b.Anchor, b.Old = body[1:old:old], body[old+1:now:now]
	b.New, b.Tail = body[now+1:tail:tail], body[tail+1:len(body):len(body)]
	b.Find = slices.Concat(b.Anchor, b.Old, b.Tail)
	b.Replace = slices.Concat(b.Anchor, b.New, b.Tail)
	b.Create = text.AllBlank(b.Find)
	return "", ""
}
