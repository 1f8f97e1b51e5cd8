package record

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// committed is what became of the reply: the results of the blocks, and the commit, if there was anything to commit.
type Committed struct {
	Application
	SHA string `json:"sha,omitempty"`
	// Subject is the first line of its message.
	Subject string `json:"subject,omitempty"`
	// Held says that nothing was committed because not all edits fit.
	Held bool `json:"held,omitempty"`
	// Unpushed says why edits that fit were not committed; Patch are they.
	Unpushed string `json:"unpushed,omitempty"`
	Patch    Patch  `json:"patch,omitzero"`
	// Notes are those of them that are suggestions on the diff, Unoffered how many cannot be.
	Notes     []port.Suggestion `json:"notes,omitempty"`
	Unoffered int               `json:"unoffered,omitempty"`
	// Moves is how often the branch moved meanwhile.
	Moves int `json:"moves,omitempty"`
}

// applied is one application of the reply to one commit.
type Application struct {
	Base    string   `json:"base"`
	Results []Result `json:"results"`
	Changed []string `json:"changed"`
}

func (c Committed) Reaction() port.Reaction {
	if c.SHA != "" {
		return port.ReactionRocket
	}
	return port.ReactionConfused
}

func ApplyStep(try int) string { return fmt.Sprintf("apply.%d", try+1) }

// lastApplied is the newest recorded application and how many there are.
func (j *Journal) LastApplied() (last Application, tries int, err error) {
	for ; ; tries++ {
		a, ok, err := Get[Application](j, ApplyStep(tries))
		if !ok || err != nil {
			return last, tries, err
		}
		last = a
	}
}

// deed is a commit that a run made.
type Commit struct {
	Run string `json:"run"`
	// SHA is the commit, Base the one before it.
	SHA     string   `json:"sha"`
	Base    string   `json:"base"`
	Branch  string   `json:"branch"`
	Subject string   `json:"subject,omitempty"`
	Changed []string `json:"changed"`
	// Undoes is the run that it took back; empty for any other.
	Undoes string `json:"undoes,omitempty"`
}

// deedOf reads what a run committed; ok is false when that is nothing.
func CommitOf(run port.Run) (d Commit, ok bool, err error) {
	j := JournalOf(run)
	made, _, err := Get[Committed](j, "commit")
	if err != nil || made.SHA == "" {
		return Commit{}, false, err
	}
	t, _, err := Get[Target](j, "open")
	if err != nil {
		return Commit{}, false, err
	}
	taken, _, err := Get[Commit](j, "undo")
	return Commit{Run: run.ID, SHA: made.SHA, Base: made.Base, Branch: t.Branch, Subject: made.Subject, Changed: made.Changed, Undoes: taken.Run}, true, err
}

// patch is what `git apply` takes.
type Patch struct {
	Text string `json:"text,omitempty"`
	// LeftOut are the files that a patch in a comment cannot carry, each with the reason.
	LeftOut []retrieve.LeftOut `json:"left_out,omitempty"`
}
