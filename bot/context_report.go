package bot

import (
	"fmt"
	"path"
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
	return fmt.Sprintf(", lines %s of %s", strings.Join(parts, ", "), thousands(f.Lines))
}

// protects says what no edit of this run may touch: what policy protects or hides, and files whose secrets the model did not see.
func (q question) protects(p Policy, tree engine.Tree) func(name string) bool {
	return func(name string) bool {
		return p.protects(name) || q.ReadOnly[name] != "" || isSecret(tree, name) || p.keepsBack(tree, name)
	}
}

// keepsBack says that there is a file that the settings hide: a failed edit of it would tell what it holds.
func (p Policy) keepsBack(tree engine.Tree, name string) bool {
	return fitsGlob(p.Ignore, name) && stands(tree, name)
}

// isSecret says that there is a file whose name keeps it from the model. A new one may be made: an example of it, say.
func isSecret(tree engine.Tree, name string) bool {
	return secretName(strings.ToLower(path.Base(name))) && stands(tree, name)
}

func stands(tree engine.Tree, name string) bool {
	kind, err := tree.Kind(name)
	return err != nil || kind != engine.Absent
}

// explain gives the refusals that are no policy their own sentence.
func (q question) explain(p Policy, tree engine.Tree, results []engine.Result) {
	for i, r := range results {
		if r.Reason != engine.ProtectedPath {
			continue
		}
		if secrets := q.ReadOnly[r.Path]; secrets != "" {
			results[i].Detail = fmt.Sprintf("The file holds secrets (%s), so the model saw it without them and must not edit it", secrets)
		} else if isSecret(tree, r.Path) {
			results[i].Detail = "The file's name says that it holds secrets, so the model does not see it and must not edit it"
		} else if p.keepsBack(tree, r.Path) {
			results[i].Detail = "The settings keep the file from the model, so it must not edit it"
		} else if fitsGlob(p.Protected, r.Path) {
			results[i].Detail = "The settings protect this path"
		}
	}
}

// redactResults takes secrets out of what the results quote of files: it goes into the answer, and back to the model.
func redactResults(results []engine.Result) {
	for i, r := range results {
		results[i].Detail = redacted(r.Detail)
		if r.ClosestMatch != nil {
			lines := strings.Split(redacted(strings.Join(r.ClosestMatch.Lines, "\n")), "\n")
			results[i].ClosestMatch = &engine.Excerpt{Line: r.ClosestMatch.Line, Lines: lines}
		}
		if r.Difference != nil {
			d := *r.Difference
			d.Want, d.Have = redacted(d.Want), redacted(d.Have)
			results[i].Difference = &d
		}
	}
}
