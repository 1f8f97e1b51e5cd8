package gh

import "github.com/google/go-github/v66/github"

// scope is what a token is for. A token never has rights that its step does not need.
type scope int

const (
	_          scope = iota
	reading          // the context of a run
	answering        // comments and reactions
	committing       // git push
)

// permissions are what a token of the scope may do; every token may read metadata too.
func (s scope) permissions() *github.InstallationPermissions {
	read, write := github.String("read"), github.String("write")
	switch s {
	case answering:
		return &github.InstallationPermissions{Metadata: read, Issues: write, PullRequests: write}
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
	}
	return "reading"
}
