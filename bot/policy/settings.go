package policy

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/port"
)

// Names of settings that are asked for outside of the table.
const (
	settingModels = "models"
	settingModel  = "model"
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
	// show returns a policy's value as Markdown for a cell of a table.
	show(p Policy) string
	// lower returns what a lower layer can do to the value.
	lower() string
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

var defaultBudget = port.Limits{}.WithDefaults()

// settings are all settings, in the order in which they are shown and merged.
var settings = []setting{
	{
		name:   "enabled",
		about:  "whether tenon does anything: `true` or `false`",
		closes: true,
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.Disabled },
			kind:  inverse(toggle("true", "false")),
			rule:  latch("switch off", "%s switched tenon off, and only there it can be switched on again"),
		},
	},
	{
		name:   "verbs",
		about:  "a list of the commands that can be given; `help`, `status`, `config` and `cancel` work always",
		closes: true,
		value: typed[[]Item, []string]{
			field: func(p *Policy) *[]string { return &p.Verbs },
			kind:  allowed(checkVerb, "all"),
			rule:  narrow(),
		},
	},
	{
		name:   "who",
		about:  "the least permission of whoever has something changed: `write`, `maintain` or `admin`",
		closes: true,
		value: typed[port.Permission, port.Permission]{
			field:   func(p *Policy) *port.Permission { return &p.Who },
			initial: port.PermissionWrite,
			kind:    permission(),
			rule:    raisePermission(),
		},
	},
	{
		name:   settingModels,
		about:  "a list of the models that can be asked, by their names on the server",
		closes: true,
		value: typed[[]Item, []string]{
			field: func(p *Policy) *[]string { return &p.Models },
			kind:  allowed(checkModel, "all that the server has"),
			rule:  narrow(),
		},
	},
	{
		name:  settingModel,
		about: "the model that is asked when a command names none",
		value: typed[string, string]{
			field: func(p *Policy) *string { return &p.Model },
			kind:  word(checkModel, "the first that is allowed"),
			rule:  chooseModel(),
		},
	},
	{
		name:  "format",
		about: "the edit format that the model is asked for",
		value: typed[string, string]{
			field: func(p *Policy) *string { return &p.Format },
			kind:  word(checkFormat, "what suits the model"),
			rule:  choose[string](),
		},
	},
	{
		name:  "label",
		about: "the label that starts a `fix` when it is set on an issue or pull request",
		value: typed[string, string]{
			field:   func(p *Policy) *string { return &p.Label },
			initial: DefaultLabel,
			kind:    word(checkLabel, "none"),
			rule:    choose[string](),
		},
	},
	{
		name:  "base",
		about: "the branch that work on issues starts from",
		value: typed[string, string]{
			field: func(p *Policy) *string { return &p.Base },
			kind:  word(checkBranch, "the default branch"),
			rule:  choose[string](),
		},
	},
	{
		name:   "partial",
		about:  "`commit` the edits that fit, or `hold` all back unless everything fits",
		closes: true,
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.Hold },
			kind:  toggle("hold", "commit"),
			rule:  latch("hold", "%s holds back what fits only in part"),
		},
	},
	{
		name: "syntax",
		about: "`refuse` the edits of a file that does not parse after them, unless `/tenon apply` names them, " +
			"or `warn` and commit them",
		closes: true,
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.WarnOnly },
			kind:  toggle("warn", "refuse"),
			rule:  permit("refuse", "%s refuses what does not parse"),
		},
	},
	{
		name:  "commits",
		about: "`verified`: made by GitHub's API, which signs them; `push`: pushed by git",
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.Push },
			kind:  toggle("push", "verified"),
			rule:  choose[bool](),
		},
	},
	{
		name:  "line_endings",
		about: "`keep` each file's, or `lf` in every file that is edited",
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.LineFeeds },
			kind:  toggle("lf", "keep"),
			rule:  choose[bool](),
		},
	},
	{
		name:   "protected",
		about:  "a list of globs of paths that are never written",
		closes: true,
		value: typed[[]Item, []string]{
			field: func(p *Policy) *[]string { return &p.Protected },
			kind:  globs(),
			rule:  add(),
		},
	},
	{
		name:   "ignore",
		about:  "a list of globs of paths that are never shown to a model",
		closes: true,
		value: typed[[]Item, []string]{
			field: func(p *Policy) *[]string { return &p.Ignore },
			kind:  globs(),
			rule:  add(),
		},
	},
	{
		name:  "instructions",
		about: "text for the model, up to 4,000 bytes",
		value: typed[string, []Instruction]{
			field: func(p *Policy) *[]Instruction { return &p.Instructions },
			kind:  instructions(),
			rule:  addInstruction(),
		},
	},
	{
		name:   "autofix",
		about:  "`off`, or a number of rounds up to 5. Nothing uses it yet: failed workflows start nothing",
		closes: true,
		value: typed[int, int]{
			field: func(p *Policy) *int { return &p.Autofix },
			kind:  rounds(),
			rule:  lowerRounds(),
		},
	},
	{
		name:   "limits.files",
		about:  "how many files one command may change",
		closes: true,
		value: typed[int, int]{
			field:   func(p *Policy) *int { return &p.Bounds.Files },
			initial: maxFiles,
			kind:    number(maxFiles, ""),
			rule:    lower[int](),
		},
	},
	{
		name:   "limits.blocks",
		about:  "how many edits one command may make",
		closes: true,
		value: typed[int, int]{
			field:   func(p *Policy) *int { return &p.Bounds.Blocks },
			initial: maxBlocks,
			kind:    number(maxBlocks, ""),
			rule:    lower[int](),
		},
	},
	{
		name:   "limits.tokens",
		about:  "how many tokens one command may take of a model, in and out",
		closes: true,
		value: typed[int64, int64]{
			field:   func(p *Policy) *int64 { return &p.Bounds.Tokens },
			initial: MaxTokensIn + MaxTokensOut,
			kind:    number[int64](MaxTokensIn+MaxTokensOut, ""),
			rule:    lower[int64](),
		},
	},
	{
		name:   "limits.code_tokens",
		about:  "how many tokens of code one prompt may show, at least 2,000; 12,000 suits small models",
		closes: true,
		value: typed[int, int]{
			field:   func(p *Policy) *int { return &p.Bounds.CodeTokens },
			initial: MaxCodeTokens,
			kind:    numberFrom(MinCodeTokens, MaxCodeTokens, ""),
			rule:    lower[int](),
		},
	},
	{
		name:   "budget.user.commands",
		about:  "how many commands of one person may ask a model",
		closes: true,
		value: typed[int64, int64]{
			field:   func(p *Policy) *int64 { return &p.Budget.UserCommands },
			initial: defaultBudget.UserCommands,
			kind:    number[int64](maxBudget, " a day"),
			rule:    lower[int64](),
		},
	},
	{
		name:   "budget.repository.commands",
		about:  "how many commands in the repository may ask a model",
		closes: true,
		value: typed[int64, int64]{
			field:   func(p *Policy) *int64 { return &p.Budget.RepositoryCommands },
			initial: defaultBudget.RepositoryCommands,
			kind:    number[int64](maxBudget, " a day"),
			rule:    lower[int64](),
		},
	},
	{
		name:   "budget.repository.tokens",
		about:  "how many tokens commands in the repository may take, in and out",
		closes: true,
		value: typed[int64, int64]{
			field:   func(p *Policy) *int64 { return &p.Budget.RepositoryTokens },
			initial: defaultBudget.RepositoryTokens,
			kind:    number[int64](maxBudget, " a day"),
			rule:    lower[int64](),
		},
	},
	{
		name:   "budget.organisation.tokens",
		about:  "how many tokens commands in all repositories of the owner may take, in and out",
		closes: true,
		value: typed[int64, int64]{
			field:   func(p *Policy) *int64 { return &p.Budget.OwnerTokens },
			initial: defaultBudget.OwnerTokens,
			kind:    number[int64](maxBudget, " a month"),
			rule:    lower[int64](),
		},
	},
}

func settingNamed(name string) (setting, bool) {
	i := slices.IndexFunc(settings, func(s setting) bool { return s.name == name })
	if i < 0 {
		return setting{}, false
	}
	return settings[i], true
}

// ShownSetting is a setting as people read it.
type ShownSetting struct {
	Key string
	// Value is Markdown for a cell of a table.
	Value string
}

// Shown returns all settings as people read them.
func (p Policy) Shown() []ShownSetting {
	var rows []ShownSetting
	for _, s := range settings {
		rows = append(rows, ShownSetting{s.name, s.value.show(p)})
	}
	return rows
}
