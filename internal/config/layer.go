package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/policy"
)

// ParseLayer reads the settings of an organisation or a repository: the text of its tenon.yml. What is wrong becomes problems,
// and all else holds. A problem closes where a restriction may stand in what cannot be read. Safe for concurrent use.
func ParseLayer(data []byte) (policy.Layer, []policy.Problem) {
	var r layerReader
	switch {
	case len(data) > policy.MaxSettings:
		return r.broken(0, "is larger than 64 KiB; settings are a few lines")
	case !utf8.Valid(data):
		return r.broken(0, "is not text in UTF-8; save it as that")
	}
	root, err := parseYAML(data)
	if err != nil {
		return r.broken(lineIn(err), err.Error())
	}
	if root != nil {
		r.mapping(policySettings, "", root)
	}
	return r.layer, r.problems
}

// lineOf finds the line in an error of the YAML parser.
var lineOf = regexp.MustCompile(`\bline ([0-9]{1,6})\b`)

func lineIn(err error) int {
	if m := lineOf.FindStringSubmatch(err.Error()); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// layerReader fills a layer and collects what is wrong.
type layerReader struct {
	layer    policy.Layer
	problems []policy.Problem
	// closed says that one of them closes.
	closed bool
}

func (r *layerReader) broken(line int, text string) (policy.Layer, []policy.Problem) {
	return policy.Layer{}, []policy.Problem{{Line: line, Text: "the file " + text, Closes: true}}
}

// maxProblems bounds what is said about one file; that it closes is always said.
const maxProblems = 100

func (r *layerReader) problem(node *yaml.Node, closes bool, format string, args ...any) {
	if len(r.problems) >= maxProblems && (r.closed || !closes) {
		return
	}
	r.closed = r.closed || closes
	r.problems = append(r.problems, policy.Problem{Line: node.Line, Text: fmt.Sprintf(format, args...), Closes: closes})
}

// mapping reads keys by a table; prefix stands before their names.
func (r *layerReader) mapping(rows []policySetting, prefix string, node *yaml.Node) {
	var seen []string
	for key, value := range pairs(node) {
		name := prefix + clip(key.Value)
		i := slices.IndexFunc(rows, func(row policySetting) bool { return key.Kind == yaml.ScalarNode && row.key == key.Value })
		switch {
		case i < 0:
			text, closes := unknownSetting(rows, prefix, name, key.Value)
			r.problem(key, closes, "%s", text)
		case slices.Contains(seen, key.Value):
			r.problem(key, !rows[i].free, "%s stands here for the second time; keep one", name)
		case rows[i].below != nil && value.Kind == yaml.MappingNode:
			r.mapping(rows[i].below, name+".", value)
		case rows[i].below != nil:
			r.problem(key, true, "%s must have %s below it, each on a line of its own", name, listed(keysOf(rows[i].below)))
		default:
			r.setting(rows[i], name, key, value)
		}
		if i >= 0 && !slices.Contains(seen, key.Value) {
			seen = append(seen, key.Value)
		}
	}
}

func (r *layerReader) setting(row policySetting, name string, key, value *yaml.Node) {
	err := errors.New("has no value; write one, or take the line out")
	if value.Tag != "!!null" || value.Kind != yaml.ScalarNode {
		err = row.set(r, name, value)
	}
	if err != nil {
		r.problem(key, !row.free, "%s %s", name, err)
	}
}

func keysOf(rows []policySetting) (keys []string) {
	for _, row := range rows {
		keys = append(keys, row.key)
	}
	return keys
}

// unknownSetting says that there is no such key. It closes where the key that was meant restricts.
func unknownSetting(rows []policySetting, prefix, name, key string) (text string, closes bool) {
	keys := keysOf(rows)
	best := command.Closest(key, keys)
	if best == "" {
		return fmt.Sprintf("there is no setting %s; there are %s", name, listed(keys)), false
	}
	return fmt.Sprintf("there is no setting %s; did you mean %s%s?", name, prefix, best), !rows[slices.Index(keys, best)].free
}
