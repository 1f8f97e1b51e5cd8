package conflicts

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/tenon-bot/tenon/engine/choice"
)

// Reply is what a recorded reply makes of a conflict.
type Reply string

// What replies make of conflicts whose place is found in the person's file.
const (
	// AsPerson: the person's lines, byte for byte.
	AsPerson Reply = "as the person"
	// LeftOpen: the reply leaves the conflict to a person.
	LeftOpen Reply = "open"
	// Different: other lines.
	Different Reply = "different"
	// NoAnswer: the reply has no answer that counts.
	NoAnswer Reply = "without answer"
)

// readReply judges the conflicts of a merge by its recorded reply, OWNER+NAME/COMMIT.md, if there is one.
func readReply(replies fs.FS, repo, commit string, files []File) error {
	data, err := fs.ReadFile(replies, path.Join(strings.ReplaceAll(repo, "/", "+"), commit+".md"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading a recorded reply: %w", err)
	}
	var all []choice.Conflict
	var judged []*Conflict
	for i := range files {
		for j := range files[i].Conflicts {
			c := &files[i].Conflicts[j]
			all, judged = append(all, c.conflict), append(judged, c)
		}
	}
	answers, _ := choice.Parse(string(data), all)
	byID := map[int]choice.Answer{}
	for _, a := range answers {
		byID[a.ID] = a
	}
	for _, c := range judged {
		a, answered := byID[c.conflict.ID]
		if !c.isSettled() {
			continue
		}
		_, open := a.Choice.Question()
		switch {
		case !answered:
			c.Reply = NoAnswer
		case open:
			c.Reply = LeftOpen
		case joined(a.Lines) == c.Person:
			c.Reply = AsPerson
		default:
			c.Reply = Different
		}
	}
	return nil
}
