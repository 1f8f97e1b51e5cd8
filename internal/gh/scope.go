package gh

import "github.com/google/go-github/v66/github"

// scope is the purpose of a token, which has only the permissions for it.
type scope int

const (
	_          scope = iota
	reading          // the context of a run
	answering        // comments and pull requests
	committing       // git push, and commits by the API
	// checking is for check runs, and for what CI says of a commit. It is not a part of answering: if an owner has not
	// accepted a permission, GitHub refuses any token with it. A token of it may be narrow (narrower).
	checking
	// readying is for marking pull requests as ready for review.
	readying
	// statusing, inspecting and starting are for what CI says without permission for check runs, for the jobs of GitHub
	// Actions, and for starting workflows. No other scope includes them, for the same reason.
	statusing
	inspecting
	starting
	// counting is for how many requests GitHub accepts. Its token is for no repository in particular, and reads metadata
	// alone.
	counting
)

// permissions returns the permissions of a token; every token can read metadata too.
func (s scope) permissions() *github.InstallationPermissions {
	read, write := github.String("read"), github.String("write")
	switch s {
	case answering:
		return &github.InstallationPermissions{Metadata: read, Issues: write, PullRequests: write}
	case checking: // GraphQL shows commits only to those who may read contents
		return &github.InstallationPermissions{Metadata: read, Checks: write, Statuses: read, Contents: read}
	case counting:
		return &github.InstallationPermissions{Metadata: read}
	case statusing:
		return &github.InstallationPermissions{Metadata: read, Statuses: read}
	case inspecting:
		return &github.InstallationPermissions{Metadata: read, Actions: read}
	case starting:
		return &github.InstallationPermissions{Metadata: read, Actions: write}
	case readying:
		return &github.InstallationPermissions{Metadata: read, PullRequests: write, Contents: write}
	case committing:
		return &github.InstallationPermissions{Metadata: read, Contents: write}
	}
	return &github.InstallationPermissions{Metadata: read, Contents: read, Issues: read, PullRequests: read}
}

// narrower returns the permissions of a token of the scope for owners who have not accepted all of them; nil if there
// is no such token.
func (s scope) narrower() *github.InstallationPermissions {
	if s == checking {
		return &github.InstallationPermissions{Metadata: github.String("read"), Checks: github.String("write")}
	}
	return nil
}

func (s scope) String() string {
	switch s {
	case statusing:
		return "statusing"
	case inspecting:
		return "inspecting"
	case starting:
		return "starting"
	case counting:
		return "counting"
	case answering:
		return "answering"
	case committing:
		return "committing"
	case checking:
		return "checking"
	case readying:
		return "readying"
	}
	return "reading"
}

// class returns the class of the scope's requests, unless a call has another. A token to read writes nothing, also with
// a POST of GraphQL.
func (s scope) class() class {
	switch s {
	case reading, statusing, inspecting, counting:
		return reads
	case checking:
		return optional
	}
	return result
}
