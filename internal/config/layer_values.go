package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// Bounds on single settings.
const (
	maxItems        = 50
	maxLabel        = 50 // GitHub's, in characters
	maxInstructions = 4000
	maxRounds       = 5
)

// to makes a setter of a field and a reader of texts.
func to[T any](field func(*policy.Layer) *policy.Setting[T], read func(string) (T, error)) func(*layerReader, string, *yaml.Node) error {
	return func(r *layerReader, _ string, node *yaml.Node) error {
		if node.Kind != yaml.ScalarNode {
			return errors.New("must be one value, not a list or a mapping")
		}
		v, err := read(node.Value)
		if err == nil {
			*field(&r.layer) = policy.Setting[T]{Value: v, Set: true, Line: node.Line}
		}
		return err
	}
}

// list makes a setter of a field that holds a list; check says what is wrong with an item. One that is wrong is left out, which
// closes where the items are those that are kept from something.
func list(field func(*policy.Layer) *policy.Setting[[]policy.Word], check func(string) string, closes bool) func(*layerReader, string, *yaml.Node) error {
	return func(r *layerReader, name string, node *yaml.Node) error {
		switch {
		case node.Kind != yaml.SequenceNode:
			return errors.New("must be a list, like [one, two], or one item on each line behind a dash")
		case len(node.Content) > maxItems:
			return fmt.Errorf("has more than %d items", maxItems)
		}
		words := []policy.Word{}
		for _, item := range node.Content {
			why := "is no text"
			if item.Kind == yaml.ScalarNode && item.Tag != "!!null" {
				why = check(item.Value)
			}
			if why != "" {
				r.problem(item, closes, "%s has an item %q, which %s", name, clip(item.Value), why)
				continue
			}
			words = append(words, policy.Word{Text: item.Value, Line: item.Line})
		}
		*field(&r.layer) = policy.Setting[[]policy.Word]{Value: words, Set: true, Line: node.Line}
		return nil
	}
}

// choice reads one of two words, of which the first is true.
func choice(yes, no string) func(string) (bool, error) {
	return func(text string) (bool, error) {
		switch text {
		case yes:
			return true, nil
		case no:
			return false, nil
		}
		return false, fmt.Errorf("must be %s or %s, not %q", yes, no, clip(text))
	}
}

func number[T int | int64](least, most T) func(string) (T, error) {
	return func(text string) (T, error) {
		n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
		if err != nil || n < int64(least) || n > int64(most) {
			return 0, fmt.Errorf("must be a whole number from %d to %d, not %q", least, most, clip(text))
		}
		return T(n), nil
	}
}

func readRounds(text string) (int, error) {
	if text == "off" {
		return 0, nil
	}
	n, err := number(1, maxRounds)(text)
	if err != nil {
		return 0, fmt.Errorf("must be off, or a number of rounds from 1 to %d, not %q", maxRounds, clip(text))
	}
	return n, nil
}

func readPermission(text string) (port.Permission, error) {
	p := port.Permission(text)
	if p != port.PermissionWrite && p != port.PermissionMaintain && p != port.PermissionAdmin {
		return "", fmt.Errorf("must be write, maintain or admin, not %q", clip(text))
	}
	return p, nil
}

func checkVerb(text string) string {
	var verbs []string
	for _, c := range command.All() {
		verbs = append(verbs, c.Verb)
	}
	if slices.Contains(verbs, text) {
		return ""
	}
	if best := command.Closest(text, verbs); best != "" {
		return "is no command; did you mean " + best + "?"
	}
	return "is no command; there are " + listed(verbs)
}

func checkModelName(text string) string {
	if !modelName.MatchString(text) {
		return "is no name of a model: those have letters, digits and . _ / : - only"
	}
	return ""
}

func readModelName(text string) (string, error) {
	if why := checkModelName(text); why != "" {
		return "", errors.New(why)
	}
	return text, nil
}

func readFormat(text string) (string, error) {
	if !slices.Contains(formats, text) {
		return "", fmt.Errorf("must be one of %s, not %q", listed(formats), clip(text))
	}
	return text, nil
}

func readLabel(text string) (string, error) {
	if strings.TrimSpace(text) != text || text == "" || utf8.RuneCountInString(text) > maxLabel || strings.ContainsFunc(text, unicode.IsControl) {
		return "", fmt.Errorf("must be a label's name, of %d characters at most", maxLabel)
	}
	return text, nil
}

func readBranch(text string) (string, error) {
	if !command.ValidBranch(text) {
		return "", fmt.Errorf("must be the name of a branch, like main, not %q", clip(text))
	}
	return text, nil
}

func readInstructions(text string) (string, error) {
	if len(text) > maxInstructions {
		return "", fmt.Errorf("has %d bytes, and %d are the most; longer ones go into AGENTS.md", len(text), maxInstructions)
	}
	return text, nil
}

// listed joins words for a sentence.
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
