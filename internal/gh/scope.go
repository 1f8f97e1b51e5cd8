package gh

import "github.com/google/go-github/v66/github"

// scope is the purpose of a token, which has only the permissions for it.
type scope int

const (
	_          scope = iota
	reading          // the context of a run
	answering        // comments and pull requests
	committing       // git push, and commits by the API
	// checking is for check runs. It is not a part of answering: if an owner has not accepted this permission, GitHub
	// refuses any token with it.
	checking
)

// permissions returns the permissions of a token; every token can read metadata too.
func (s scope) permissions() *github.InstallationPermissions {
	read, write := github.String("read"), github.String("write")
	switch s {
	case answering:
		return &github.InstallationPermissions{Metadata: read, Issues: write, PullRequests: write}
	case checking:
		return &github.InstallationPermissions{Metadata: read, Checks: write}
	case committing:
		return &github.InstallationPermissions{Metadata: read, Contents: write}
	}
	return &github.InstallationPermissions{Metadata: read, Contents: read, Issues: read, PullRequests: read}
}

func (s scope) String() string {
	switch s {
	case answering:
		return "answering"
	case committing:
		return "committing"
	case checking:
		return "checking"
	}
	return "reading"
}

// class returns the class of the scope's requests, unless a call has another. A token to read writes nothing, also with
// a POST of GraphQL.
func (s scope) class() class {
	switch s {
	case reading:
		return reads
	case checking:
		return optional
	}
	return result
}
