package report

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
)

// patchShare is the part of the room that a patch may take, in percent.
const patchShare = 70

// fileChange is a file as it was and as the edits leave it: nil where there is none.
type FileChange struct {
	Path          string
	Before, After []byte
	// Executable says how a new file is made.
	Executable bool
}

// makePatch puts changes into one patch. A file whose change a page would not show letter by letter is left out.
func MakePatch(changes []FileChange) record.Patch {
	var p record.Patch
	var b strings.Builder
	for _, c := range changes {
		if why := c.unfit(); why != "" {
			p.LeftOut = append(p.LeftOut, retrieve.LeftOut{Path: c.Path, Why: why})
			continue
		}
		b.WriteString(c.diff())
	}
	p.Text = b.String()
	return p
}

// unfit says why a change cannot be copied from a page; empty when it can.
func (c FileChange) unfit() string {
	text := string(c.Before) + string(c.After)
	switch {
	case !utf8.ValidString(text) || strings.Contains(text, "\x00"):
		return "it is not text in UTF-8"
	case strings.Contains(text, "\r"):
		return "its lines end with carriage returns, which a comment does not keep"
	case secret.Redacted(c.text()) != c.text():
		return "it holds secrets"
	case markdown.Printable(c.text(), true) != c.text():
		return "it holds characters that cannot be seen"
	}
	return ""
}

// text is the body of the diff.
func (c FileChange) text() string {
	from, to := "a/"+c.Path, "b/"+c.Path
	if c.Before == nil {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	return udiff.Unified(quotedPath(from), quotedPath(to), string(c.Before), string(c.After))
}

func (c FileChange) diff() string {
	head := fmt.Sprintf("diff --git %s %s\n", quotedPath("a/"+c.Path), quotedPath("b/"+c.Path))
	switch {
	case c.Before != nil && c.After != nil && bytes.Equal(c.Before, c.After):
		return ""
	case c.Before == nil && c.Executable:
		head += "new file mode 100755\n"
	case c.Before == nil:
		head += "new file mode 100644\n"
	case c.After == nil:
		head += "deleted file mode 100644\n"
	}
	if len(c.Before)+len(c.After) == 0 {
		return head + "index 0000000..e69de29\n"
	}
	return head + c.text()
}

// quotedPath is a path as git writes it in a patch: in quotes where a character could be mistaken.
func quotedPath(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }) {
		return name
	}
	var b strings.Builder
	for _, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(rune(c)))
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}

// patchFold shows the patch, or says why not, and returns the room that is left.
func (r Summary) patchFold(room int) (string, int) {
	if r.Patch.Text == "" && len(r.Patch.LeftOut) == 0 {
		return "", room
	}
	var parts []string
	title := "All changes as a patch"
	if len(r.Patch.LeftOut) > 0 {
		title = "The other changes as a patch"
	}
	text := markdown.Fold(title, "Save it as `tenon.patch` in the repository and give `git apply tenon.patch`.\n\n"+markdown.Fenced("diff", r.Patch.Text))
	switch n := utf8.RuneCountInString(text); {
	case r.Patch.Text == "":
	case n <= room*patchShare/100:
		parts = append(parts, text)
	default:
		parts = append(parts, fmt.Sprintf("The patch of these changes has %s characters, more than fits here. Ask for less at once.", markdown.Thousands(utf8.RuneCountInString(r.Patch.Text))))
	}
	if list := r.Patch.LeftOut; len(list) > 0 {
		var b strings.Builder
		b.WriteString("Not in the patch:\n")
		for _, l := range list[:min(len(list), markdown.MaxListed)] {
			fmt.Fprintf(&b, "\n- %s: %s", markdown.Code(markdown.Clip(l.Path, markdown.MaxCell)), l.Why)
		}
		parts = append(parts, b.String()+andMore(len(list)))
	}
	text = markdown.JoinSections(parts)
	return text, room - utf8.RuneCountInString(text) - len("\n\n")
}
