package policy

import (
	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/schema"
)

// setting is a row of the table of settings.
type setting struct {
	// name is the path of keys to the setting, with dots between them.
	name string
	// about documents it, as Markdown for a cell of a table.
	about string
	// closes reports that it restricts, so that nothing may be changed while it cannot be read.
	closes bool
	value  settingValue
}

// settingValue is what the table needs of a value, whatever its type is.
type settingValue interface {
	// reset gives a policy the default value.
	reset(p *Policy)
	// read returns the value of a node. The error is what is wrong with it, to be read behind the setting's name.
	read(p *parser, name string, node *yaml.Node) (any, error)
	// merge merges a value that read returned.
	merge(m *merger, v any)
	// show returns a policy's value as Markdown.
	show(p Policy) string
	// lower returns what a lower layer can do to the value.
	lower() string
	// form returns what read accepts.
	form() schema.Schema
}

// typed is a value that a layer gives as a T and a policy has as an F.
type typed[T, F any] struct {
	field   func(*Policy) *F
	initial F
	kind    kind[T, F]
	rule    rule[T, F]
}

func (t typed[T, F]) reset(p *Policy) { *t.field(p) = t.initial }

func (t typed[T, F]) read(p *parser, name string, node *yaml.Node) (any, error) {
	return t.kind.read(p, name, node)
}

func (t typed[T, F]) merge(m *merger, v any) { t.rule.merge(m, t.field(m.policy), v.(T)) }

func (t typed[T, F]) show(p Policy) string { return t.kind.show(*t.field(&p)) }

func (t typed[T, F]) lower() string { return t.rule.lower }

func (t typed[T, F]) form() schema.Schema { return t.kind.form }
