package config

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/policy"
)

// maxFile bounds the server file, in bytes.
const maxFile = 1 << 20

// readServerFile reads the server file to its settings by key. What is wrong in it becomes problems.
func (r *reader) readServerFile() map[string]value {
	path := r.src.File
	if path == "" {
		return nil
	}
	data, err := r.src.ReadFile(path)
	switch {
	case err != nil:
		r.problem(path, unreadable(err))
		return nil
	case len(data) > maxFile:
		r.problem(path, "is larger than 1 MiB; a server file holds a few lines")
		return nil
	}
	root, err := policy.ParseYAML(data)
	if err != nil {
		r.problem(path, err.Error())
		return nil
	}
	return r.entries(path, root)
}

// unreadable says why a file could not be read, without its path: that stands before it.
func unreadable(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file; check the path"
	case errors.Is(err, fs.ErrPermission):
		return "may not be read; check whom the file belongs to"
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
		row, known := settingOf(key.Value)
		switch text, ok := scalar(node, row.list); {
		case twice:
			r.problem(name, "stands here for the second time; keep one")
		case key.Value == modelsKey:
			r.models = r.readModels(path, node)
			found[modelsKey] = value{}
		case key.Value == policyKey:
			r.policy = r.readPolicy(path, node)
			found[policyKey] = value{}
		case !known:
			r.problem(place(path, key), unknownKey(key.Value))
		case !ok:
			r.problem(name, "must be a text or a number")
		default:
			found[key.Value] = value{text: text, name: name, fromFile: true}
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
	case node.Kind != yaml.SequenceNode || !list:
		return "", false
	}
	var texts []string
	for _, item := range node.Content {
		if item.Kind != yaml.ScalarNode {
			return "", false
		}
		texts = append(texts, item.Value)
	}
	return strings.Join(texts, ","), true
}

func settingOf(key string) (setting, bool) {
	i := slices.IndexFunc(settings, func(row setting) bool { return row.key == key })
	if i < 0 {
		return setting{}, false
	}
	return settings[i], true
}

func unknownKey(key string) string {
	var keys []string
	for _, row := range settings {
		keys = append(keys, row.key)
	}
	return fmt.Sprintf("there is no setting %q; the settings are %s, %s", clip(key), strings.Join(keys, ", "),
		modelsKey+", "+policyKey)
}
