package policy

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/schema"
)

// Bounds on single settings.
const (
	maxItems        = 50
	maxInstructions = 4000
	maxRounds       = 5
	// maxBudget is far above any budget, and far below where sums of budgets would overflow.
	maxBudget = 1_000_000_000_000
)

// kind says how a value of type T is written in YAML, and how the field of type F of a policy is shown.
type kind[T, F any] struct {
	// read returns the value of a node. The error is what is wrong with it, to be read behind the setting's name.
	read func(p *parser, name string, node *yaml.Node) (T, error)
	// show returns the value as Markdown.
	show func(F) string
	// form is what read accepts.
	form schema.Schema
}

// scalar makes a function that reads a node from one that reads its text.
func scalar[T any](parse func(text string) (T, error)) func(*parser, string, *yaml.Node) (T, error) {
	return func(_ *parser, _ string, node *yaml.Node) (v T, err error) {
		if node.Kind != yaml.ScalarNode {
			return v, errors.New("must be one value, not a list or a mapping")
		}
		return parse(node.Value)
	}
}

// toggle is one of two words, of which the first is true.
func toggle(yes, no string) kind[bool, bool] {
	parse := func(text string) (bool, error) {
		if text != yes && text != no {
			return false, fmt.Errorf("must be %s or %s, not %q", yes, no, clip(text))
		}
		return text == yes, nil
	}
	show := func(v bool) string {
		if v {
			return markdown.Code(yes)
		}
		return markdown.Code(no)
	}
	return kind[bool, bool]{scalar(parse), show, schema.Words(yes, no)}
}

// inverse is a kind for a field that is false if the value is true.
func inverse(k kind[bool, bool]) kind[bool, bool] {
	return kind[bool, bool]{
		read: func(p *parser, name string, node *yaml.Node) (bool, error) {
			v, err := k.read(p, name, node)
			return !v, err
		},
		show: func(v bool) string { return k.show(!v) },
		form: k.form,
	}
}

// number is a whole number from 1 to most; unit is shown behind it.
func number[N int | int64](most N, unit string) kind[N, N] { return numberFrom(1, most, unit) }

// numberFrom is a whole number from least to most; unit is shown behind it.
func numberFrom[N int | int64](least, most N, unit string) kind[N, N] {
	show := func(n N) string { return humanize.Comma(int64(n)) + unit }
	read := scalar(func(text string) (N, error) { return parseNumber(text, least, most) })
	return kind[N, N]{read, show, schema.Number(int64(least), int64(most), "")}
}

// wholeNumber is how numbers are written: underscores may separate digits.
var wholeNumber = regexp.MustCompile(`^[1-9][0-9]*(_[0-9]+)*$`)

func parseNumber[N int | int64](text string, least, most N) (N, error) {
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	if !wholeNumber.MatchString(text) || err != nil || n < int64(least) || n > int64(most) {
		return 0, fmt.Errorf("must be a whole number from %d to %d, not %q", least, most, clip(text))
	}
	return N(n), nil
}

// rounds is off or a number of rounds.
func rounds() kind[int, int] {
	parse := func(text string) (int, error) {
		if text == "off" {
			return 0, nil
		}
		n, err := parseNumber(text, 1, maxRounds)
		if err != nil {
			return 0, fmt.Errorf("must be off, or a number of rounds from 1 to %d, not %q", maxRounds, clip(text))
		}
		return n, nil
	}
	form := schema.Or(schema.Words("off"), schema.Number(1, maxRounds, ""))
	return kind[int, int]{scalar(parse), func(n int) string { return markdown.Code(roundsWord(n)) }, form}
}

func roundsWord(n int) string {
	if n == 0 {
		return "off"
	}
	return fmt.Sprintf("%d %s", n, english.PluralWord(n, "round", ""))
}

