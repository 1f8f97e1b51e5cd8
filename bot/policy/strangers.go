package policy

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/schema"
)

// PreviewsStrangers reports whether what a stranger's text asks for is shown before it is committed. In a public
// repository anybody can write an issue, and whoever labels it may not have read it to its end.
func (p Policy) PreviewsStrangers(private bool) bool {
	if p.Strangers == "" {
		return !private
	}
	return p.Strangers != CommitStrangers
}

// strangers is preview or commit.
func strangers() kind[Strangers, Strangers] {
	parse := func(text string) (Strangers, error) {
		s := Strangers(text)
		if s != PreviewStrangers && s != CommitStrangers {
			return "", fmt.Errorf("must be %s or %s, not %q", PreviewStrangers, CommitStrangers, clip(text))
		}
		return s, nil
	}
	show := func(s Strangers) string {
		if s == "" {
			return "`preview` in public repositories, `commit` in private ones"
		}
		return markdown.Code(string(s))
	}
	form := schema.Words(string(PreviewStrangers), string(CommitStrangers))
	return kind[Strangers, Strangers]{scalar(parse), show, form}
}

// tightenStrangers is the rule of what a stranger's text may do: the first layer that says something decides, and those
// below it can only ask for a preview.
func tightenStrangers() rule[Strangers, Strangers] {
	return rule[Strangers, Strangers]{"require a preview", func(m *merger, field *Strangers, v Strangers) {
		switch {
		case m.marked() && *field == PreviewStrangers && v == CommitStrangers:
			m.ignore(0, "%s requires a preview of what strangers ask for", m.above())
		case *field != v:
			*field = v
			m.replace()
		}
	}}
}
