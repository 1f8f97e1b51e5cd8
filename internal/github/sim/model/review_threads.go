package model

import (
	"slices"
)

// ReviewThread is the state of a review thread.
type ReviewThread struct {
	ID       int64
	Resolved *User // who resolved it, nil while it is open
}

// Threads returns the submitted review comments by thread, oldest first.
func (p *Pull) Threads() [][]*ReviewComment {
	var list [][]*ReviewComment
	for _, rc := range p.Comments {
		i := slices.IndexFunc(list, func(t []*ReviewComment) bool { return t[0].Thread == rc.Thread })
		if i < 0 {
			i = len(list)
			list = append(list, nil)
		}
		list[i] = append(list[i], rc)
	}
	return list
}
