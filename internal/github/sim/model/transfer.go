package model

import (
	"strings"
)

// formerRepo returns the repository that had a name, or nil if there is none.
func (st *state) FormerRepo(fullName string) *Repository {
	if r := st.Repos[st.Formerly[strings.ToLower(fullName)]]; r != nil && !r.Deleted {
		return r
	}
	return nil
}
