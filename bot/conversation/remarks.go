package conversation

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// remarkLine is a line in which the model says what it did about a review thread.
var remarkLine = regexp.MustCompile(`^[\s>*_#-]*REMARK\s+#?([0-9]{1,3})[*_]*\s*:[*_]*\s*(.*?)[\s*_]*$`)

// remark is such a line of a reply.
type remark struct {
	// line is the reply's, from 1; thread the thread's number.
	line, thread int
	text         string
}

// remarksOf are those in a reply, in order: not what stands in a block, nor in what the model thought.
func remarksOf(text string, reply engine.Reply) (out []remark) {
	said := map[string]bool{}
	for line := range strings.Lines(reply.Prose) {
		said[strings.TrimSpace(line)] = true
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		m := remarkLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || !said[strings.TrimSpace(line)] || slices.ContainsFunc(reply.Blocks, func(b engine.Block) bool { return b.Line <= n && n <= b.EndLine }) {
			continue
		}
		thread, _ := strconv.Atoi(m[1])
		out = append(out, remark{n, thread, m[2]})
	}
	return out
}

// remarks are those of all replies, turn by turn.
func (t Conversation) remarks() [][]remark {
	out := make([][]remark, len(t.Turns))
	for i, turn := range t.Turns {
		out[i] = remarksOf(turn.Answer.Text, t.Replies[i])
	}
	return out
}

// remarked says that the model was asked to settle threads, and said something about one.
func (t Conversation) Remarked() bool {
	if len(t.Turns) == 0 || t.Turns[0].Kind != record.TurnAddress {
		return false
	}
	return slices.ContainsFunc(t.remarks(), func(r []remark) bool { return len(r) > 0 })
}

// withoutRemarks is a model's prose without what is said in threads.
func WithoutRemarks(prose string) string {
	lines := strings.Split(prose, "\n")
	return strings.Join(slices.DeleteFunc(lines, remarkLine.MatchString), "\n")
}

// addressed is what was done about a review thread.
type Addressed struct {
	record.ReviewThread
	// remark is what the model says of it, rows are its edits.
	Remark string
	Rows   []record.Result
}

// silent says that nothing was done or said about the thread.
func (a Addressed) Silent() bool { return a.Remark == "" && len(a.Rows) == 0 }

// addressedIn tells by thread what a conversation came to.
func AddressedThreads(q record.Prompt, t Conversation, rows []record.Result) []Addressed {
	if len(q.Reviews) == 0 {
		return nil
	}
	out := make([]Addressed, len(q.Reviews))
	for i, r := range q.Reviews {
		out[i].ReviewThread = r
	}
	all := t.remarks()
	for _, said := range all {
		for _, r := range said {
			if r.thread >= 1 && r.thread <= len(out) && r.text != "" {
				out[r.thread-1].Remark = r.text
			}
		}
	}
	for i, ref := range t.Plan() {
		if i == len(rows) {
			break
		}
		if n := cmp.Or(remarkedThread(q, t, all, ref), nearestThread(q, t.Replies[ref.Turn].Blocks[ref.Block].Path, rows[i])); n > 0 {
			out[n-1].Rows = append(out[n-1].Rows, rows[i])
		}
	}
	return out
}

// remarkedThread is the number of the thread that the last remark before an edit names, 0 where there is none. A correction without a
// remark is for the thread of what it corrects, an earlier edit of the file.
func remarkedThread(q record.Prompt, t Conversation, all [][]remark, at record.BlockRef) int {
	b := t.Replies[at.Turn].Blocks[at.Block]
	thread := 0
	for _, r := range all[at.Turn] {
		if r.line < b.Line && r.thread >= 1 && r.thread <= len(q.Reviews) {
			thread = r.thread
		}
	}
	for turn := at.Turn - 1; turn >= 0 && thread == 0; turn-- {
		i := slices.IndexFunc(t.Replies[turn].Blocks, func(o engine.Block) bool { return o.Path == b.Path })
		if i >= 0 {
			thread = remarkedThread(q, t, all, record.BlockRef{Turn: turn, Block: i})
		}
	}
	return thread
}

// nearestThread is the number of the thread nearest to an edit in its file, 0 where there is none.
func nearestThread(q record.Prompt, path string, r record.Result) int {
	thread, nearest := 0, 0
	for _, t := range q.Reviews {
		if t.Path != r.Path && t.Path != path {
			continue
		}
		if far := markdown.Distance(t.Line, r.Line); thread == 0 || far < nearest {
			thread, nearest = t.Number, far
		}
	}
	return thread
}
