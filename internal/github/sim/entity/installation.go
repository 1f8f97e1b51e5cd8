package entity

import "time"

// Installation is the installation of the App on an account.
type Installation struct {
	ID          int64
	Account     *User
	Repos       map[int64]bool // by id; nil = all of the account
	Permissions map[string]string
	Created     time.Time
	Suspended   *time.Time
}

// Covers reports whether the installation includes a repository.
func (in *Installation) Covers(r *Repository) bool {
	return r.Owner == in.Account && (in.Repos == nil || in.Repos[r.ID])
}

// May reports whether the account granted a permission at "read" or "write".
func (in *Installation) May(permission, level string) bool {
	return allow(in.Permissions, permission, level)
}

func allow(permissions map[string]string, permission, level string) bool {
	has := permissions[permission]
	return has == "write" || has == "admin" || has == level && has != ""
}

// eventNeeds are the permissions without which an owner's installation gets no events of continuous integration.
var eventNeeds = map[string]string{"check_run": "checks", "check_suite": "checks", "status": "statuses",
	"workflow_run": "actions", "workflow_job": "actions"}

// Gets reports whether an installation has the permission that an event needs.
func (in *Installation) Gets(event string) bool {
	need := eventNeeds[event]
	return need == "" || in.May(need, "read")
}

// Usage counts the requests of an installation.
type Usage struct {
	Reset   time.Time // when the hour ends
	Used    int
	Content []time.Time // requests that created content, of the last hour
}
