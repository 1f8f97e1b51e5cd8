package conversation

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// ThreadOutcome is what the model said and changed for a review thread.
type ThreadOutcome struct {
	record.ReviewThread
	// Remark is what the model says about the thread, Results are those of the edits for it.
	Remark  string
	Results []record.Result
}

// Silent reports whether the model neither said nor changed anything for the thread.
func (o ThreadOutcome) Silent() bool { return o.Remark == "" && len(o.Results) == 0 }

// ThreadOutcomes returns the outcome of each review thread of a prompt; nil if it has none. results are those of the
// plan.
func ThreadOutcomes(p record.Prompt, c Conversation, results []record.Result) []ThreadOutcome {
	if len(p.Reviews) == 0 {
		return nil
	}
	out := make([]ThreadOutcome, len(p.Reviews))
	for i, r := range p.Reviews {
		out[i].ReviewThread = r
	}
	remarks := c.remarks()
	for _, r := range slices.Concat(remarks...) {
		if r.thread >= 1 && r.thread <= len(out) && r.text != "" {
			out[r.thread-1].Remark = r.text
		}
	}
	for i, ref := range c.Plan() {
		b, ok := c.block(ref)
		if i == len(results) || !ok {
			break
		}
		thread := cmp.Or(c.remarkedThread(len(out), remarks, ref), nearestThread(p.Reviews, b.Path, results[i]))
		if thread > 0 {
			out[thread-1].Results = append(out[thread-1].Results, results[i])
		}
	}
	return out
}

// remarkedThread returns the number, up to count, of the thread that the last remark before an edit names, or 0. A
// correction without a remark belongs to the thread of what it corrects: an earlier edit of its file.
func (c Conversation) remarkedThread(count int, remarks [][]remark, ref record.BlockRef) int {
	b, _ := c.block(ref)
	thread := 0
	before, _ := slices.BinarySearchFunc(remarks[ref.Turn], b.Line, func(r remark, line int) int { return r.line - line })
	for _, r := range slices.Backward(remarks[ref.Turn][:before]) {
		if r.thread >= 1 && r.thread <= count {
			thread = r.thread
			break
		}
	}
	for turn := ref.Turn - 1; turn >= 0 && thread == 0; turn-- {
		i := slices.IndexFunc(c.Replies[turn].Blocks, func(o engine.Block) bool { return o.Path == b.Path })
		if i >= 0 {
			thread = c.remarkedThread(count, remarks, record.BlockRef{Turn: turn, Block: i})
		}
	}
	return thread
}

// nearestThread returns the number of the thread nearest to an edit in its file, or 0. path is that of the block.
func nearestThread(threads []record.ReviewThread, path string, r record.Result) int {
	nearest, least := 0, 0
	for i, t := range threads {
		if t.Path != r.Path && t.Path != path {
			continue
		}
		if d := max(t.Line-r.Line, r.Line-t.Line); nearest == 0 || d < least {
			nearest, least = i+1, d
		}
	}
	return nearest
}

// remark is a line such as "REMARK 2: It is checked now.", by which the model says what it did about a review thread.
type remark struct {
	// line is the line in the reply, from 1; thread is the number of the thread.
	line, thread int
	text         string
}

var remarkLine = regexp.MustCompile(`^[\s>*_#-]*REMARK\s+#?([0-9]{1,3})[*_]*\s*:[*_]*\s*(.*?)[\s*_]*$`)

// maxRemarks bounds the remarks that are read of one reply: some for each of the threads that a prompt may have.
const maxRemarks = 1000

// HasRemarks reports whether the model was asked to address review threads, and said something about one.
func (c Conversation) HasRemarks() bool {
	if len(c.Turns) == 0 || c.Turns[0].Kind != record.TurnAddress {
		return false
	}
	return slices.ContainsFunc(c.remarks(), func(r []remark) bool { return len(r) > 0 })
}

// remarks returns the remarks of each turn.
func (c Conversation) remarks() [][]remark {
	out := make([][]remark, len(c.Turns))
	for i, turn := range c.Turns {
		out[i] = remarksIn(turn.Answer.Text, c.Replies[i])
	}
	return out
}

// remarksIn returns the remarks of a reply, in order. Lines in a block, or in the model's thoughts before its answer,
// do not count.
func remarksIn(text string, reply engine.Reply) (out []remark) {
	prose := map[string]bool{}
	for line := range strings.Lines(reply.Prose) {
		prose[strings.TrimSpace(line)] = true
	}
	n, blocks := 0, reply.Blocks // which are in the order of their lines
	for line := range strings.Lines(text) {
		n++
		for len(blocks) > 0 && blocks[0].EndLine < n {
			blocks = blocks[1:]
		}
		m := remarkLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || !prose[strings.TrimSpace(line)] || len(blocks) > 0 && blocks[0].Line <= n || len(out) == maxRemarks {
			continue
		}
		thread, _ := strconv.Atoi(m[1])
		out = append(out, remark{n, thread, secret.Redacted(m[2])})
	}
	return out
}
