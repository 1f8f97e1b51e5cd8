package toolcall

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
)

// maxDepth bounds how many calls and lists may be nested.
const maxDepth = 6

// JSON reads a JSON text: an edit, a list of edits, or a call of a tool that has such as its input. ok is false if it
// is other JSON, which is no error. An error says what is missing, such as `no "new_string"`. JSON is safe for
// concurrent use.
func JSON(text string) (blocks []block.Block, ok bool, err error) {
	r := reader{format: block.FormatJSON, quote: "%q"}
	ok, err = r.text(text, "", 0)
	blocks, err = r.result(err)
	return blocks, ok, err
}

// text reads a JSON text.
func (r *reader) text(s, tool string, depth int) (ok bool, err error) {
	s = strings.TrimSpace(s)
	if s == "" || s[0] != '{' && s[0] != '[' {
		return false, nil
	}
	raw, valid := validJSON(s)
	if valid {
		return r.value(raw, tool, depth)
	}
	if json.NewDecoder(strings.NewReader(s)).Decode(&raw) == nil {
		return false, nil // other text follows
	}
	return errorIf(looksLikeEdit(s), "not valid JSON")
}

// value reads valid JSON.
func (r *reader) value(raw json.RawMessage, tool string, depth int) (ok bool, err error) {
	switch {
	case raw[0] != '{' && raw[0] != '[':
		return false, nil
	case depth > maxDepth:
		return errorIf(looksLikeEdit(string(raw)), "calls nested too deeply")
	case raw[0] == '{':
		return r.object(members(raw), tool, depth)
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return false, nil
	}
	unread := false
	for _, element := range list {
		isEdit, err := r.value(element, tool, depth+1)
		if err != nil {
			return true, err
		}
		ok, unread = ok || isEdit, unread || !isEdit && namesFile(element)
	}
	if ok && unread {
		return true, errors.New("an item of the list that is no edit")
	}
	return ok, nil
}

// namesFile reports whether JSON is an object with a path.
func namesFile(raw json.RawMessage) bool {
	if raw[0] != '{' {
		return false
	}
	_, path, _ := members(raw).text(pathNames...)
	return path != ""
}

// object reads an object: a message with calls, a call, or an edit.
func (r *reader) object(o arguments, tool string, depth int) (ok bool, err error) {
	for _, key := range []string{"tool_calls", "function"} {
		if raw, is := o.values[key].(json.RawMessage); is {
			if ok, err = r.value(raw, "", depth+1); ok {
				return o.checked(ok, err)
			}
		}
	}
	_, name, _ := o.text("name", "tool", "tool_name", "function")
	_, of, _ := o.text("type")
	if of = cmp.Or(name, of); of != "" {
		for _, key := range []string{"arguments", "input", "parameters", "args"} {
			switch input := o.values[key].(type) {
			case string:
				ok, err = r.text(input, of, depth+1)
			case json.RawMessage:
				ok, err = r.value(input, of, depth+1)
			}
			if ok {
				return o.checked(ok, err)
			}
		}
	}
	return r.edit(o, cmp.Or(name, tool))
}

// looksLikeEdit reports whether JSON that is not read has the names of an edit.
func looksLikeEdit(s string) bool {
	return strings.Contains(s, `"old_str`) && strings.Contains(s, `"new_str`)
}
