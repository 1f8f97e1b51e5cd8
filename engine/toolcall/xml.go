package toolcall

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// Opens returns the closing tag of a call that begins with the given trimmed line, such as "</write_to_file>" for
// "<write_to_file>", or "" if none does.
func Opens(line string) (closing string) {
	closing, _, body := openCall(line)
	if body = strings.TrimSpace(body); body != "" && !strings.ContainsAny(body[:1], "<{[") {
		return "" // a sentence about it
	}
	return closing
}

// OpensContent reports whether the content of a file begins at a line of a call.
func OpensContent(line string) bool {
	tag, name, _ := openTag(strings.TrimSpace(line))
	return isContent(tag) || tag == "parameter" && isContent(name)
}

// IsCutOff reports whether lines, which begin with the first line of a call, look like the start of one that edits a
// file.
func IsCutOff(lines []string) bool {
	if len(lines) == 0 {
		return false
	}
	s := strings.Join(lines, "\n")
	switch first := strings.TrimSpace(lines[0]); {
	case first == "":
		return false
	case first[0] == '<':
		return Opens(first) != ""
	case first[0] != '{' && first[0] != '[':
		return false
	}
	return strings.Contains(s, `"old_str`) || strings.Contains(s, `"file_text"`) ||
		strings.Contains(s, `"content"`) && strings.Contains(s, `"file_path"`)
}

// XML reads a call written as XML, from the line with its opening tag to the line with its closing tag. It returns no
// blocks for a tool that edits no files. An error says, in a phrase for a person, what is missing or not supported,
// such as "no <path>". XML is safe for concurrent use.
func XML(lines []string) ([]block.Block, error) {
	closing, tool, body := openCall(strings.TrimSpace(strings.Join(lines, "\n")))
	if closing == "" {
		return nil, errors.New("no opening tag")
	}
	end := strings.LastIndex(body, closing)
	if end < 0 {
		return nil, errors.New("no " + closing)
	}
	body = strings.TrimSpace(body[:end])
	for line := range strings.Lines(body) {
		if Opens(strings.TrimSpace(line)) == closing {
			return nil, errors.New("another call inside it")
		}
	}
	r := reader{format: block.FormatXML, quote: "<%s>"}
	switch isInvoke := strings.HasSuffix(closing, "invoke>"); {
	case isInvoke && (kindOf(tool) == unknown || kindOf(tool) == viewing):
		return nil, nil
	case isInvoke:
		r.quote = "%q"
	case tool == "tool_call" || tool == "tool_use":
		blocks, _, err := JSON(strings.Join(unfenced(strings.Split(body, "\n")), "\n"))
		return blocks, err
	}
	o, err := parseArguments(body)
	if err != nil {
		return nil, err
	}
	_, err = r.edit(o, tool)
	return r.result(err)
}

// openCall splits a text after the opening tag of a call. closing is the closing tag, or "" if the text does not begin
// with a call.
func openCall(s string) (closing, tool, body string) {
	tag, name, body := openTag(s)
	switch tag {
	case "invoke", "antml:invoke":
		if name == "" {
			return "", "", ""
		}
		return "</" + tag + ">", name, body
	case "write_to_file", "write_file", "create_file", "edit_file", "insert_content", "search_and_replace",
		"search_replace", "tool_call", "tool_use":
		if name == "" {
			return "</" + tag + ">", tag, body
		}
	}
	return "", "", ""
}

// openTag splits a text after the opening tag that it begins with, such as <path> or <parameter name="path">. tag is ""
// if there is none.
func openTag(s string) (tag, name, rest string) {
	end := strings.IndexByte(s[:min(len(s), maxTag)], '>')
	if end < 2 || s[0] != '<' {
		return "", "", ""
	}
	tag, name, hasName := strings.Cut(s[1:end], " ")
	if hasName {
		quoted, ok := strings.CutPrefix(strings.TrimSpace(name), `name="`)
		if name, hasName = strings.CutSuffix(quoted, `"`); !ok || !hasName || name == "" {
			return "", "", ""
		}
	}
	for i := range len(tag) {
		if c := tag[i]; !text.IsWordByte(c) && (c != ':' || i == 0) {
			return "", "", ""
		}
	}
	return tag, name, s[end+1:]
}

var errTextBetween = errors.New("text between its arguments")

// parseArguments returns the arguments of a call: elements with nothing but blanks between them.
func parseArguments(body string) (arguments, error) {
	o := arguments{values: map[string]any{}}
	for {
		body = strings.TrimSpace(body)
		if body == "" {
			return o, nil
		}
		tag, name, rest := openTag(body)
		if tag == "" {
			return o, errTextBetween
		}
		closing := "</" + tag + ">"
		key := tag
		if name != "" {
			key = name
		}
		end := endOf(rest, closing, key == tag && isContent(key))
		switch {
		case end < 0 && strings.Contains(rest, closing):
			return o, errTextBetween
		case end < 0:
			return o, errors.New("no " + closing)
		}
		if _, twice := o.values[key]; twice {
			return o, fmt.Errorf("%q twice", key)
		}
		if between := strings.Index(rest[:end], closing); between >= 0 &&
			strings.HasPrefix(strings.TrimSpace(rest[between+len(closing):end]), "<"+tag+">") {
			return o, fmt.Errorf("%q twice", key)
		}
		o.values[key] = argument(key, rest[:end])
		body = rest[end+len(closing):]
	}
}

// endOf returns where the text of an argument ends: at the first closing tag that another argument or nothing follows,
// or at the last one. It returns -1 if there is none.
func endOf(s, closing string, last bool) int {
	if last {
		return strings.LastIndex(s, closing)
	}
	for at := 0; ; {
		i := strings.Index(s[at:], closing)
		if i < 0 {
			return -1
		}
		at += i + len(closing)
		after := strings.TrimLeft(s[at:], " \t\r\n")
		if tag, _, _ := openTag(after); tag != "" || after == "" {
			return at - len(closing)
		}
	}
}

const cdata, cdataEnd = "<![CDATA[", "]]>"

// argument returns the text of an argument, without the CDATA section around it and the line feeds beside its tags. The
// line feed at the end of a file's content stays.
func argument(key, s string) string {
	if inner, ok := strings.CutPrefix(strings.TrimSpace(s), cdata); ok && strings.HasSuffix(inner, cdataEnd) {
		inner = strings.TrimSuffix(inner, cdataEnd)
		s = strings.ReplaceAll(inner, "]]"+cdataEnd+cdata+">", cdataEnd)
	}
	inner, ok := strings.CutPrefix(strings.TrimPrefix(s, "\r"), "\n")
	switch {
	case !ok:
		return s
	case isContent(key), inner == "":
		return inner
	}
	if inner, ok = strings.CutSuffix(inner, "\n"); ok {
		return strings.TrimSuffix(inner, "\r")
	}
	return s
}
