package bot

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// contextFold tells, folded away, what the model was shown, of which files only a part, and what was left out.
func contextFold(q question) string {
	if len(q.Files)+len(q.LeftOut) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s</summary>\n", contextSummary(q))
	for _, f := range q.Files[:min(len(q.Files), maxListed)] {
		fmt.Fprintf(&b, "\n- %s%s: %s", codeSpan(clip(f.Path, maxCell)), f.partWords(), f.Why)
		if secrets := q.ReadOnly[f.Path]; secrets != "" {
			fmt.Fprintf(&b, "; shown without the secrets in it (%s), and not to be edited", secrets)
		}
	}
	b.WriteString(andMore(len(q.Files)))
	for _, l := range q.LeftOut[:min(len(q.LeftOut), maxListed)] {
		fmt.Fprintf(&b, "\n- %s: left out, %s", codeSpan(clip(l.Path, maxCell)), l.Why)
	}
	b.WriteString(andMore(len(q.LeftOut)))
	return b.String() + "\n\n</details>"
}

func contextSummary(q question) string {
	text := fmt.Sprintf("The model saw %d %s", len(q.Files), plural(len(q.Files), "file"))
	parts := 0
	for _, f := range q.Files {
		parts += min(len(f.Parts), 1)
	}
	if parts > 0 {
		text += fmt.Sprintf(", %d in part", parts)
	}
	if n := len(q.LeftOut); n > 0 {
		text += fmt.Sprintf("; %d %s left out", n, plural(n, "name"))
	}
	return text
}

// partWords says which lines of a file were shown; nothing when all were.
func (f shownFile) partWords() string {
	var parts []string
	for _, p := range f.Parts {
		parts = append(parts, fmt.Sprintf("%d–%d", p.From, p.To))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf(", lines %s of %d", strings.Join(parts, ", "), f.Lines)
}

// protects says what no edit of this run may touch: what policy protects, files whose secrets the model did not see, and
// pointers of Git LFS, whose text is not the file's.
func (q question) protects(tree engine.Tree) func(name string) bool {
	return func(name string) bool { return protectedPath(name) || q.ReadOnly[name] != "" || isPointer(tree, name) }
}

func isPointer(tree engine.Tree, name string) bool {
	data, err := tree.ReadFile(name)
	return err == nil && bytes.HasPrefix(data, lfsHead)
}

// explain gives the refusals that are no policy their own sentence.
func (q question) explain(tree engine.Tree, results []engine.Result) {
	for i, r := range results {
		if r.Reason != engine.ProtectedPath {
			continue
		}
		if secrets := q.ReadOnly[r.Path]; secrets != "" {
			results[i].Detail = fmt.Sprintf("The file holds secrets (%s), so the model saw it without them and must not edit it", secrets)
		} else if isPointer(tree, r.Path) {
			results[i].Detail = "The file is kept in Git LFS; the repository holds only a pointer to it"
		}
	}
}
