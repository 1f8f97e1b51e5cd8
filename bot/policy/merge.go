package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/port"
)

// policyKey is one row of the table of settings: what a layer's word on a key does to the policy.
type policyKey struct {
	name string
	take func(r *ruling, l Layer)
}

// policyKeys are all settings, in the order in which they are shown. A lower layer may restrict, and choose among what is left.
var policyKeys = []policyKey{
	key("enabled", func(l Layer) Setting[bool] { return l.Enabled }, (*ruling).enable),
	key("verbs", func(l Layer) Setting[[]Word] { return l.Verbs }, narrow(func(p *Policy) *[]string { return &p.Verbs })),
	key("who", func(l Layer) Setting[port.Permission] { return l.Who }, (*ruling).demand),
	key("models", func(l Layer) Setting[[]Word] { return l.Models }, narrow(func(p *Policy) *[]string { return &p.Models })),
	key("model", func(l Layer) Setting[string] { return l.Model }, (*ruling).prefer),
	key("format", func(l Layer) Setting[string] { return l.Format }, choose(func(p *Policy) *string { return &p.Format })),
	key("label", func(l Layer) Setting[string] { return l.Label }, choose(func(p *Policy) *string { return &p.Label })),
	key("base", func(l Layer) Setting[string] { return l.Base }, choose(func(p *Policy) *string { return &p.Base })),
	key("partial", func(l Layer) Setting[bool] { return l.Hold }, (*ruling).hold),
	key("commits", func(l Layer) Setting[bool] { return l.Push }, choose(func(p *Policy) *bool { return &p.Push })),
	key("line_endings", func(l Layer) Setting[bool] { return l.LineFeeds }, choose(func(p *Policy) *bool { return &p.LineFeeds })),
	key("protected", func(l Layer) Setting[[]Word] { return l.Protected }, add(func(p *Policy) *[]string { return &p.Protected })),
	key("ignore", func(l Layer) Setting[[]Word] { return l.Ignore }, add(func(p *Policy) *[]string { return &p.Ignore })),
	key("instructions", func(l Layer) Setting[string] { return l.Instructions }, (*ruling).instruct),
	key("autofix", func(l Layer) Setting[int] { return l.Autofix }, (*ruling).autofix),
	key("limits.files", func(l Layer) Setting[int] { return l.Files }, lower(func(p *Policy) *int { return &p.Bounds.Files })),
	key("limits.blocks", func(l Layer) Setting[int] { return l.Blocks }, lower(func(p *Policy) *int { return &p.Bounds.Blocks })),
	key("limits.tokens", func(l Layer) Setting[int64] { return l.Tokens }, lower(func(p *Policy) *int64 { return &p.Bounds.Tokens })),
	key("budget.user.commands", func(l Layer) Setting[int64] { return l.UserCommands }, lower(func(p *Policy) *int64 { return &p.Budget.UserCommands })),
	key("budget.repository.commands", func(l Layer) Setting[int64] { return l.RepositoryCommands }, lower(func(p *Policy) *int64 { return &p.Budget.RepositoryCommands })),
	key("budget.repository.tokens", func(l Layer) Setting[int64] { return l.RepositoryTokens }, lower(func(p *Policy) *int64 { return &p.Budget.RepositoryTokens })),
	key("budget.organisation.tokens", func(l Layer) Setting[int64] { return l.OwnerTokens }, lower(func(p *Policy) *int64 { return &p.Budget.OwnerTokens })),
}

// key makes a row that does nothing where the layer says nothing.
func key[T any](name string, of func(Layer) Setting[T], take func(*ruling, T)) policyKey {
	return policyKey{name, func(r *ruling, l Layer) {
		if s := of(l); s.Set {
			r.line = s.Line
			take(r, s.Value)
		}
	}}
}

// ruling is the taking of one layer's value for one key.
type ruling struct {
	*Policy
	from Origin
	key  string
	line int
}

// decided says that the layer's value holds now, in the place of all before it.
func (r *ruling) decided() { r.Marks[r.key] = []Mark{{r.from, r.line}} }

// shared says that the layer's value has a part in what holds now.
func (r *ruling) shared() { r.Marks[r.key] = append(slices.Clip(r.Marks[r.key]), Mark{r.from, r.line}) }

