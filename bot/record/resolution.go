package record

import "fmt"

// Resolution is how far the conflicts of a merge are settled at the end of a run, and what people were shown of them.
type Resolution struct {
	// Root is the run whose answer shows the conflicts, with their boxes.
	Root string `json:"root"`
	// Tip is the commit of the branch into which the merge of the run is made, Base the one from which both are compared.
	Tip  string `json:"tip"`
	Base string `json:"base"`
	// Conflicts are those of the merge, in order: the first is C1.
	Conflicts []ResolvedConflict `json:"conflicts"`
	// Broken are the SHA-256, in hexadecimal, of texts that the choices make, of which people were told what is wrong.
	Broken []string `json:"broken,omitempty"`
	// Boxed are the numbers of the conflicts whose proposal has a box, so that people were shown it whole.
	Boxed []int `json:"boxed,omitempty"`
	// Unasked is why no model was asked, or not about everything, as a sentence in Markdown; empty if one was, or was not
	// to be.
	Unasked string `json:"unasked,omitempty"`
}

// ResolvedConflict is a conflict, and what is known of it. Choices are as package engine/choice writes them.
type ResolvedConflict struct {
	// Key is made from the path, the kind and the sides of the conflict.
	Key string `json:"key"`
	// Proposal is what a model chose, or a person chose who has to look at it again; Choice is what was accepted.
	// Both may be empty.
	Proposal string `json:"proposal,omitempty"`
	Choice   string `json:"choice,omitempty"`
	// ByHand reports that a person made the choice.
	ByHand bool `json:"by_hand,omitempty"`
	// Note is a question of the model, or why there is no proposal, as plain text.
	Note string `json:"note,omitempty"`
}

// Open returns the numbers of the conflicts without an accepted choice.
func (r Resolution) Open() (numbers []int) {
	for i, c := range r.Conflicts {
		if c.Choice == "" {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// LastResolution returns the newest resolution of a run; ok is false if there is none.
func (r Record) LastResolution() (out Resolution, ok bool) {
	if n := len(r.Resolutions); n > 0 {
		return r.Resolutions[n-1], true
	}
	return Resolution{}, false
}

// Resolved is how far the conflicts of a merge are settled, for the nth time from 1: again if the branch moved over
// them.
func Resolved(n int) Step[Resolution] {
	return nth(fmt.Sprintf("%s%d", resolvePrefix, n), 1, n, func(r *Record) *[]Resolution { return &r.Resolutions })
}

func stripResolution(r *Resolution) {
	for i, c := range r.Conflicts {
		r.Conflicts[i] = ResolvedConflict{Key: c.Key, ByHand: c.ByHand}
	}
	r.Unasked = ""
}
