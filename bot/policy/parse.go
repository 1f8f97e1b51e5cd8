package policy

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/command"
)

// Parse reads the settings of an organisation or a repository: the text of its tenon.yml. What is wrong becomes
// problems, their source left open, and everything else applies. A problem closes if what cannot be read may restrict
// something.
func Parse(data []byte) (Layer, []Problem) {
	switch {
	case len(data) > MaxSettings:
		return broken(0, "is larger than 64 KiB, and settings take a few lines")
	case !utf8.Valid(data):
		return broken(0, "is not text in UTF-8; save it as that")
	}
	root, err := ParseYAML(data)
	if err != nil {
		return broken(lineIn(err), err.Error())
	}
	return ParseMapping("", root)
}

func broken(line int, text string) (Layer, []Problem) {
	return Layer{}, []Problem{{Line: line, Text: "the file " + text, Closes: true}}
}

// errorLine finds the line in an error of the YAML parser.
var errorLine = regexp.MustCompile(`\bline ([0-9]{1,6})\b`)

func lineIn(err error) int {
	m := errorLine.FindStringSubmatch(err.Error())
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// ParseMapping is Parse for a mapping within a file. The problems name each setting with the prefix before it.
func ParseMapping(prefix string, node *yaml.Node) (Layer, []Problem) {
	p := parser{prefix: prefix}
	p.mapping("", node)
	return Layer{p.values}, p.problems
}

// mapping reads the keys below a path, which is empty or ends in a dot.
func (p *parser) mapping(path string, node *yaml.Node) {
	known := keysBelow(path)
	var seen []string
	for key, value := range Pairs(node) {
		name, full := p.prefix+path+clip(key.Value), path+key.Value
		if key.Kind != yaml.ScalarNode || !slices.Contains(known, key.Value) {
			p.unknown(path, name, key)
			continue
		}
		if slices.Contains(seen, key.Value) {
			p.problem(key, closes(full), "%s is set twice; keep one", name)
			continue
		}
		seen = append(seen, key.Value)
		switch row, isSetting := settingNamed(full); {
		case isSetting:
			p.setting(row, name, key, value)
		case value.Kind != yaml.MappingNode:
			p.problem(key, closes(full), "%s must have %s below it, each on its own line",
				name, listed(keysBelow(full+".")))
		default:
			p.mapping(full+".", value)
		}
	}
}

func (p *parser) setting(row setting, name string, key, node *yaml.Node) {
	v, err := any(nil), errors.New("has no value; add one, or remove the line")
	if node.Tag != "!!null" || node.Kind != yaml.ScalarNode {
		v, err = row.value.read(p, name, node)
	}
	if err != nil {
		p.problem(key, row.closes, "%s %s", name, err)
		return
	}
	if p.values == nil {
		p.values = map[string]given{}
	}
	p.values[row.name] = given{value: v, line: node.Line}
}

// unknown reports a key that there is not. It closes if the key that was meant restricts.
func (p *parser) unknown(path, name string, key *yaml.Node) {
	keys := keysBelow(path)
	best := command.Closest(key.Value, keys)
	if best == "" {
		p.problem(key, false, "there is no setting `%s`; the settings are %s", name, listed(keys))
		return
	}
	p.problem(key, closes(path+best), "there is no setting `%s`; did you mean `%s`?", name, p.prefix+path+best)
}

// keysBelow returns the keys that can be below a path, which is empty or ends in a dot. They are in the order of the
// table, except that a key goes before those that begin with it: of two that are equally close to what somebody wrote,
// the shorter one is suggested.
func keysBelow(path string) []string {
	var keys []string
	for _, s := range settings {
		rest, below := strings.CutPrefix(s.name, path)
		key, _, _ := strings.Cut(rest, ".")
		if !below || slices.Contains(keys, key) {
			continue
		}
		at := slices.IndexFunc(keys, func(longer string) bool { return strings.HasPrefix(longer, key) })
		if at < 0 {
			at = len(keys)
		}
		keys = slices.Insert(keys, at, key)
	}
	return keys
}

// closes reports whether a setting, or one of those below a key, closes when it cannot be read.
func closes(name string) bool {
	return slices.ContainsFunc(settings, func(s setting) bool {
		return s.closes && (s.name == name || strings.HasPrefix(s.name, name+"."))
	})
}
