package entity

import (
	"slices"
	"time"
)

// Pull is what a pull request has beside its issue.
type Pull struct {
	ID             int64
	HeadRepo       *Repository // nil when the fork is gone
	HeadLabel      string      // "owner:branch"
	HeadRef        string
	HeadSHA        string
	BaseRef        string
	BaseSHA        string
	Draft          bool
	Merged         *time.Time
	MergedBy       *User
	MergeSHA       string
	CanModify      bool
	Mergeable      *bool
	MergeableState string
	Comments       []*ReviewComment
	Reviews        []*Review
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

// PendingOf returns a user's pending review, or nil.
func (p *Pull) PendingOf(u *User) *Review {
	for _, rv := range p.Reviews {
		if rv.User == u && rv.State == ReviewPending {
			return rv
		}
	}
	return nil
}
