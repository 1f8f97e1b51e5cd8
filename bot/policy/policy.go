package policy

import (
	"maps"

	"github.com/tenon-bot/tenon/bot/port"
)

// Policy is what holds for one repository: the settings of the server, the organisation and the repository, merged.
type Policy struct {
	// Disabled says that nothing is done here.
	Disabled bool
	// Verbs are those allowed; nil means all.
	Verbs []string
	// Who is the least permission of whoever has something changed: write, maintain or admin.
	Who port.Permission
	// Model is the one that is asked unless a command names another; empty means the first that may be used. Models are those
	// that may be asked for; nil means all.
	Model  string
	Models []string
	// Format is the edit format that the model is asked for; empty means the one for its name.
	Format string
	// Label starts a fix when it is set on an issue or pull request.
	Label string
	// Base is the branch that work on issues starts from; empty means the default branch.
	Base string
	// Hold says that nothing is committed unless all edits fit.
	Hold bool
	// Push says that commits are pushed by git, rather than made by the API and signed by GitHub.
	Push bool
	// LineFeeds says that files with other line endings get line feeds.
	LineFeeds bool
	// Protected and Ignore are globs of paths that are never written, and never shown, beside the built-in ones.
	Protected, Ignore []string
	// Instructions are for the model: the organisation's, then the repository's, each with where it stands.
	Instructions []Instruction
	// Autofix is how many rounds a failed workflow may be fixed in without anybody asking; 0 is off.
	Autofix int
	Bounds  Bounds
	Budget  port.Limits

	// Marks tell where the value of a key comes from, by its name; a key without any has its default.
	Marks map[string][]Mark
	// Files are the files that were read.
	Files map[Origin]SettingsFile
	// Problems are what is wrong in them, in their order.
	Problems []Problem
	// Unread says what could not be read, and what to do about it, as Markdown; empty when all was.
	Unread string
}

// Instruction is a text for the model.
type Instruction struct {
	Origin Origin
	Text   string
}

// Bounds are on one command. They can be lowered, not raised.
type Bounds struct {
	// Files is how many files one command may change, Blocks how many edits it may make.
	Files, Blocks int
	// Tokens is what one command may take, in and out.
	Tokens int64
}

// Where settings are read from.
const (
	// SettingsPath is where a repository keeps its settings, and SettingsRepo the repository of an owner's.
	SettingsPath = ".github/tenon.yml"
	SettingsRepo = ".github"
	// MaxSettings bounds a file of settings, in bytes.
	MaxSettings = 64 << 10
)

// DefaultLabel is the label that starts a fix.
const DefaultLabel = "tenon"

// DefaultPolicy is what holds where nothing is configured. Its bounds are the highest there are; that on blocks is the engine's.
func DefaultPolicy() Policy {
	return Policy{
		Who: port.PermissionWrite, Label: DefaultLabel,
		Bounds: Bounds{Files: 200, Blocks: 200, Tokens: MaxTokensIn + MaxTokensOut},
		Budget: port.Limits{}.WithDefaults(),
	}
}

// ServerPolicy is what holds on a server where no other layer says anything.
func ServerPolicy(l Layer) Policy { return DefaultPolicy().Under(Server, l) }

// under is the policy with one more layer below it. What the layer may not do becomes a problem, and nothing else.
func (p Policy) Under(from Origin, l Layer) Policy {
	p.Marks = maps.Clone(p.Marks)
	if p.Marks == nil {
		p.Marks = map[string][]Mark{}
	}
	for _, key := range policyKeys {
		key.take(&ruling{Policy: &p, from: from, key: key.name}, l)
	}
	return p
}
