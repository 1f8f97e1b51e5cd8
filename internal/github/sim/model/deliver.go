package model

//nolint:gosec // the legacy signature, which GitHub still sends beside the real one

// eventNeeds are the permissions without which an owner's installation gets no events of continuous integration.
var eventNeeds = map[string]string{"check_run": "checks", "check_suite": "checks", "status": "statuses",
	"workflow_run": "actions", "workflow_job": "actions"}

// Gets reports whether an installation has the permission that an event needs.
func (in *Installation) Gets(event string) bool {
	need := eventNeeds[event]
	return need == "" || (&Token{Permissions: in.Permissions}).May(need, "read")
}
