package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
)

// freeVerbs are always allowed: they change nothing, ask no model, and tell what is wrong.
var FreeVerbs = []string{"help", "status", "config", "cancel"}

// needs is the least permission of whoever gives a command.
func (p Policy) Needs(c command.Command) port.Permission {
	if !slices.Contains(FreeVerbs, c.Verb) && c.Needs.Allows(port.PermissionWrite) && p.Who.Allows(c.Needs) {
		return p.Who
	}
	return c.Needs
}

// closed is the first problem for which nothing may be changed.
func (p Policy) Closed() (Problem, bool) {
	i := slices.IndexFunc(p.Problems, func(problem Problem) bool { return problem.Closes })
	if i < 0 {
		return Problem{}, false
	}
	return p.Problems[i], true
}

// allowsModel says whether a model may be asked for.
func (p Policy) AllowsModel(name string) bool {
	return p.Models == nil || slices.ContainsFunc(p.Models, func(m string) bool { return strings.EqualFold(m, name) })
}

// within says why edits are more than one command may make; nil when they are not. Where no settings lower
// the bounds, the engine refuses the blocks above its own one by one.
func (b Bounds) Within(blocks []engine.Block) error {
	most := DefaultPolicy().Bounds
	files := map[string]bool{}
	for _, block := range blocks {
		files[block.Path] = true
	}
	switch {
	case b.Blocks > 0 && b.Blocks < most.Blocks && len(blocks) > b.Blocks:
		return tooMany(len(blocks), "holds", "edits", b.Blocks)
	case b.Files > 0 && b.Files < most.Files && len(files) > b.Files:
		return tooMany(len(files), "changes", "files", b.Files)
	}
	return nil
}

func tooMany(n int, does, what string, most int) error {
	return &port.UserError{Text: fmt.Sprintf("The reply %s %d %s, and the limit for one command is %d here, so nothing was applied. Ask for less at a time; `/tenon config` shows where the limit stands.", does, n, what, most)}
}

// affords says why a call of so many tokens would take more tokens than are left of one command's; nil when it does not.
func (b Bounds) Affords(used port.Usage, call int64) error {
	if needs := int64(used.In+used.Out) + call; b.Tokens > 0 && needs > b.Tokens {
		return &port.UserError{Text: fmt.Sprintf("This would take about %s tokens, and one command may take %s here, so the model was not asked. Ask for less at a time; `/tenon config` shows where the limit stands.",
			humanize.Comma(needs), humanize.Comma(b.Tokens))}
	}
	return nil
}
