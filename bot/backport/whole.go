package backport

import (
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxListed is how many commits, and how many authors, the message of a commit lists that stands for several.
const maxListed = 50

// IsLine reports whether each of some commits was made on top of the one before.
func IsLine(commits []Commit) bool {
	for i := 1; i < len(commits); i++ {
		if commits[i].From != commits[i-1].SHA {
			return false
		}
	}
	return true
}

// Whole returns one commit for some of a pull request, each of which was made on top of the one before: it has all that
// changed, and its message lists them. Of a single commit, it is that one.
func Whole(title string, number int, commits []Commit) Commit {
	first, last := commits[0], commits[len(commits)-1]
	if len(commits) == 1 {
		return last
	}
	c := listing(title, number, commits)
	c.From, c.SHA, c.First = first.From, last.SHA, first.SHA
	if !slices.Contains(c.Picked, c.SHA) { // the list was cut
		c.Picked = append(c.Picked, c.SHA)
	}
	return c
}

// listing returns a commit whose message lists others.
func listing(title string, number int, commits []Commit) Commit {
	c := Commit{Message: fmt.Sprintf("%s (#%d)", Title(title), number)}
	for i, one := range commits {
		if i == 0 {
			c.Message += "\n"
		}
		if len(c.Picked) == maxListed {
			c.Message += "\n* …"
			break
		}
		c.Picked = append(c.Picked, one.Picked...)
		for _, a := range one.Authors {
			if a = person(a); !slices.Contains(c.Authors, a) {
				c.Authors = append(c.Authors, a)
			}
		}
		c.Message += "\n* " + subject(one.Message)
	}
	return c
}

// person returns an author without the time, in which commits differ.
func person(a port.Author) port.Author {
	return port.Author{Name: a.Name, Email: a.Email, User: a.User}
}