// permission is a permission that allows to write.
func permission() kind[port.Permission, port.Permission] {
	parse := func(text string) (port.Permission, error) {
		p := port.Permission(text)
		if p != port.PermissionWrite && p != port.PermissionMaintain && p != port.PermissionAdmin {
			return "", fmt.Errorf("must be write, maintain or admin, not %q", clip(text))
		}
		return p, nil
	}
	show := func(p port.Permission) string { return markdown.Code(string(p)) }
	form := schema.Words(string(port.PermissionWrite), string(port.PermissionMaintain), string(port.PermissionAdmin))
	return kind[port.Permission, port.Permission]{scalar(parse), show, form}
}

// word is a name of a form that check finds nothing wrong with; without one, none is shown.
func word(check func(text string) error, form schema.Schema, none string) kind[string, string] {
	parse := func(text string) (string, error) { return text, check(text) }
	show := func(v string) string {
		if v == "" {
			return none
		}
		return markdown.Code(markdown.Clip(v, 100))
	}
	return kind[string, string]{scalar(parse), show, form}
}

// list is a list of items of a form that check finds nothing wrong with. One that is wrong is left out, which closes
// where the items are what is not allowed.
func list(
	check func(text string) error, form schema.Schema, closes bool, show func([]string) string,
) kind[[]Item, []string] {
	read := func(p *parser, name string, node *yaml.Node) ([]Item, error) {
		switch {
		case node.Kind != yaml.SequenceNode:
			return nil, errors.New("must be a list, like [one, two], or one item on each line after a dash")
		case len(node.Content) > maxItems:
			return nil, fmt.Errorf("has more than %d items", maxItems)
		}
		items := []Item{}
		for _, n := range node.Content {
			err := errors.New("is not text")
			if n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
				err = check(n.Value)
			}
			if err != nil {
				p.problem(n, closes, "%s has an item %q, which %s", name, clip(n.Value), err)
				continue
			}
			items = append(items, Item{Text: n.Value, Line: n.Line})
		}
		return items, nil
	}
	return kind[[]Item, []string]{read, show, schema.List(form, maxItems)}
}

// allowed is a list of what is allowed; nil is shown as all.
func allowed(check func(text string) error, form schema.Schema, all string) kind[[]Item, []string] {
	return list(check, form, false, func(words []string) string { return WordsOr(words, all) })
}

// globs are patterns of paths, beside those that are built in.
func globs() kind[[]Item, []string] {
	return list(checkGlob, globForm(), true, func(patterns []string) string {
		if len(patterns) == 0 {
			return "the built-in ones"
		}
		return "the built-in ones, " + WordsOr(patterns, "")
	})
}

// instructions is a text for the model, of which the length is shown.
func instructions() kind[string, []Instruction] {
	parse := func(text string) (string, error) {
		if len(text) > maxInstructions {
			return "", fmt.Errorf("has %d bytes, and the limit is %d; put longer instructions into AGENTS.md",
				len(text), maxInstructions)
		}
		return text, nil
	}
	show := func(texts []Instruction) string {
		if len(texts) == 0 {
			return "none"
		}
		n := 0
		for _, t := range texts {
			n += len(strings.Fields(t.Text))
		}
		return fmt.Sprintf("%d %s", n, english.PluralWord(n, "word", ""))
	}
	form := schema.Text("").With("maxLength", maxInstructions)
	return kind[string, []Instruction]{scalar(parse), show, form}
}

// WordsOr lists words as Markdown. A list that is nil is all, which the second argument says; an
// empty one is none.
func WordsOr(words []string, all string) string {
	switch {
	case words == nil:
		return all
	case len(words) == 0:
		return "none"
	}
	var parts []string
	for _, w := range words[:min(len(words), markdown.MaxListed)] {
		parts = append(parts, markdown.Code(markdown.Clip(w, 100)))
	}
	if n := len(words) - markdown.MaxListed; n > 0 {
		parts = append(parts, fmt.Sprintf("… and %d more", n))
	}
	return strings.Join(parts, ", ")
}
