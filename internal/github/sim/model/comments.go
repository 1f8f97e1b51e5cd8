package model

// MaxText is GitHub's limit for the body of a comment, review, issue or pull request, in characters.
const MaxText = 65536

// LockedFor reports whether a user cannot comment in a locked conversation: "only people with write access can add
// comments". It is not documented whether an App's write permission counts; here it does not.
func (is *Issue) LockedFor(u *User) bool { return is.Locked && !is.Repo.RoleOf(u).AtLeast(RoleWrite) }
