package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/port"
)

// rule says how a layer's value of type T changes the field of type F of the policy above it.
type rule[T, F any] struct {
	// lower is what a lower layer can do to the value, for the documentation.
	lower string
	merge func(m *merger, field *F, v T)
}

// merger merges one layer's value of one setting into a policy.
type merger struct {
	policy *Policy
	from   Origin
	name   string
	line   int
}

// marked reports whether a layer above has given the setting its value.
func (m *merger) marked() bool { return len(m.policy.Marks[m.name]) > 0 }

// replace records that the value comes from this layer alone.
func (m *merger) replace() { m.policy.Marks[m.name] = []Mark{{m.from, m.line}} }

// contribute records that the value comes from this layer too.
func (m *merger) contribute() {
	m.policy.Marks[m.name] = append(slices.Clip(m.policy.Marks[m.name]), Mark{m.from, m.line})
}

// ignore records why the layer's value is ignored. Line is that of an item, or 0.
func (m *merger) ignore(line int, format string, args ...any) {
	m.policy.Problems = append(slices.Clip(m.policy.Problems), Problem{
		Source: m.from, Line: cmp.Or(line, m.line),
		Text: fmt.Sprintf("%s: %s, so this is ignored", m.name, fmt.Sprintf(format, args...)),
	})
}

// above names the layers that the value so far comes from.
func (m *merger) above() string {
	var names []string
	for _, mark := range m.policy.Marks[m.name] {
		names = append(names, "the "+string(mark.Origin))
	}
	return cmp.Or(strings.Join(names, " and "), "the server")
}

// choose is the rule of a value that restricts nothing.
func choose[T any]() rule[T, T] {
	return rule[T, T]{"choose", func(m *merger, field *T, v T) {
		*field = v
		m.replace()
	}}
}

// chooseModel is the rule of a model to ask: it has to be one of those that may be asked.
func chooseModel() rule[string, string] {
	return rule[string, string]{"choose", func(m *merger, field *string, name string) {
		if !m.policy.AllowsModel(name) {
			m.ignore(0, "the model %s is not one of those that may be used here", name)
			return
		}
		*field = name
		m.replace()
	}}
}

// latch is the rule of a restriction that is on or off: on stays on. The sentence says so of the layers above.
func latch(lower, sentence string) rule[bool, bool] {
	return rule[bool, bool]{lower, func(m *merger, field *bool, on bool) {
		switch {
		case *field && !on:
			m.ignore(0, sentence, m.above())
		case *field != on || !m.marked():
			*field = on
			m.replace()
		}
	}}
}

// demand is the rule of something that has to be done: a layer names it unless one above did. The sentence says so of
// the layers above, and of what they name.
func demand(sentence string) rule[string, string] {
	return rule[string, string]{"choose, if no higher layer does", func(m *merger, field *string, v string) {
		switch {
		case *field != "" && v != *field:
			m.ignore(0, sentence, m.above(), *field)
		case *field == "":
			*field = v
			m.replace()
		}
	}}
}

// permit is the rule of a permission that is off until a layer gives it: the layers below it can only take it away. The
// sentence says so of the layers above.
func permit(lower, sentence string) rule[bool, bool] {
	return rule[bool, bool]{lower, func(m *merger, field *bool, on bool) {
		switch {
		case m.marked() && on && !*field:
			m.ignore(0, sentence, m.above())
		case *field != on || !m.marked():
			*field = on
			m.replace()
		}
	}}
}

// raisePermission is the rule of a least permission.
func raisePermission() rule[port.Permission, port.Permission] {
	merge := func(m *merger, field *port.Permission, v port.Permission) {
		switch {
		case !v.Allows(*field):
			m.ignore(0, "%s requires %s, which is more than %s", m.above(), *field, v)
		case v != *field || !m.marked():
			*field = v
			m.replace()
		}
	}
	return rule[port.Permission, port.Permission]{"require more", merge}
}

// lower is the rule of a limit. The server sets its own, which may be above the default.
func lower[N int | int64]() rule[N, N] {
	return rule[N, N]{"lower", func(m *merger, field *N, v N) {
		switch {
		case v > *field && m.from != Server:
			m.ignore(0, "%s allows %s, and %s is more",
				m.above(), humanize.Comma(int64(*field)), humanize.Comma(int64(v)))
		case v != *field || !m.marked():
			*field = v
			m.replace()
		}
	}}
}

// lowerRounds is the rule of a number of rounds: they are off until a layer sets them, and the layers below it can only
// lower them.
func lowerRounds() rule[int, int] {
	return rule[int, int]{"lower", func(m *merger, field *int, v int) {
		if m.marked() && v > *field {
			m.ignore(0, "%s allows %s, and %s is more", m.above(), roundsWord(*field), roundsWord(v))
			return
		}
		*field = v
		m.replace()
	}}
}

// narrow is the rule of a list of what is allowed: the first layer that has one makes it, and those below it take away
// what they do not name.
func narrow() rule[[]Item, []string] {
	return rule[[]Item, []string]{"remove entries", func(m *merger, field *[]string, items []Item) {
		before, left := *field, []string{}
		for _, item := range items {
			i := slices.IndexFunc(before, func(b string) bool { return strings.EqualFold(b, item.Text) })
			switch {
			case before == nil:
				left = append(left, item.Text)
			case i < 0:
				m.ignore(item.Line, "%s is not among those that %s allows", item.Text, m.above())
			default:
				left = append(left, before[i])
			}
		}
		*field = left
		if before == nil || len(left) < len(before) {
			m.contribute()
		}
	}}
}

// add is the rule of a list of what is not allowed.
func add() rule[[]Item, []string] {
	return rule[[]Item, []string]{"add entries", func(m *merger, field *[]string, items []Item) {
		all := slices.Clip(*field)
		for _, item := range items {
			if !slices.Contains(all, item.Text) {
				all = append(all, item.Text)
			}
		}
		*field = all
		m.contribute()
	}}
}

// addInstruction is the rule of texts that are all used.
func addInstruction() rule[string, []Instruction] {
	return rule[string, []Instruction]{"add", func(m *merger, field *[]Instruction, text string) {
		*field = append(slices.Clip(*field), Instruction{m.from, text})
		m.contribute()
	}}
}
