package port

// Forge is a place where repositories are worked on, as far as all of them are alike.
type Forge interface {
	Access
	Threads
	Pulls
	Checks
	Branches
	// Links returns the addresses of the pages of a thread's repository.
	Links(t Thread) Links
	// Has reports whether the forge has a feature. The bot does without those that it lacks, and does not call their
	// methods.
	Has(f Feature) bool
}

// Feature is something that a forge may lack.
type Feature int

// The features.
const (
	// FeatureChecks are check runs: the methods of Checks.
	FeatureChecks Feature = iota
	// FeatureReactions are reactions to comments: React.
	FeatureReactions
	// FeatureSuggestions are suggested lines that a person commits with a click: Suggest.
	FeatureSuggestions
	// FeatureVerifiedCommits are commits that the forge makes and signs: Upload. Without them, commits are pushed.
	FeatureVerifiedCommits
)

// ForgeFolder is the folder in which a repository keeps what the forge, and apps on it, read. An organisation's own
// repository of such files has the same name.
const ForgeFolder = ".github"

// Links are the addresses of the pages of a repository.
type Links interface {
	// Of returns the links of another repository of the forge, "owner/name".
	Of(repo string) Links
	// Repository is the page of the repository itself, without a slash at its end.
	Repository() string
	// Thread is the page of an issue or, if pull is true, of a pull request.
	Thread(number int, pull bool) string
	// Checks is the page with the check runs of a pull request, whose own page is pull.
	Checks(pull string) string
	Commit(sha string) string
	// Compare is the page that shows what changed from one commit to another.
	Compare(from, to string) string
	// NewPull is the page on which a person opens a pull request.
	NewPull(base, branch string) string
	// File is the page of a file at a commit, at some of its lines unless from is 0.
	File(sha, path string, from, to int) string
	WorkflowRun(id int64) string
}
