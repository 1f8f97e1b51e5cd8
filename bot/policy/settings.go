package policy

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/schema"
	"github.com/tenon-bot/tenon/prompts"
)

// Names of settings that are asked for outside of the table.
const (
	settingModels = "models"
	settingModel  = "model"
	settingChoose = "choose_model"
)

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
			rule:  latch("disable", "%s disables tenon, and it can only be enabled there"),
		},
	},
	{
		name:   "verbs",
		about:  "a list of the commands that people may give; `help`, `status`, `config` and `cancel` always work",
		closes: true,
		value: typed[[]Item, []string]{
			field: func(p *Policy) *[]string { return &p.Verbs },
			kind:  allowed(checkVerb, verbForm(), "all"),
			rule:  narrow(),
		},
	},
	{
		name: "who",
		about: "the permission that all commands except `help`, `status`, `config` and `cancel` need: `write`, `maintain` " +
			"or `admin`",
		closes: true,
		value: typed[port.Permission, port.Permission]{
			field:   func(p *Policy) *port.Permission { return &p.Who },
			initial: port.PermissionWrite,
			kind:    permission(),
			rule:    raisePermission(),
		},
	},
	{
		name: "apps",
		about: "a list of the GitHub Apps, by their names in URLs, through which people may give commands; " +
			"tenon treats text that any other App writes for a person as written by a bot",
		closes: true,
		value: typed[[]Item, []string]{
			field: func(p *Policy) *[]string { return &p.Apps },
			kind:  allowed(checkApp, schema.Text(appName.String()), "none"),
			rule:  narrow(),
		},
	},
	{
		name:   settingModels,
		about:  "a list of the models that tenon may ask, by their names on the server",
		closes: true,
		value: typed[[]Item, []string]{
			field: func(p *Policy) *[]string { return &p.Models },
			kind:  allowed(checkModel, schema.Text(modelName.String()), "all that the server has"),
			rule:  narrow(),
		},
	},
	{
		name:  settingModel,
		about: "the model to ask if a command names none",
		value: typed[string, string]{
			field: func(p *Policy) *string { return &p.Model },
			kind:  word(checkModel, schema.Text(modelName.String()), "the first that is allowed"),
			rule:  chooseModel(),
		},
	},
	{
		name: "format",
		about: "the edit format to ask the model for, or `auto`: that in which most of its edits [were " +
			"applied](operating.md#formats)",
		value: typed[string, string]{
			field: func(p *Policy) *string { return &p.Format },
			kind:  word(checkFormat, schema.Words(prompts.Choices()...), "what suits the model"),
			rule:  choose[string](),
		},
	},
	{
		name: "retrieval",
		about: "how the code that a model sees is found if a command does not name it: `choose` asks a model first, by a " +
			"list of the likeliest files and what they define, which of them it has to see; `rank` shows those that fit the " +
			"text best. See [what the model sees](commands.md#what-the-model-sees)",
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.Rank },
			kind:  toggle("rank", "choose"),
			rule:  choose[bool](),
		},
	},
	{
		name:  settingChoose,
		about: "the model that chooses files with `retrieval: choose`; a small and cheap one may do",
		value: typed[string, string]{
			field: func(p *Policy) *string { return &p.ChooseModel },
			kind:  word(checkModel, schema.Text(modelName.String()), "the one that is asked to edit or answer"),
			rule:  chooseModel(),
		},
	},
	{
		name:  "label",
		about: "the label that starts a `fix` when somebody adds it to an issue or pull request",
		value: typed[string, string]{
			field:   func(p *Policy) *string { return &p.Label },
			initial: DefaultLabel,
			kind:    word(checkLabel, labelForm(), "none"),
			rule:    choose[string](),
		},
	},
	{
		name: "strangers",
		about: "what that label does if the author of the issue or pull request has no write permission: `preview` the " +
			"edits, or `commit` them",
		closes: true,
		value: typed[Strangers, Strangers]{
			field: func(p *Policy) *Strangers { return &p.Strangers },
			kind:  strangers(),
			rule:  tightenStrangers(),
		},
	},
	backportLabels,
	{
		name: "notify",
		about: "whom an answer notifies when the command is done: the `requester`, who gave the command, or `none`; " +
			"nobody else is ever mentioned",
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.Quiet },
			kind:  toggle("none", "requester"),
			rule:  choose[bool](),
		},
	},
	{
		name:   "ready",
		about:  "`allow` or `refuse` `/tenon ready`, which marks a draft that tenon opened as ready for review",
		closes: true,
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.Ready },
			kind:  toggle("allow", "refuse"),
			rule:  permit("refuse", "%s leaves it to people to mark drafts as ready"),
		},
	},
	{
		name:  "base",
		about: "the branch from which tenon starts work on an issue",
		value: typed[string, string]{
			field: func(p *Policy) *string { return &p.Base },
			kind:  word(checkBranch, branchForm(), "the default branch"),
			rule:  choose[string](),
		},
	},
	{
		name:   "partial",
		about:  "`commit` the edits that fit even if others fail, or `hold` all of them unless every edit fits",
		closes: true,
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.Hold },
			kind:  toggle("hold", "commit"),
			rule:  latch("hold", "%s requires that all edits fit"),
		},
	},
	{
		name: "syntax",
		about: "`refuse` edits after which a file no longer parses, unless `/tenon apply` names them, or `warn` and " +
			"commit them",
		closes: true,
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.WarnOnly },
			kind:  toggle("warn", "refuse"),
			rule:  permit("refuse", "%s refuses edits after which a file does not parse"),
		},
	},
	{
		name: "unchecked",
		about: "`commit` edits of a file that was not checked for syntax, because it is too large or that is too much " +
			"work, and say so in the answer, or `refuse` them",
		closes: true,
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.RefuseUnchecked },
			kind:  toggle("refuse", "commit"),
			rule:  latch("refuse", "%s refuses edits of files that are not checked"),
		},
	},
	{
		name: "unusual",
		about: "`refuse` edits that add text which readers cannot see or may misread, such as characters that " +
			"change the direction of text, or `mark` them in the answer and commit them",
		closes: true,
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.MarkUnusual },
			kind:  toggle("mark", "refuse"),
			rule:  permit("refuse", "%s refuses text that readers cannot see"),
		},
	},
	cautionRow,
	newLinesRow,
	{
		name:  "commits",
		about: "`verified`: commits are made by GitHub's API, which signs them; `push`: they are pushed by git, unsigned",
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.Push },
			kind:  toggle("push", "verified"),
			rule:  choose[bool](),
		},
	},
	{
		name: "verify",
		about: "the file name of a workflow in `.github/workflows` that must pass before edits are committed; see " +
			"[below](#verify)",
		closes: true,
		value: typed[string, string]{
			field: func(p *Policy) *string { return &p.Verify },
			kind:  word(checkWorkflow, schema.Text(workflowFile.String()), "none"),
			rule:  demand("%s requires that %s passes"),
		},
	},
	{
		name:  "line_endings",
		about: "`keep` the line endings of each file, or write `lf` in every file that is edited",
		value: typed[bool, bool]{
			field: func(p *Policy) *bool { return &p.LineFeeds },
			kind:  toggle("lf", "keep"),
			rule:  choose[bool](),
		},
	},
	{
		name:   "protected",
		about:  "globs of paths that tenon never writes",
		closes: true,
		value: typed[[]Item, []string]{
			field: func(p *Policy) *[]string { return &p.Protected },
			kind:  globs(),
			rule:  add(),
		},
	},
	{
		name:   "ignore",
		about:  "globs of paths that tenon never shows to a model",
		closes: true,
		value: typed[[]Item, []string]{
			field: func(p *Policy) *[]string { return &p.Ignore },
			kind:  globs(),
			rule:  add(),
		},
	},
	{
		name:   "secret_files",
		about:  "globs of files with secrets, which tenon neither shows nor edits",
		closes: true,
		value: typed[[]Item, []string]{
			field: func(p *Policy) *[]string { return &p.SecretFiles },
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
		name: "ci",
		about: "what tenon does with the CI results of its commits: `follow` shows them in the last line of the answer; " +
			"`mention` does so too, and mentions whoever gave the command if CI failed (useful only with `notify: none`); " +
			"`ignore` does nothing",
		value: typed[CI, CI]{
			field:   func(p *Policy) *CI { return &p.CI },
			initial: FollowCI,
			kind:    continuousIntegration(),
			rule:    choose[CI](),
		},
	},
	{
		name: "autofix",
		about: "`off`, or how many rounds, up to 5, tenon makes without being asked when CI fails on its commit; " +
			"never on forks, and never with `ci: ignore`",
		closes: true,
		value: typed[int, int]{
			field: func(p *Policy) *int { return &p.Autofix },
			kind:  rounds(),
			rule:  lowerRounds(),
		},
	},
	{
		name:   "limits.files",
		about:  "the most files that one command may change",
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
		about:  "the most edits that one command may make",
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
		about:  "the most tokens that one command may use, in and out",
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
		about:  "the most tokens of code that one prompt may show, at least 2,000; 12,000 suits small models",
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
		about:  "the most commands by one person that may ask a model",
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
		about:  "the most commands in the repository that may ask a model",
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
		about:  "the most tokens that commands in the repository may use, in and out",
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
		about:  "the most tokens that commands in all repositories of the owner may use, in and out",
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
