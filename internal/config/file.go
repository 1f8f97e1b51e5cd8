package config

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/policy"
)

// maxFile bounds the server file, in bytes.
const maxFile = 1 << 20

// readServerFile reads the server file to its settings by key. What is wrong in it becomes problems.
func (r *reader) readServerFile() map[string]value {
	path, data, err := r.locate()
	switch {
	case path == "":
		return nil
	case err != nil:
		r.add(Problem{Name: path, Text: unreadable(err), Kind: Unreadable})
		return nil
	case len(data) > maxFile:
		r.add(Problem{Name: path, Text: "is larger than 1 MiB, and a server file takes a few lines", Kind: Unreadable})
		return nil
	}
	r.path = path
	root, err := policy.ParseYAML(data)
	if syntax, ok := errors.AsType[*policy.SyntaxError](err); ok {
		r.add(Problem{Name: fmt.Sprintf("%s:%d", path, syntax.Line), Text: syntax.Text, Kind: Syntax})
		return nil
	}
	if err != nil {
		r.add(Problem{Name: path, Text: err.Error(), Kind: Syntax})
		return nil
	}
	return r.entries(path, root)
}

// unreadable says why a file could not be read, without its path: that comes before it.
func unreadable(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file; check the path"
	case errors.Is(err, fs.ErrPermission):
		return "may not be read; check the owner of the file"
	}
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return "cannot be read: " + err.Error()
}

// entries turns the file's mapping into settings.
func (r *reader) entries(path string, root *yaml.Node) map[string]value {
	found := map[string]value{}
	for key, node := range policy.Pairs(root) {
		name := fmt.Sprintf("%s (%s)", clip(key.Value), place(path, key))
		_, twice := found[key.Value]
		row, known := settingNamed(key.Value)
		switch text, ok := scalar(node, row.kind.list); {
		case twice:
			r.problem(name, "is set twice; keep one")
		case key.Value == modelsKey:
			r.modelsNode, found[modelsKey] = node, value{}
			r.noteKeyNames(node)
		case key.Value == policyKey:
			r.policyNode, found[policyKey] = node, value{}
		case !known:
			r.add(Problem{Name: place(path, key), Text: unknownKey(key.Value), Kind: Unknown})
		case !ok:
			r.problem(name, "must be a text or a number")
		case row.kind.list && text == "":
			// A list of which all items were removed must not mean "everybody", which is what no list means.
			r.problem(name, row.kind.set(new(Server), text).Error())
		default:
			found[key.Value] = value{text: text, name: name}
			if row.key == key.Value && row.kind.secret && text != "" {
				r.warnOfReaders(name, path)
			}
		}
	}
	return found
}

// scalar returns a node's text; where a list may stand, its texts joined with commas.
func scalar(node *yaml.Node, list bool) (string, bool) {
	switch {
	case node.Kind == yaml.ScalarNode && node.Tag == "!!null":
		return "", true
	case node.Kind == yaml.ScalarNode:
		return node.Value, true
	case node.Kind != yaml.SequenceNode || !list || len(node.Content) > maxListed:
		return "", false
	}
	var texts []string
	for _, item := range node.Content {
		if item.Kind != yaml.ScalarNode || item.Tag == "!!null" {
			return "", false
		}
		texts = append(texts, item.Value)
	}
	return strings.Join(texts, ","), true
}
