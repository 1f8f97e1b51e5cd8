package gh

import "github.com/google/go-github/v66/github"

// scope is what a token is for. A token never has rights that its step does not need.
type scope int

const (
	_          scope = iota
	reading          // the context of a run
	answering        // what is said in threads, and pull requests
	committing       // git push, and commits by the API
	// checking is for check runs. It is no part of answering: where an owner has not accepted this permission yet, GitHub gives
	// no token at all that has it.
	checking
)

// permissions are what a token of the scope may do; every token may read metadata too.
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

// share of the content limits: a token that only reads creates nothing, by GraphQL's POST neither.
func (s scope) share() share {
	if s == reading {
		return noContent
	}
	return allContent
}
