package retrieve

import (
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// Query is what files are selected for.
type Query struct {
	// Repos opens other commits of Repo, for links to them.
	Repos repo.Opener
	Repo  port.RepoRef
	// Branch is the one to be committed to.
	Branch string
	Policy policy.Policy
	// Comment is the one with the command: its place on the diff counts. Its text counts if it is among Texts.
	Comment port.Comment
	// Page is the address of the issue or pull request: links to files count if they lead to the same host.
	Page string
	// Options are paths that the command names. Task are files that it is about for another reason.
	Options []string
	Task    []TaskFile
	// Command is the text of the comment with the command. Title and About are those of the issue or pull request. All
	// are texts in which files are named, and by whose words they are ranked.
	Command, Title, About string
	// Output is what tools printed, such as the lines of a log that say why CI failed: the files that it names count as if
	// the command named them, and its words rank the others. It is no Markdown.
	Output string
	// Chosen are what a model chose from an Offer for the same query; nil if it was not asked. Beside what is certain and
	// what it chose, Select shows only the best two others then.
	Chosen []Ask
	// Documents keeps what is known of the repository's files from one selection to the next; nil for a new one.
	Documents *lexical.Cache
	// Changed is what the pull request changes.
	Changed []port.ChangedFile
	// Masked are the files of the run without their secrets; nil for those of a run that has masked none yet.
	Masked *secret.Files
	// Along are files that are fetched with the first that are loaded, and not shown for that.
	Along []string
	// Seen is what the model was shown before; Answer looks at it, and Select does not.
	Seen Seen
}

// TaskFile is a file that a command is about, and its lines; zero for no line in particular.
type TaskFile struct {
	Path  string
	Lines Span
}

// Found is what was selected for a prompt.
type Found struct {
	Files    []prompts.File
	Listings []prompts.Listing
	// Paths are those of the sources, each folder once. Unlisted counts those for which there was no room.
	Paths    []prompts.Listing
	Unlisted int
	// Project describes the project in a line; empty if it has no sources.
	Project string
	// Missing are names in the texts that no file has.
	Missing   []string
	Selection Selection
}

// Selection says what was selected, and why. It is recorded as JSON.
type Selection struct {
	// Shown maps each file that the model sees to the SHA-256 of its bytes.
	Shown map[string]string `json:"shown"`
	// Files says of each shown file why, and which of its lines.
	Files []ShownFile `json:"files,omitempty"`
	// LeftOut are files that were meant but not shown, each with the reason.
	LeftOut []LeftOut `json:"left_out,omitempty"`
	// ReadOnly maps the files that were shown without the secrets in them to what those are. No reply may edit them: it
	// would be an edit of something that the model has not seen.
	ReadOnly map[string]string `json:"read_only,omitempty"`
}

// ShownFile says of a file that is shown why, and how much of it.
type ShownFile struct {
	Path  string `json:"path"`
	Why   string `json:"why"`
	Score int    `json:"score"`
	// Rank is the file's place, from 1, in the ranking by the words of the texts; 0 if it is not in it.
	Rank int `json:"rank,omitempty"`
	// Parts are the lines that are shown, none if all are. Lines is how many the file has.
	Parts []Span `json:"parts,omitempty"`
	Lines int    `json:"lines"`
}

// LeftOut says of a file that is not shown, or not as it was meant, why.
type LeftOut struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Seen is what a model was shown before it asks.
type Seen struct {
	Selection
	// Asks are those that were answered, as Given has them.
	Asks []string
}
