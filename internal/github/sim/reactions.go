package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// ReactionContents are GitHub's reactions.
var ReactionContents = []string{"+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"}

// Rollup returns "reaction-rollup": how many reactions of each content what is at a URL of the API has.
func (s Threads) Rollup(list []*entity.Reaction, api string) entity.Object {
	o := entity.Object{"url": api + "/reactions", "total_count": len(list)}
	for _, content := range ReactionContents {
		n := 0
		for _, r := range list {
			if r.Content == content {
				n++
			}
		}
		o[content] = n
	}
	return o
}

// React adds a user's reaction to a list, or returns the one that is there.
func (s Threads) React(list *[]*entity.Reaction, u *entity.User, content string) (r *entity.Reaction, isNew bool) {
	for _, r := range *list {
		if r.User == u && r.Content == content {
			return r, false
		}
	}
	r = &entity.Reaction{ID: s.State.ID("reaction"), User: u, Content: content, Created: s.Now()}
	*list = append(*list, r)
	return r, true
}

// Reaction is a user's reaction.
type Reaction struct{ User, Content string }

// Reactions returns the reactions to a comment, review or issue, oldest first. kind is IssueComment or
// another constant of that group, id the id of the comment, review or issue.
func (s conversations) Reactions(kind string, id int64) ([]Reaction, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var reactions []*entity.Reaction
	found := false
	switch kind {
	case IssueComment:
		if c := s.State.Comments[id]; c != nil {
			reactions, found = c.Reactions, true
		}
	case ReviewComment:
		if c := s.State.ReviewComments[id]; c != nil {
			reactions, found = c.Reactions, true
		}
	case ReviewItself:
		if rv := s.State.Reviews[id]; rv != nil {
			reactions, found = rv.Reactions, true
		}
	case IssueItself:
		for _, r := range s.State.Repos {
			for _, is := range r.Issues {
				if is.ID == id {
					reactions, found = is.Reactions, true
				}
			}
		}
	}
	if !found {
		return nil, fmt.Errorf("no %s %d", kind, id)
	}
	list := make([]Reaction, len(reactions))
	for i, r := range reactions {
		list[i] = Reaction{r.User.Login, r.Content}
	}
	return list, nil
}
