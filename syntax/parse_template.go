package syntax

import (
	"bytes"
	"regexp"
	"strconv"
	"text/template/parse"
)

// goAction matches what only a template of Go has: an action that begins with a field, an end without a name, a
// variable that is set. Other languages of templates have the same brackets.
var goAction = regexp.MustCompile(`\{\{-?\s*(\.[A-Za-z]|(else )?(if|with) \.[A-Za-z]|range (\.|\$)|end\s*-?\}\}|` +
	`\$\w* :=|(define|template|block) ")`)

// parseTemplate parses the actions of a template of Go, and not the text between them. All functions are taken for
// known.
func parseTemplate(src source) verdict {
	if !goAction.Match(src.text) {
		return verdict{unparsed: NoParser}
	}
	tree := parse.New("")
	tree.Mode = parse.SkipFuncCheck
	_, err := tree.Parse(string(src.text), "", "", map[string]*parse.Tree{})
	if err == nil {
		return oddInTemplate(src)
	}
	parts := templateError.FindStringSubmatch(err.Error())
	if parts == nil {
		return verdict{}
	}
	line, _ := strconv.Atoi(parts[1])
	return brokenAt(line, parts[2])
}

// templateError matches "template: :3: unexpected {{end}}".
var templateError = regexp.MustCompile(`^template: .*?:(\d+): (.*)`)

var (
	// delimited matches a comment or an action of a template, and cutAction what is left of an action that lost a brace.
	delimited = regexp.MustCompile("(?s)\\{\\{-?\\s*/\\*.*?\\*/\\s*-?\\}\\}|" +
		"\\{\\{(?:\"(?:\\\\.|[^\"\\\\])*\"|`[^`]*`|[^\"`])*?\\}\\}")
	cutAction = regexp.MustCompile(`\{-?\s*(?:\.[A-Za-z]|\$|` +
		`(?:end|else|if|range|with|template|include|define|block)\b)[^{}\n]*\}\}`)
)

// oddInTemplate finds an action that lost one of its first two braces, and so is text.
func oddInTemplate(src source) verdict {
	text := delimited.ReplaceAllFunc(src.text, func(action []byte) []byte {
		return bytes.Repeat([]byte("\n"), bytes.Count(action, []byte("\n")))
	})
	at := cutAction.FindIndex(text)
	if at == nil {
		return verdict{outcome: valid}
	}
	return oddAt(bytes.Count(text[:at[0]], []byte("\n"))+1, "}} without {{")
}
