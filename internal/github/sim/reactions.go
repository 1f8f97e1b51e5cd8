package sim

import (
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// ReactionContents are GitHub's reactions.
var ReactionContents = []string{"+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"}

// Rollup returns "reaction-rollup", the counts.
func (s Threads) Rollup(list []*model.Reaction, of string) model.Object {
	o := model.Object{"url": of + "/reactions", "total_count": len(list)}
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

func (s Threads) React(list *[]*model.Reaction, u *model.User, content string) (r *model.Reaction, isNew bool) {
	for _, r := range *list {
		if r.User == u && r.Content == content {
			return r, false
		}
	}
	r = &model.Reaction{ID: s.State.ID("reaction"), User: u, Content: content, Created: s.Now()}
	*list = append(*list, r)
	return r, true
}
