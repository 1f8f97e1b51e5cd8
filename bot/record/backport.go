package record

import "github.com/tenon-bot/tenon/bot/backport"

// Backport is what a run replays: the commits of a merged pull request.
type Backport struct {
	// Title is that of the pull request, Base the branch that it was merged into.
	Title string `json:"title"`
	Base  string `json:"base"`
	// Commits are those to be made, oldest first.
	Commits []backport.Commit `json:"commits"`
}

// Picked is what a backport has made for one branch.
type Picked struct {
	// Branch is the branch, Tip the commit that it pointed to, and Head the new branch, empty if there is to be none.
	Branch string `json:"branch"`
	Tip    string `json:"tip,omitempty"`
	Head   string `json:"head,omitempty"`
	// Made are the new commits, oldest first; none is on a branch yet. Changed are the paths that they change.
	Made    []PickedCommit `json:"made,omitempty"`
	Changed []string       `json:"changed,omitempty"`
	// AsOne means that the new commit stands for all that are not There, because one of them conflicts alone.
	AsOne bool `json:"as_one,omitempty"`
	// There are the commits that the branch has already: each with the one of the branch by which it has it, empty if the
	// commit changes nothing there.
	There []PickedCommit `json:"there,omitempty"`
	// Conflict is the commit that cannot be replayed, and Results say why; empty if all can.
	Conflict string   `json:"conflict,omitempty"`
	Results  []Result `json:"results,omitempty"`
	// Settled counts the conflicts that were settled by choosing, New the lines of that which no side has, and Broken the
	// texts that have a problem with it.
	Settled int `json:"settled,omitempty"`
	New     int `json:"new,omitempty"`
	Broken  int `json:"broken,omitempty"`
	// Refused is why there is no backport to the branch, in sentences, as Markdown; empty if nothing else is in the way.
	Refused string `json:"refused,omitempty"`
	// Open is the pull request of an earlier backport to the branch that is still open, 0 for none.
	Open    int    `json:"open,omitempty"`
	OpenURL string `json:"open_url,omitempty"`
}

// SettledPicks is how far the conflicts of a backport to a branch are settled.
type SettledPicks struct {
	Branch string `json:"branch"`
	// Commit is what was merged: all commits as one.
	Commit backport.Commit `json:"commit"`
	// Conflicts are those of the merge, in order: the first is C1.
	Conflicts []ResolvedConflict `json:"conflicts"`
	// Unasked is why no model was asked, or not about everything, in sentences, as Markdown; empty if one was, or was not
	// to be.
	Unasked string `json:"unasked,omitempty"`
	// Calls is how often the run had asked a model by then.
	Calls int `json:"calls,omitempty"`
}

// SettledFor returns the number of the step that has the conflicts of a backport to a branch, or would have them: the
// last, if there are several, as the branch moved while the run waited.
func (r Record) SettledFor(branch string) int {
	for i := len(r.SettledPicks); i > 0; i-- {
		if r.SettledPicks[i-1].Branch == branch {
			return i
		}
	}
	return len(r.SettledPicks) + 1
}

// PickedCommit is a commit of a pull request, and the one that stands for it on another branch.
type PickedCommit struct {
	Of  string `json:"of"`
	SHA string `json:"sha,omitempty"`
}

// SHA returns the last new commit, empty if there is none.
func (p Picked) SHA() string {
	if n := len(p.Made); n > 0 {
		return p.Made[n-1].SHA
	}
	return ""
}

// PickedPull is what has become of the new commits for one branch.
type PickedPull struct {
	// Pull is the pull request, 0 if there is none. Draft reports whether it was opened as a draft.
	Pull  int    `json:"pull,omitempty"`
	URL   string `json:"url,omitempty"`
	Draft bool   `json:"draft,omitempty"`
	// Pushed reports whether the new branch was made. Refused is why not, as a clause, and Said are GitHub's words.
	Pushed  bool   `json:"pushed,omitempty"`
	Refused string `json:"refused,omitempty"`
	Said    string `json:"said,omitempty"`
	// Unopened is why GitHub opens no pull request, in its words.
	Unopened string `json:"unopened,omitempty"`
}

// backports returns the new commits of the branches that the run made, each as one.
func (r Record) backports() (list []Commit) {
	for i, o := range r.Backports {
		if !o.Pushed || i >= len(r.Picks) {
			continue
		}
		p := r.Picks[i]
		list = append(list, Commit{Run: r.ID, SHA: p.SHA(), Base: p.Tip, Branch: p.Head, Changed: p.Changed, Picks: true})
	}
	return list
}
