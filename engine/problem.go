package engine

import (
	"fmt"
	"strconv"
)

// markerCounts counts the markers outside complete blocks' content, for the problems that concern the whole reply.
type markerCounts struct {
	heads, ends [conflictEnd + 1]int
	complete        [conflictHead]int // complete blocks by head
	lastEnd     int               // line of the last complete block's end
	unclosed    []int             // lines of heads without an end
}

func (c *markerCounts) addHead(k markerKind) { c.heads[k]++ }

func (c *markerCounts) addEnd(k markerKind) {
	if k == bareEnd {
		k = editEnd
	}
	c.ends[k]++
}

// maxProblems bounds the problems that name a line; the sums at the end count the others.
const maxProblems = 100

func (p *parser) addProblem(line int, kind ProblemKind, text string) {
	if line > 0 && kind != ProblemCutOff && len(p.reply.Problems) >= maxProblems {
		return
	}
	p.reply.Problems = append(p.reply.Problems, Problem{Line: line, Severity: SeverityError, Kind: kind, Text: text})
}

// summarise adds the problems that are known only at the reply's end.
func (p *parser) addSummary() {
	c := &p.counts
	for i, line := range c.unclosed {
		if i == len(c.unclosed)-1 && line > c.lastEnd {
			p.addProblem(line, ProblemCutOff, "Reply was cut off inside the block at line "+strconv.Itoa(line))
		} else {
			p.addProblem(line, ProblemUnclosed, "Block at line "+strconv.Itoa(line)+" has no end marker")
		}
	}
	if p.thinking.closeTag != "" {
		p.addProblem(p.thinking.line, ProblemCutOff, "Reply was cut off inside its "+p.thinking.closeTag[2:len(p.thinking.closeTag)-1]+" section")
	}
	p.mismatch(searchHead, searchEnd, "SEARCH", "REPLACE")
	p.mismatch(newHead, newEnd, "NEW_FILE", "NEW_FILE end")
	p.mismatch(editHead, editEnd, "EDIT", "EDIT END")
	if n := c.heads[searchHead]; n == c.ends[searchEnd] && c.complete[searchHead] < n {
		p.reply.Problems = append(p.reply.Problems, Problem{Severity: SeverityWarning, Kind: ProblemNoDivider, Text: fmt.Sprintf(
			"Some SEARCH/REPLACE blocks may be missing the separator (=======). %d complete blocks found out of %d expected.",
			c.complete[searchHead], n)})
	}
	if len(p.reply.Blocks) == 0 && c.anyMarker() {
		p.addProblem(0, ProblemNoBlock, "No valid edit block in the reply")
	}
}

func (p *parser) mismatch(head, end markerKind, headName, endName string) {
	h, e := p.counts.heads[head], p.counts.ends[end]
	if h != e {
		p.addProblem(0, ProblemMismatch, fmt.Sprintf("Mismatched %s/%s: %d %s vs %d %s", headName, endName, h, headName, e, endName))
	}
}

func (c *markerCounts) anyMarker() bool {
	return c.heads != [conflictEnd + 1]int{} || c.ends != [conflictEnd + 1]int{}
}
