// Package policy decides what tenon may do in a repository. The settings of the server, of the organisation and of the
// repository are layers, each of which can only restrict those above it; merged, they are the repository's policy. All
// that tenon knows of a setting is its row in the table of settings.
package policy

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
)

// Policy is what applies in one repository: the settings of the server, the organisation and the repository, merged.
type Policy struct {
	// Disabled reports that nothing is done here.
	Disabled bool
	// Verbs are the allowed commands, beside those that are always allowed; nil means all.
	Verbs []string
	// Who is the least permission of whoever has something changed: write, maintain or admin.
	Who port.Permission
	// Apps are the names of the GitHub Apps through which people may give commands.
	Apps []string
	// Model is the model that is asked unless a command names another; empty means the first that is allowed. Models
	// are those that may be asked; nil means all.
	Model  string
	Models []string
	// Format is the edit format that the model is asked for; empty means the one for its name.
	Format string
	// Rank reports that files are shown by their rank, without asking a model to choose among them. ChooseModel is the
	// model that is asked to choose; empty means the one that is asked for all else.
	Rank        bool
	ChooseModel string
	// Label starts a fix when it is set on an issue or pull request.
	Label string
	// BackportLabels reports that labels of merged pull requests ask for backports.
	BackportLabels bool
	// Strangers is what the label does on what somebody without write permission wrote; empty means a preview in public
	// repositories and a commit in private ones.
	Strangers Strangers
	// Quiet reports that the answer of a run does not mention whoever gave the command.
	Quiet bool
	// Ready reports that a command may mark the drafts that tenon opened as ready for review.
	Ready bool
	// Base is the branch that work on issues starts from; empty means the default branch.
	Base string
	// Hold reports that nothing is committed unless all edits fit.
	Hold bool
	// WarnOnly reports that a file that does not parse after its edits is committed with a warning.
	WarnOnly bool
	// RefuseUnchecked reports that a file that is too large to be checked for syntax, or for which that is too much work,
	// is not edited.
	RefuseUnchecked bool
	// MarkUnusual reports that an edit that adds what a reader does not see is committed with a mark in the answer, and
	// not refused.
	MarkUnusual bool
	// HoldCautions reports that edits that deserve a look are shown, and not committed until a person takes them.
	HoldCautions bool
	// NewLines is what becomes of lines that a model writes to settle a conflict.
	NewLines NewLines
	// Push reports that commits are pushed by git rather than made by the API and signed by GitHub.
	Push bool
	// Verify is the name of the file of the workflow that has to pass before edits reach their branch; empty means none.
	Verify string
	// LineFeeds reports that files with other line endings get line feeds when they are edited.
	LineFeeds bool
	// Protected and Ignore are globs of paths that are never written and never shown, beside the built-in ones.
	Protected, Ignore []string
	// SecretFiles are globs of paths of files with secrets, beside the names that are known: they are neither shown nor
	// edited.
	SecretFiles []string
	// Instructions are for the model: the server's, the organisation's, then the repository's.
	Instructions []Instruction
	// CI is what is done with the CI results of a commit.
	CI CI
	// Autofix is in how many rounds what CI says of a commit may be fixed without being asked; 0 is off.
	Autofix int
	Bounds  Bounds
	Budget  port.Limits

	// Marks are the places that the value of a setting comes from, by its name; a setting without any has its default.
	Marks map[string][]Mark
	// Files are the files that were read.
	Files map[Origin]SettingsFile
	// Problems are what is wrong in them, in their order.
	Problems []Problem
	// Unread is what could not be read, and what to do about it, as Markdown; empty if all was.
	Unread string
}

// AllowsApp reports whether a comment counts that a GitHub App wrote on behalf of somebody. GitHub's names ignore case.
func (p Policy) AllowsApp(slug string) bool {
	return slices.ContainsFunc(p.Apps, func(name string) bool { return strings.EqualFold(name, slug) })
}

// Where settings are read from.
const (
	// SettingsPath is where a repository keeps its settings, and SettingsRepo the repository of an owner's.
	SettingsPath = port.ForgeFolder + "/tenon.yml"
	SettingsRepo = port.ForgeFolder
	// MaxSettings bounds a file of settings, in bytes.
	MaxSettings = 64 << 10
)

// DefaultLabel is the label that starts a fix.
const DefaultLabel = "tenon"

// Needs returns the least permission of whoever gives a command.
func (p Policy) Needs(c command.Command) port.Permission {
	if !c.AlwaysAllowed && c.Needs.Allows(port.PermissionWrite) && p.Who.Allows(c.Needs) {
		return p.Who
	}
	return c.Needs
}

// AllowsCommand reports whether the settings leave a command to those who may give it.
func (p Policy) AllowsCommand(c command.Command) bool {
	return c.AlwaysAllowed || p.Verbs == nil || slices.Contains(p.Verbs, c.Verb)
}

// AllowsModel reports whether a model may be asked.
func (p Policy) AllowsModel(name string) bool {
	return p.Models == nil || slices.ContainsFunc(p.Models, func(m string) bool { return strings.EqualFold(m, name) })
}

// Closed returns the first problem that may have lost a restriction, so that nothing may be changed.
func (p Policy) Closed() (Problem, bool) {
	i := slices.IndexFunc(p.Problems, func(problem Problem) bool { return problem.Closes })
	if i < 0 {
		return Problem{}, false
	}
	return p.Problems[i], true
}

// Strangers is what is done about a label on the issue or pull request of somebody who may not write here.
type Strangers string

// What is done with it.
const (
	PreviewStrangers Strangers = "preview"
	CommitStrangers  Strangers = "commit"
)