// ignored says that the layer's value does not hold, and why.
func (r *ruling) ignored(line int, format string, args ...any) {
	text := fmt.Sprintf("%s: %s, so this is ignored", r.key, fmt.Sprintf(format, args...))
	r.Problems = append(slices.Clip(r.Problems), Problem{Source: r.from, Line: cmp.Or(line, r.line), Text: text})
}

// above names the layers that decided before this one.
func (r *ruling) above() string {
	var names []string
	for _, m := range r.Marks[r.key] {
		names = append(names, "the "+string(m.Origin))
	}
	if len(names) == 0 {
		return "the server"
	}
	return strings.Join(names, " and ")
}

func (r *ruling) enable(v bool) {
	switch {
	case v && r.Disabled:
		r.ignored(0, "%s switched tenon off, and only there it can be switched on again", r.above())
	case !v && !r.Disabled || len(r.Marks[r.key]) == 0:
		r.Disabled = !v
		r.decided()
	}
}

func (r *ruling) demand(v port.Permission) {
	switch {
	case !v.Allows(r.Who):
		r.ignored(0, "%s asks for %s, and %s is less", r.above(), r.Who, v)
	case v != r.Who || len(r.Marks[r.key]) == 0:
		r.Who = v
		r.decided()
	}
}

func (r *ruling) hold(v bool) {
	switch {
	case !v && r.Hold:
		r.ignored(0, "%s holds back what fits only in part", r.above())
	case v && !r.Hold || len(r.Marks[r.key]) == 0:
		r.Hold = v
		r.decided()
	}
}

// autofix is off until some layer chooses a number of rounds; those below it can only lower that.
func (r *ruling) autofix(v int) {
	if len(r.Marks[r.key]) > 0 && v > r.Autofix {
		r.ignored(0, "%s allows %s, and %s is more", r.above(), roundsWord(r.Autofix), roundsWord(v))
		return
	}
	r.Autofix = v
	r.decided()
}

func roundsWord(n int) string {
	if n == 0 {
		return "off"
	}
	return fmt.Sprintf("%d %s", n, english.PluralWord(n, "round", ""))
}

func (r *ruling) instruct(v string) {
	r.Instructions = append(slices.Clip(r.Instructions), Instruction{r.from, v})
	r.shared()
}

// prefer takes the model that is asked by default, if it is one of those that may be.
func (r *ruling) prefer(v string) {
	if !r.AllowsModel(v) {
		r.ignored(0, "the model %s is not one of those that may be used here", v)
		return
	}
	r.Model = v
	r.decided()
}

// choose takes a value that restricts nothing.
func choose[T any](field func(*Policy) *T) func(*ruling, T) {
	return func(r *ruling, v T) {
		*field(r.Policy) = v
		r.decided()
	}
}

// lower takes a number that is not above the one that holds. The server sets its own.
func lower[T int | int64](field func(*Policy) *T) func(*ruling, T) {
	return func(r *ruling, v T) {
		held := field(r.Policy)
		switch {
		case v > *held && r.from != Server:
			r.ignored(0, "%s allows %s, and %s is more", r.above(), humanize.Comma(int64(*held)), humanize.Comma(int64(v)))
		case v != *held || len(r.Marks[r.key]) == 0:
			*held = v
			r.decided()
		}
	}
}

// narrow leaves of a list what the layer names too; the first to say anything makes it. A layer cannot name what is not left.
func narrow(field func(*Policy) *[]string) func(*ruling, []Word) {
	return func(r *ruling, words []Word) {
		before, left := *field(r.Policy), []string{}
		for _, w := range words {
			i := slices.IndexFunc(before, func(b string) bool { return strings.EqualFold(b, w.Text) })
			switch {
			case before == nil:
				left = append(left, w.Text)
			case i < 0:
				r.ignored(w.Line, "%s is not among those that %s allows", w.Text, r.above())
			default:
				left = append(left, before[i])
			}
		}
		*field(r.Policy) = left
		if before == nil || len(left) < len(before) {
			r.shared()
		}
	}
}

// add puts a layer's words to those of the layers above.
func add(field func(*Policy) *[]string) func(*ruling, []Word) {
	return func(r *ruling, words []Word) {
		all := slices.Clip(*field(r.Policy))
		for _, w := range words {
			if !slices.Contains(all, w.Text) {
				all = append(all, w.Text)
			}
		}
		*field(r.Policy) = all
		r.shared()
	}
}
