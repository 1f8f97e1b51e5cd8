package bot

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

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
func (t talk) remarks() [][]remark {
	out := make([][]remark, len(t.turns))
	for i, turn := range t.turns {
		out[i] = remarksOf(turn.Answer.Text, t.replies[i])
	}
	return out
}

// remarked says that the model was asked to settle threads, and said something about one.
func (t talk) remarked() bool {
	if len(t.turns) == 0 || t.turns[0].Kind != turnAddress {
		return false
	}
	return slices.ContainsFunc(t.remarks(), func(r []remark) bool { return len(r) > 0 })
}

// withoutRemarks is a model's prose without what is said in threads.
func withoutRemarks(prose string) string {
	lines := strings.Split(prose, "\n")
	return strings.Join(slices.DeleteFunc(lines, remarkLine.MatchString), "\n")
}

// addressed is what was done about a review thread.
type addressed struct {
	reviewThread
	// remark is what the model says of it, rows are its edits.
	remark string
	rows   []row
}

// silent says that nothing was done or said about the thread.
func (a addressed) silent() bool { return a.remark == "" && len(a.rows) == 0 }

// addressedIn tells by thread what a conversation came to.
func addressedIn(q question, t talk, rows []row) []addressed {
	if len(q.Reviews) == 0 {
		return nil
	}
	out := make([]addressed, len(q.Reviews))
	for i, r := range q.Reviews {
		out[i].reviewThread = r
	}
	all := t.remarks()
	for _, said := range all {
		for _, r := range said {
			if r.thread >= 1 && r.thread <= len(out) && r.text != "" {
				out[r.thread-1].remark = r.text
			}
		}
	}
	for i, ref := range t.plan() {
		if i == len(rows) {
			break
		}
		if n := cmp.Or(remarkedThread(q, t, all, ref), nearestThread(q, t.replies[ref.Turn].Blocks[ref.Block].Path, rows[i])); n > 0 {
			out[n-1].rows = append(out[n-1].rows, rows[i])
		}
	}
	return out
}

// remarkedThread is the number of the thread that the last remark before an edit names, 0 where there is none. A correction without a
// remark is for the thread of what it corrects, an earlier edit of the file.
func remarkedThread(q question, t talk, all [][]remark, at ref) int {
	b := t.replies[at.Turn].Blocks[at.Block]
	thread := 0
	for _, r := range all[at.Turn] {
		if r.line < b.Line && r.thread >= 1 && r.thread <= len(q.Reviews) {
			thread = r.thread
		}
	}
	for turn := at.Turn - 1; turn >= 0 && thread == 0; turn-- {
		i := slices.IndexFunc(t.replies[turn].Blocks, func(o engine.Block) bool { return o.Path == b.Path })
		if i >= 0 {
			thread = remarkedThread(q, t, all, ref{turn, i})
		}
	}
	return thread
}

// nearestThread is the number of the thread nearest to an edit in its file, 0 where there is none.
func nearestThread(q question, path string, r row) int {
	thread, nearest := 0, 0
	for _, t := range q.Reviews {
		if t.Path != r.Path && t.Path != path {
			continue
		}
		if far := distance(t.Line, r.Line); thread == 0 || far < nearest {
			thread, nearest = t.Number, far
		}
	}
	return thread
}
