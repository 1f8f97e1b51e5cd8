package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine/text"
)

// patchShare is the part of the room that a patch may take, in percent.
const patchShare = 70

// FileChange is a file before and after edits; nil is no file.
type FileChange struct {
	Path          string
	Before, After []byte
	// Executable reports that a new file is executable, Secret that its name, or that of the file that it was, says that
	// it contains secrets.
	Executable, Secret bool
	// Blobs are the names of git's objects before and after, and Mode is git's mode. The patch names them if index says
	// so.
	Blobs [2]string
	Mode  string
	index bool
}

// MakePatch puts changes into one patch for `git apply`. It leaves out files of which people could not copy every
// character from a page.
func MakePatch(changes []FileChange) record.Patch {
	var p record.Patch
	var b strings.Builder
	for _, c := range changes {
		if why := c.unfit(); why != "" {
			p.LeftOut = append(p.LeftOut, retrieve.LeftOut{Path: secret.Path(c.Path), Why: why})
			continue
		}
		b.WriteString(c.patch())
	}
	p.Text = b.String()
	return p
}

// MakeMergePatch is MakePatch for files that have changed since: `git apply --3way` finds the versions by the names of
// their objects, and merges.
func MakeMergePatch(changes []FileChange) record.Patch {
	named := slices.Clone(changes)
	for i := range named {
		named[i].index = named[i].Before != nil && named[i].After != nil && named[i].Blobs[0] != ""
	}
	return MakePatch(named)
}

// unfit says why a change cannot be copied from a page; empty if it can.
func (c FileChange) unfit() string {
	switch text := string(c.Before) + string(c.After); {
	case !utf8.ValidString(text) || strings.Contains(text, "\x00"):
		return "it is not text in UTF-8"
	case strings.Contains(text, "\r"):
		return "its lines end with carriage returns, which a comment does not keep"
	}
	if c.Secret || secret.Mask(string(c.Before)).Hides() || secret.Mask(string(c.After)).Hides() {
		return "it contains secrets"
	}
	switch diff := c.diff(); {
	case markdown.Printable(diff, true) != diff:
		return "it has invisible characters"
	}
	return ""
}

// patch returns the diff with git's header.
func (c FileChange) patch() string {
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
	if c.index {
		head += fmt.Sprintf("index %s..%s %s\n", c.Blobs[0], c.Blobs[1], c.Mode)
	}
	if len(c.Before)+len(c.After) == 0 {
		return head + "index 0000000..e69de29\n"
	}
	return head + c.diff()
}

// diff returns the change as a unified diff.
func (c FileChange) diff() string {
	from, to := "a/"+c.Path, "b/"+c.Path
	if c.Before == nil {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	hunks := text.Unified(nil, string(c.Before), string(c.After))
	if hunks == "" {
		return ""
	}
	return fmt.Sprintf("--- %s\n+++ %s\n%s", quotedPath(from), quotedPath(to), hunks)
}

// quotedPath returns a path as git writes it in a patch: in quotes if it has characters that could be mistaken.
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

// patchFold shows the patch, or says why not. It returns the room that is left.
func (r Summary) patchFold(room int) (string, int) {
	patch, room := foldOf(r.Patch, "All changes as a patch", "The other changes as a patch",
		"Save it as `tenon.patch` in the repository, and run `git apply tenon.patch`.", room)
	conflicts, room := foldOf(r.Conflicts, "The edits that conflict, as a patch", "Other edits that conflict, as a patch",
		"Save it as `tenon.patch` in the repository, and run `git apply --3way tenon.patch`: git marks in the files what to "+
			"decide.", room)
	return markdown.JoinSections([]string{patch, conflicts}), room
}

// foldOf shows a patch, or says why not. title is that of all changes, some that of those which a patch can carry; use
// says what people do with it. It returns the room that is left.
func foldOf(p record.Patch, title, some, use string, room int) (string, int) {
	if p.Text == "" && len(p.LeftOut) == 0 {
		return "", room
	}
	var parts []string
	if len(p.LeftOut) > 0 {
		title = some
	}
	text := markdown.Fold(title, use+"\n\n"+markdown.Fenced("diff", p.Text))
	switch n := utf8.RuneCountInString(text); {
	case p.Text == "":
	case n <= room*patchShare/100:
		parts = append(parts, text)
	default:
		parts = append(parts, fmt.Sprintf("The patch of these changes has %s characters, more than fits here. "+
			"Ask for less at a time.", humanize.Comma(int64(utf8.RuneCountInString(p.Text)))))
	}
	if list := p.LeftOut; len(list) > 0 {
		var b strings.Builder
		b.WriteString("Not in the patch:\n")
		for _, l := range list[:min(len(list), markdown.MaxListed)] {
			fmt.Fprintf(&b, "\n- %s: %s", markdown.Code(markdown.Clip(l.Path, markdown.MaxCell)), l.Why)
		}
		parts = append(parts, b.String()+andMore(len(list), markdown.MaxListed))
	}
	text = markdown.JoinSections(parts)
	return text, room - size(text)
}
