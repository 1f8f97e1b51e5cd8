package toolcall

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// kind is what a tool does.
type kind int

const (
	unknown kind = iota
	replacing
	replacingAll // at all places, unless it has line numbers
	writing
	inserting
	viewing
)

// kindOf returns the kind of the tool or command with a name, which may have that of a server or namespace before it.
func kindOf(tool string) kind {
	tool = tool[strings.LastIndexAny(tool, ".:/")+1:]
	if i := strings.LastIndex(tool, "__"); i >= 0 {
		tool = tool[i+2:]
	}
	switch strings.ToLower(tool) {
	case "edit", "multiedit", "multi_edit", "edit_file", "str_replace", "str_replace_editor",
		"str_replace_based_edit_tool", "text_editor", "replace", "search_replace":
		return replacing
	case "search_and_replace":
		return replacingAll
	case "write", "write_file", "write_to_file", "create_file", "create_new_file":
		return writing
	case "insert", "insert_content":
		return inserting
	case "view", "undo_edit":
		return viewing
	}
	return unknown
}

// pair are the names of a text to find and its replacement.
type pair struct{ old, now string }

// pairs are the names that tools use. Other data has members with the last ones, too.
var pairs = []pair{
	{"old_string", "new_string"}, {"old_str", "new_str"}, {"old_text", "new_text"}, {"oldString", "newString"},
	{"oldText", "newText"}, {"search", "replace"},
}

var (
	pathNames    = []string{"path", "file_path", "filePath", "filepath", "file", "filename", "target_file"}
	contentNames = []string{"content", "contents", "file_text"}
)

func isContent(key string) bool { return slices.Contains(contentNames, key) }

// maxTag is the length of the longest opening tag.
const maxTag = 120

// arguments are those of a call, or the members of another JSON object.
type arguments struct {
	// values are strings, booleans, and other JSON as json.RawMessage.
	values map[string]any
	// twice is a name that occurs more than once.
	twice string
}

// members returns the members of a valid JSON object, without those that are null.
func members(raw json.RawMessage) arguments {
	o := arguments{values: map[string]any{}}
	d := json.NewDecoder(bytes.NewReader(raw))
	_, _ = d.Token()
	for d.More() {
		token, _ := d.Token()
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return arguments{}
		}
		key, _ := token.(string)
		if _, twice := o.values[key]; twice {
			o.twice = key[:min(len(key), maxTag)]
		}
		switch value[0] {
		case 'n':
		case '"', 't', 'f':
			var decoded any
			_ = json.Unmarshal(value, &decoded)
			o.values[key] = decoded
		default:
			o.values[key] = value
		}
	}
	return o
}

// checked returns ok and err, or an error if the arguments of an edit have a name twice.
func (o arguments) checked(ok bool, err error) (bool, error) {
	if ok && err == nil && o.twice != "" {
		err = fmt.Errorf("%q twice", o.twice)
	}
	if !ok {
		err = nil
	}
	return ok, err
}

// has reports whether there is a value with one of the names.
func (o arguments) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return o.values[name] != nil })
}

// text returns the string with one of the names. It is an error to have several that differ.
func (o arguments) text(names ...string) (key, value string, err error) {
	for _, name := range names {
		switch s, ok := o.values[name].(string); {
		case !ok:
		case key == "":
			key, value = name, s
		case s != value:
			err = fmt.Errorf("both %q and %q", key, name)
		}
	}
	return key, value, err
}

// path returns the path of the file, or other if there is none.
func (o arguments) path(other string) (string, error) {
	_, value, err := o.text(pathNames...)
	if value = strings.TrimSpace(value); value == "" || strings.ContainsAny(value, "\r\n") {
		return other, err
	}
	return value, err
}

// flag reports whether the value with one of the names is true.
func (o arguments) flag(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		s, _ := o.values[name].(string)
		return o.values[name] == true || strings.EqualFold(strings.TrimSpace(s), "true")
	})
}

// number returns the number with a name, or 0 if there is no positive one.
func (o arguments) number(name string) int {
	s, ok := o.values[name].(string)
	if raw, is := o.values[name].(json.RawMessage); is && !ok {
		s = string(raw)
	}
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// edits returns the list of edits, which may be a JSON text in a string.
func (o arguments) edits() (list []json.RawMessage, ok bool) {
	for _, name := range []string{"edits", "operations"} {
		raw, _ := o.values[name].(json.RawMessage)
		if s, is := o.values[name].(string); is {
			raw, _ = validJSON(strings.TrimSpace(s))
		}
		if json.Unmarshal(raw, &list) == nil {
			return list, true
		}
	}
	return nil, false
}

// hasPatch reports whether an argument is a patch in a string, or has one in a list.
func (o arguments) hasPatch() bool {
	const begin = "*** Begin Patch"
	return slices.ContainsFunc([]string{"command", "input", "patch", "diff"}, func(name string) bool {
		raw, _ := o.values[name].(json.RawMessage)
		s, _ := o.values[name].(string)
		return bytes.Contains(raw, []byte(begin)) || strings.Contains(s, begin)
	})
}
