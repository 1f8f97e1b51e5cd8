package simhttp

// who is the kind of credentials that a route requires.
type who int

const (
	_              who = iota
	asApp              // a JSON web token of the App
	asInstallation     // an installation token
	asAnybody          // none
	asUser             // the token of a person
)

// route is one operation of the REST API.
type route struct {
	method, path string
	as           who
	// needs are alternatives, "permission:level": the token must have one of them. None means any token.
	needs []string
	do    func(*call) (*answer, error)
}

func needs(alternatives ...string) []string { return alternatives }

// The permissions of conversations: "At least one of" in GitHub's documentation, of which answer selects by the kind of
// thread.
var (
	threadRead  = needs("issues:read", "pull_requests:read")
	threadWrite = needs("issues:write", "pull_requests:write")
)
