package resolution

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what a question shows beside the conflicts.
const (
	// contextLines is how many merged lines are shown above a conflict, and below it.
	contextLines = 8
	// maxContextLine is the longest line of context that is shown, in bytes.
	maxContextLine = 500
	// maxSubjects is how many commits of a branch are named.
	maxSubjects = 30
	// maxSubject is how much of a subject is shown, in bytes.
	maxSubject = 200
	// maxDiff is the largest diff of a file that is shown, in bytes. Of a larger one, the model sees the conflicts alone.
	maxDiff = 12_000
)

// question is what the model is asked at once.
type question struct {
	files     []File
	conflicts []choice.Conflict
	shown     prompts.ResolveInput
}

// shown returns the merge without the files of which nothing may be shown, and their conflicts that are not settled.
func (m Merge) shown(settled Settled, hidden func(path string) bool) (_ Merge, left []int) {
	var files []File
	for _, f := range m.Files {
		if !hidden(f.Path) {
			files = append(files, f)
			continue
		}
		for _, c := range settled.without(f.File) {
			left = append(left, c.ID)
		}
	}
	m.Files = files
	return m, left
}

// questions returns what to ask of the conflicts that are not settled, each question of about most bytes at most. The
// IDs are those of conflicts that are too large for that.
func (m Merge) questions(w *meter.Work, settled Settled, most int) (out []question, tooLarge []int) {
	p := packer{about: prompts.ResolveInput{Ours: m.Ours.shown(), Theirs: m.Theirs.shown()}, most: most}
	for _, f := range m.Files {
		open := settled.without(f.File)
		if len(open) == 0 {
			continue
		}
		around := contexts(f.File)
		file := prompts.ConflictFile{Path: f.Path, Ours: diff(w, f.Base, f.Ours), Theirs: diff(w, f.Base, f.Theirs)}
		for _, c := range open {
			if shown := showConflict(c, around[c.ID]); conflictSize(shown) > most {
				tooLarge = append(tooLarge, c.ID)
			} else {
				p.add(f, file, c, shown)
			}
		}
	}
	p.next()
	return p.out, tooLarge
}

// packer puts conflicts into questions, in order.
type packer struct {
	about prompts.ResolveInput
	most  int
	out   []question
	now   question
	size  int
}

// next ends a question.
func (p *packer) next() {
	if len(p.now.conflicts) > 0 {
		p.out = append(p.out, p.now)
	}
	p.now, p.size = question{}, 0
}

// add adds a conflict to the question, or to the next one if it is too much for this. The first one of a file shows
// what both sides changed in the file, unless that is too much.
func (p *packer) add(f File, file prompts.ConflictFile, c choice.Conflict, shown prompts.ShownConflict) {
	size := conflictSize(shown)
	if p.size+size+p.heading(file) > p.most {
		p.next()
	}
	heading := p.heading(file)
	if size+heading > p.most {
		file.Ours, file.Theirs = "", ""
		heading = p.heading(file)
	}
	if heading > 0 {
		p.now.files = append(p.now.files, f)
		p.now.shown.Files = append(p.now.shown.Files, file)
	}
	last := &p.now.shown.Files[len(p.now.shown.Files)-1]
	last.Conflicts = append(last.Conflicts, shown)
	p.now.shown.Ours, p.now.shown.Theirs = p.about.Ours, p.about.Theirs
	p.now.conflicts = append(p.now.conflicts, c)
	p.size += size + heading
}

// heading returns how many bytes it takes to show what was changed in a file; 0 if the question shows the file.
func (p *packer) heading(file prompts.ConflictFile) int {
	if shown := p.now.shown.Files; len(shown) > 0 && shown[len(shown)-1].Path == file.Path {
		return 0
	}
	return 1 + len(file.Path) + len(file.Ours) + len(file.Theirs)
}

// shown returns what is shown of a branch.
func (b Branch) shown() prompts.Branch {
	out := prompts.Branch{Name: clip(secret.Fragment(b.Name), maxSubject)}
	for _, s := range b.Subjects[:min(len(b.Subjects), maxSubjects)] {
		out.Subjects = append(out.Subjects, clip(secret.Fragment(s), maxSubject))
	}
	out.More = len(b.Subjects) - len(out.Subjects)
	return out
}

// diff returns what a side changed, without secrets; empty if it is too long.
func diff(w *meter.Work, base, side []byte) string {
	if w.UsedUp() {
		return ""
	}
	out := strings.TrimSuffix(text.Unified(w, secret.Redacted(string(base)), secret.Redacted(string(side))), "\n")
	if len(out) > maxDiff {
		return ""
	}
	return out
}

// surroundings are the merged lines next to a conflict.
type surroundings struct{ above, below []string }

// contexts returns what is next to each conflict of a file, by ID.
func contexts(f choice.File) map[int]surroundings {
	out := map[int]surroundings{}
	id := f.First
	for i, p := range f.Pieces {
		if p.Conflict == nil {
			continue
		}
		var c surroundings
		if i > 0 {
			lines := f.Pieces[i-1].Lines
			c.above = contextShown(lines[max(0, len(lines)-contextLines):])
		}
		if i+1 < len(f.Pieces) {
			lines := f.Pieces[i+1].Lines
			c.below = contextShown(lines[:min(len(lines), contextLines)])
		}
		out[id] = c
		id++
	}
	return out
}

func contextShown(lines []string) []string {
	out := shownLines(lines)
	for i, line := range out {
		out[i] = clip(line, maxContextLine)
	}
	return out
}

func showConflict(c choice.Conflict, around surroundings) prompts.ShownConflict {
	return prompts.ShownConflict{
		Name: choice.Name(c.ID), Above: around.above, Below: around.below,
		Base: shownLines(c.Sides.Base), Ours: shownLines(c.Sides.Ours), Theirs: shownLines(c.Sides.Theirs),
	}
}

// shownLines returns lines without their endings and without secrets. They are as many.
func shownLines(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(line, "\r\n")
	}
	return strings.Split(secret.Fragment(strings.Join(out, "\n")), "\n")
}

// conflictSize returns about how many bytes a conflict takes in a question.
func conflictSize(c prompts.ShownConflict) int {
	n := 100
	for _, lines := range [][]string{c.Above, c.Below, c.Base, c.Ours, c.Theirs} {
		for _, line := range lines {
			n += len(line) + 6
		}
	}
	return n
}

// clip returns a line, or the first bytes of it if it has more.
func clip(line string, most int) string {
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}
