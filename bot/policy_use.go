package bot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// freeVerbs are always allowed: they change nothing, ask no model, and tell what is wrong.
var freeVerbs = []string{"help", "status", "config", "cancel"}

// needs is the least permission of whoever gives a command.
func (p Policy) needs(c Command) Permission {
	if !slices.Contains(freeVerbs, c.Verb) && c.Needs.allows(PermissionWrite) && p.Who.allows(c.Needs) {
		return p.Who
	}
	return c.Needs
}

// permits says whether the settings of the repository allow a command; a *UserError when not.
func (s *session) permits(c Command) error {
	p := s.policy
	if handler(c) == nil || slices.Contains(freeVerbs, c.Verb) {
		return nil
	}
	if broken, ok := p.closed(); ok {
		return &UserError{fmt.Sprintf("tenon does nothing here until its settings can be read: %s. Mend it there and give the command again; `/tenon config` shows all that is wrong.", s.settings().problemWords(broken))}
	}
	if p.Disabled {
		return &UserError{fmt.Sprintf("tenon is switched off here by %s, so nothing was done. `/tenon config` shows the settings that hold.", s.settings().originWords("enabled"))}
	}
	if p.Verbs != nil && !slices.Contains(p.Verbs, c.Verb) {
		return &UserError{fmt.Sprintf("`/tenon %s` is not allowed here: %s allows %s. `/tenon help` and `/tenon config` work always.", c.Verb, s.settings().originWords("verbs"), wordsOr(p.Verbs, "nothing else"))}
	}
	return nil
}

// closed is the first problem for which nothing may be changed.
func (p Policy) closed() (Problem, bool) {
	i := slices.IndexFunc(p.Problems, func(problem Problem) bool { return problem.Closes })
	if i < 0 {
		return Problem{}, false
	}
	return p.Problems[i], true
}

// allowsModel says whether a model may be asked for.
func (p Policy) allowsModel(name string) bool {
	return p.Models == nil || slices.ContainsFunc(p.Models, func(m string) bool { return strings.EqualFold(m, name) })
}

// within says why edits are more than one command may make; nil when they are not. Where no settings lower
// the bounds, the engine refuses the blocks above its own one by one.
func (b Bounds) within(blocks []engine.Block) error {
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
	return &UserError{fmt.Sprintf("The reply %s %d %s, and the limit for one command is %d here, so nothing was applied. Ask for less at a time; `/tenon config` shows where the limit stands.", does, n, what, most)}
}

// affords says why a call of so many tokens would take more tokens than are left of one command's; nil when it does not.
func (b Bounds) affords(used Usage, call int64) error {
	if needs := int64(used.In+used.Out) + call; b.Tokens > 0 && needs > b.Tokens {
		return &UserError{fmt.Sprintf("This would take about %s tokens, and one command may take %s here, so the model was not asked. Ask for less at a time; `/tenon config` shows where the limit stands.",
			grouped(needs), grouped(b.Tokens))}
	}
	return nil
}
