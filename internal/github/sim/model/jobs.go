package model

// tokenKind is whose token it is.
type tokenKind int

const (
	appToken      tokenKind = iota // of an installation of the App
	JobToken                       // of a job of GitHub Actions
	PersonalToken                  // of a person, with the permissions that the person chose
)

// tokenOwners are what the tokens are of that are none of the App.
type tokenOwners struct {
	Jobs   map[*Repository]*Installation // of GitHub Actions
	People map[*User]*Installation
	// pulls are the repositories whose jobs may open pull requests.
	Pulls map[*Repository]bool
}

func newTokenOwners() tokenOwners {
	return tokenOwners{Jobs: map[*Repository]*Installation{}, People: map[*User]*Installation{},
		Pulls: map[*Repository]bool{}}
}

// mayRead reports whether a person has access to a repository.
func (u *User) mayRead(r *Repository) bool { return r.RoleOf(u).AtLeast(RoleRead) }
