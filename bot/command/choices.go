package command

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// ConflictChoice is what somebody chose for a conflict of a merge.
type ConflictChoice struct {
	// ID is the number of the conflict, from 1.
	ID int
	// Text is the choice as package engine/choice writes it, in lower case; whether it fits the conflict is seen later.
	Text string
}

var (
	conflictWord = regexp.MustCompile(`^[cC]([1-9][0-9]{0,3}):?$`)
	onlyLines    = regexp.MustCompile(`^(?:[bot][0-9-]+ ?)+$`)
	choiceWord   = regexp.MustCompile(`^(?:(?:ours|theirs|base|none|lines)|[bot][1-9][0-9]{0,6}(?:-[1-9][0-9]{0,6})?)$`)
)

// parseConflictChoices reads choices such as "C3 theirs C4 ours, theirs". A problem is a sentence for whoever wrote it.
func parseConflictChoices(line string) (list []ConflictChoice, problem string) {
	for _, word := range strings.Fields(line) {
		if m := conflictWord.FindStringSubmatch(word); m != nil {
			id, _ := strconv.Atoi(m[1]) // it has at most four digits
			for _, c := range list {
				if c.ID == id {
					return nil, fmt.Sprintf("There are two choices for C%d.", id)
				}
			}
			list = append(list, ConflictChoice{ID: id})
			continue
		}
		bare := strings.ToLower(strings.TrimRight(word, ",;."))
		if bare == "both" { // as the box has it
			bare = "ours, theirs"
		}
		switch {
		case len(list) == 0:
			return nil, fmt.Sprintf("%s is not the number of a conflict.", quotedWord(word))
		case bare == "new":
			return nil, "New lines cannot be written in a command: edit the file on the branch."
		case bare != "ours, theirs" && !choiceWord.MatchString(bare):
			return nil, fmt.Sprintf("%s is no choice.", quotedWord(word))
		}
		last := &list[len(list)-1]
		if last.Text != "" {
			separator := " "
			if isSide(bare) && isSide(last.Text[strings.LastIndex(last.Text, " ")+1:]) {
				separator = ", "
			}
			last.Text += separator
		}
		last.Text += bare
	}
	for _, c := range list {
		if c.Text == "" {
			return nil, fmt.Sprintf("There is no choice for C%d.", c.ID)
		}
		if onlyLines.MatchString(c.Text) {
			return nil, fmt.Sprintf("Single lines need the word `lines`: %s.",
				quotedWord(fmt.Sprintf("C%d lines %s", c.ID, c.Text)))
		}
	}
	return list, ""
}

func isSide(word string) bool { return word == "ours" || word == "theirs" || word == "base" }

func quotedWord(word string) string { return markdown.Code(markdown.Clip(word, 40)) }
