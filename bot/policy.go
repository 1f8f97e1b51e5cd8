package bot

// Policy is what holds for one repository: the settings of the server, the organisation and the repository, merged.
type Policy struct {
	// Disabled says that nothing is done here.
	Disabled bool
	// Verbs are those allowed; nil means all.
	Verbs []string
	// Who is the least permission of whoever has something changed: write, maintain or admin.
	Who Permission
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
	// Instructions are added to the conventions that the model reads.
	Instructions string
	// Autofix is how many rounds a failed workflow may be fixed in without anybody asking; 0 is off.
	Autofix int
	Bounds  Bounds
	Budget  Limits
}

// Bounds are on one command. A zero field is the default.
type Bounds struct {
	// Files is how many files one command may change, Blocks how many edits it may make.
	Files, Blocks int
	// Tokens is what one command may take, in and out.
	Tokens int64
}

// DefaultLabel is the label that starts a fix.
const DefaultLabel = "tenon"

// DefaultPolicy is what holds where nothing is configured.
func DefaultPolicy() Policy {
	return Policy{Who: PermissionWrite, Label: DefaultLabel, Budget: Limits{}.WithDefaults()}
}
