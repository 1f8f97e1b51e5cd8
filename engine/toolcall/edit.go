package toolcall

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// maxEdits bounds the blocks of a text. Nobody could review more.
const maxEdits = 1000

// reader collects the blocks of calls.
type reader struct {
	format block.Format
	quote  string // is how errors write the name of an argument, as for fmt
	blocks []block.Block
}

// result returns the blocks, or err without any.
func (r *reader) result(err error) ([]block.Block, error) {
	if err != nil {
		return nil, err
	}
	return r.blocks, nil
}

func (r *reader) isXML() bool { return r.format == block.FormatXML }

// missing returns the error that an argument is missing, or is not a text.
func (r *reader) missing(o arguments, key string) error {
	name := fmt.Sprintf(r.quote, key)
	if _, isText := o.values[key].(string); o.has(key) && !isText && key != "path" {
		return errors.New(name + " is not a string")
	}
	return errors.New("no " + name)
}

// edit reads the arguments of a call of a tool, whose name is "" if it is unknown.
func (r *reader) edit(o arguments, tool string) (ok bool, err error) {
	k := kindOf(tool)
	if command, _ := o.values["command"].(string); command == "create" {
		k = writing
	} else if c := kindOf(command); c != unknown {
		k = c
	}
	file, pathErr := o.path("")
	list, isList := o.edits()
	switch {
	case k == viewing:
		return false, nil
	case k == inserting:
		return errorIf(r.isXML() || file != "" && o.has("insert_line", "line"),
			"inserts at a line number, which is not read: replace a text beside it instead")
	case o.hasPatch():
		return true, errors.New("has a patch as a JSON string, which is not read: write the patch itself")
	case k == writing && (r.isXML() || o.has(contentNames...)):
		ok, err = r.whole(o, tool, file)
	case len(list) > 0:
		ok, err = r.edits(list, k, file)
	case o.has("edits") && !isList && (r.isXML() || k == replacing && file != ""):
		return true, fmt.Errorf(r.quote+" is not a JSON list", "edits")
	default:
		ok, err = r.pair(o, k, file)
	}
	return o.checked(ok, cmp.Or(pathErr, err))
}

// edits reads a list of edits of a file, or of the files that they name.
func (r *reader) edits(list []json.RawMessage, k kind, file string) (ok bool, err error) {
	other := 0
	for i, raw := range list {
		if raw[0] != '{' {
			other = i + 1
			continue
		}
		o := members(raw)
		own, err := o.path(file)
		isEdit, pairErr := r.pair(o, k, own)
		if isEdit, err = o.checked(isEdit, cmp.Or(err, pairErr)); err != nil {
			return true, fmt.Errorf("edit %d: %w", i+1, err)
		}
		if ok = ok || isEdit; !isEdit {
			other = i + 1
		}
	}
	if other > 0 && (ok || r.isXML()) {
		return true, fmt.Errorf("edit %d: no text to find", other)
	}
	return ok, nil
}

// pair reads a text to find and its replacement.
func (r *reader) pair(o arguments, k kind, file string) (ok bool, err error) {
	names, err := r.names(o, k, file)
	if err != nil || names == nil {
		return err != nil, err
	}
	old, hasOld := o.values[names.old].(string)
	now, hasNew := o.values[names.now].(string)
	switch {
	case file == "" && (r.isXML() || k != unknown || hasOld && hasNew):
		return true, r.missing(o, "path")
	case file == "":
		return false, nil
	case !hasOld || old == "" && names.old == "search":
		return true, r.missing(o, names.old)
	case !hasNew:
		return true, r.missing(o, names.now)
	case o.flag("use_regex", "useRegex", "is_regex", "regex"):
		return true, errors.New("has a regular expression, which is not read: write the text itself")
	case o.flag("ignore_case", "ignoreCase"):
		return true, errors.New("ignores the case of letters, which is not read: write the text as it is in the file")
	case old == "":
		return true, r.add(block.Block{Path: file, Create: true, Replace: linesOf(now)})
	}
	b := block.Block{Path: file, Within: true, Find: split(old), Replace: split(now)}
	b.All = o.flag("replace_all", "replaceAll", "allow_multiple")
	if from, to := o.number("start_line"), o.number("end_line"); k == replacingAll {
		b.All = from == 0 && to == 0
		if from == to {
			b.At = from
		}
	}
	return true, r.add(b)
}

// names returns the names under which o has a text to find or its replacement, or nil if it has neither.
func (r *reader) names(o arguments, k kind, file string) (names *pair, err error) {
	for i, p := range pairs {
		old, hasOld := o.values[p.old].(string)
		_, hasNew := o.values[p.now].(string)
		isUsual := p.old != "search" || r.isXML() || k == replacingAll ||
			hasOld && hasNew && old != "" && (k != unknown || looksLikePath(file))
		switch {
		case !hasOld && !hasNew, !isUsual:
		case names != nil:
			return nil, fmt.Errorf("both %q and %q", names.old, p.old)
		default:
			names = &pairs[i]
		}
	}
	if names == nil && r.isXML() {
		usual := pairs[0].old
		if k == replacingAll {
			usual = "search"
		}
		return nil, r.missing(o, usual)
	}
	return names, nil
}

// looksLikePath reports whether the value of a member such as "file" is not one of other data, such as "File" or
// "Open file...".
func looksLikePath(s string) bool {
	return strings.ContainsAny(s, "./") && !strings.ContainsAny(s, " …") && !strings.HasSuffix(s, ".")
}

// whole reads the content of a file.
func (r *reader) whole(o arguments, tool, file string) (ok bool, err error) {
	key, content, err := o.text(contentNames...)
	switch {
	case file == "":
		return errorIf(r.isXML() || key != "" && strings.Contains(tool, "file"), r.missing(o, "path").Error())
	case err != nil:
		return true, err
	case key == "":
		return errorIf(r.isXML() || tool != "", r.missing(o, "content").Error())
	}
	lines := linesOf(content)
	if ext := strings.ToLower(path.Ext(file)); r.isXML() && ext != ".md" && ext != ".markdown" && ext != ".mdx" {
		lines = unfenced(lines)
	}
	return true, r.add(block.Block{Path: file, Whole: true, Replace: lines})
}

// add adds a block, and sets what follows from the other fields.
func (r *reader) add(b block.Block) error {
	if len(r.blocks) == maxEdits {
		return errors.New("more than " + strconv.Itoa(maxEdits) + " edits")
	}
	b.Format, b.Candidates = r.format, []string{b.Path}
	same := text.CommonPrefix(b.Find, b.Replace)
	b.Anchor, b.Old, b.New = b.Find[:same:same], b.Find[same:], b.Replace[same:]
	r.blocks = append(r.blocks, b)
	return nil
}

// linesOf returns the lines of a file.
func linesOf(content string) []string {
	if content == "" {
		return nil
	}
	return split(strings.TrimSuffix(content, "\n"))
}

// split returns what is between the line endings of a text.
func split(s string) []string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return slices.Clip(lines)
}

// errorIf returns an error about an edit, or that it is none.
func errorIf(isEdit bool, text string) (ok bool, err error) {
	if isEdit {
		return true, errors.New(text)
	}
	return false, nil
}

// unfenced returns lines without the code fence around all of them, if there is one.
func unfenced(lines []string) []string {
	const fence = "```"
	last := len(lines) - 1
	if last < 1 || !strings.HasPrefix(lines[0], fence) || text.TrimTrailing(lines[last]) != fence {
		return lines
	}
	for _, line := range lines[1:last] {
		if strings.HasPrefix(line, fence) {
			return lines
		}
	}
	return lines[1:last:last]
}
