package record

import (
	"encoding/json"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Application is one application of the edits to one commit.
type Application struct {
	Base    string   `json:"base"`
	Results []Result `json:"results"`
	Changed []string `json:"changed"`
	// Cautions are what of the edits deserves a look.
	Cautions []Caution `json:"cautions,omitempty"`
}

// Committed is the result of the edits: their results, and the commit if there was anything to commit.
type Committed struct {
	Application
	SHA string `json:"sha,omitempty"`
	// Subject is the first line of the commit's message.
	Subject string `json:"subject,omitempty"`
	// Held reports whether nothing was committed because not all edits fit.
	Held bool `json:"held,omitempty"`
	// Unpushed is why edits that fit were not committed, as a clause, and Said are GitHub's words if it refused them.
	// Patch are they.
	Unpushed string `json:"unpushed,omitempty"`
	Said     string `json:"said,omitempty"`
	Patch    Patch  `json:"patch,omitzero"`
	// Staged is the SHA-256 of what was to be committed, in hexadecimal, if another branch may take it; else empty.
	Staged string `json:"staged,omitempty"`
	// Conflicts are the edits of files that got other changes in the same lines, for those files as the model saw them.
	Conflicts Patch `json:"conflicts,omitzero"`
	// Notes are those of them that are suggestions on the diff, Unoffered counts those that cannot be.
	Notes     []port.Suggestion `json:"notes,omitempty"`
	Unoffered int               `json:"unoffered,omitempty"`
	// Moves is how often the branch moved before the commit was made.
	Moves int `json:"moves,omitempty"`
}

// Patch is what `git apply` takes.
type Patch struct {
	Text string `json:"text,omitempty"`
	// LeftOut are the files that a patch in a comment cannot carry, each with the reason.
	LeftOut []retrieve.LeftOut `json:"left_out,omitempty"`
}

// Empty reports whether there is nothing to take.
func (p Patch) Empty() bool { return p.Text == "" && len(p.LeftOut) == 0 }

// UnmarshalJSON reads a patch. Its first form was the text alone.
func (p *Patch) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*p = Patch{}
		return json.Unmarshal(data, &p.Text)
	}
	type plain Patch
	return json.Unmarshal(data, (*plain)(p))
}

// Commit is a commit that a run made.
type Commit struct {
	Run string `json:"run"`
	// SHA is the commit, Base its parent.
	SHA     string   `json:"sha"`
	Base    string   `json:"base"`
	Branch  string   `json:"branch"`
	Subject string   `json:"subject,omitempty"`
	Changed []string `json:"changed"`
	// Undoes is the run whose commit it took back; empty for any other commit.
	Undoes string `json:"undoes,omitempty"`
	// Merges means that it merges another branch, or takes back a commit that does: it changes more than texts.
	Merges bool `json:"merges,omitempty"`
	// Picks means that it is the last of the commits of a backport, and Base the commit before the first of them, or that
	// it takes these back.
	Picks bool `json:"picks,omitempty"`
}

// Whole reports whether the commit is taken back as a whole, as it may change more than texts.
func (c Commit) Whole() bool { return c.Merges || c.Picks }

// Merge is what a run merges into its branch.
type Merge struct {
	// Branch has the commit SHA, which was its tip.
	Branch string `json:"branch"`
	SHA    string `json:"sha"`
}

// Merges reports whether the run merges another branch, or takes back a commit that does, or those of a backport.
func (r Record) Merges() bool { return r.Merge != nil || r.Undo != nil && r.Undo.Whole() }

// Commit returns the commit that the run made; ok is false if it made none.
func (r Record) Commit() (c Commit, ok bool) {
	if r.Committed == nil || r.Committed.SHA == "" {
		return Commit{}, false
	}
	made := r.Committed
	c = Commit{Run: r.ID, SHA: made.SHA, Base: made.Base, Subject: made.Subject, Changed: made.Changed,
		Merges: r.Merge != nil}
	if r.Target != nil {
		c.Branch = r.Target.Branch
	}
	if r.Undo != nil {
		c.Undoes, c.Merges, c.Picks = r.Undo.Run, r.Undo.Merges, r.Undo.Picks
	}
	return c, true
}

// AllCommits returns the commits that the run made, of which a backport has one for each branch.
func (r Record) AllCommits() []Commit {
	if c, ok := r.Commit(); ok {
		return []Commit{c}
	}
	return r.backports()
}

// LastApplication returns the newest application of the edits; the zero value if there is none.
func (r Record) LastApplication() Application {
	if n := len(r.Applications); n > 0 {
		return r.Applications[n-1]
	}
	return Application{}
}
