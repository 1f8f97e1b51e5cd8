package bot

import (
	"context"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/engine"
)

// runRun carries out file operations that the newest answer with suggestions offers.
func runRun(ctx context.Context, s *session) error {
	t, err := step(ctx, s.journal, "open", func() (target, error) { return s.open(ctx) })
	if err != nil {
		return err
	}
	c, err := step(ctx, s.journal, "run", func() (chosen, error) { return s.pick(ctx, t) })
	if err != nil {
		return err
	}
	w := work{
		stage: func(ctx context.Context, tip Checkout) (engine.Outcome, error) {
			f := &fileOps{checkout: tip, protected: s.policy.protects}
			f.remember(c.Folders...)
			out, err := f.run(c.ops())
			if err == nil && t.Fork != nil { // a patch may have to show them
				err = tip.Load(ctx, out.Changed...)
			}
			return out, err
		},
		message: func(a applied) string {
			n := count(a.Results)
			done := fmt.Sprintf("Suggested by run %s. Applied %d, failed %d, skipped %d of %d file operations.", c.Run, n.applied, n.failed, n.skipped, len(a.Results))
			return s.messageOf(fmt.Sprintf("chore: carry out file operations from #%d", s.ev.Thread.Number), done)
		},
	}
	return s.carryOut(ctx, t, w, func(r summary) (title, body string) { return runWords(s.run.ID, c, r) })
}

// chosen are suggestions of an answer that are to be carried out.
type chosen struct {
	// Run is the run that suggested them.
	Run   string   `json:"run"`
	Picks []picked `json:"picks"`
	// Folders are those that the answer's suggestions make: what is moved to one goes into it, whether its mkdir was chosen or not.
	Folders []string `json:"folders,omitempty"`
}

// picked is a suggestion by its number in the answer.
type picked struct {
	Number  int       `json:"number"`
	Command string    `json:"command"`
	Op      engine.Op `json:"op"`
}

func (c chosen) ops() []engine.Op {
	out := make([]engine.Op, len(c.Picks))
	for i, p := range c.Picks {
		out[i] = p.Op
	}
	return out
}

// pick finds the suggestions that the command's numbers mean, in the order of the answer; all of them can be carried out, or it
// is a mistake.
func (s *session) pick(ctx context.Context, t target) (chosen, error) {
	run, list, err := s.suggested(ctx, t)
	if err != nil {
		return chosen{}, err
	}
	c := chosen{Run: run}
	for _, n := range slices.Sorted(slices.Values(s.inv.numbers)) {
		if n > len(list) {
			return chosen{}, &UserError{fmt.Sprintf("There is no suggestion %d, so nothing was done: the newest answer with suggestions, of run `%s`, shows %d.", n, run, len(list))}
		}
		one := list[n-1]
		if one.Op == nil {
			return chosen{}, &UserError{fmt.Sprintf("tenon does not carry out suggestion %d, %s, so nothing was done. It moves and removes files of the repository, as `git mv` and `git rm` do, on plain paths and in at most %d characters; any other command is for you to run.", n, codeSpan(clip(one.Command, maxCell)), maxCell)}
		}
		c.Picks = append(c.Picks, picked{n, one.Command, *one.Op})
	}
	for _, one := range list {
		if one.Op != nil && one.Op.Kind == engine.OpMkdir {
			c.Folders = append(c.Folders, one.Op.Paths...)
		}
	}
	return c, nil
}

// suggested are the suggestions that the newest answer with any shows.
func (s *session) suggested(ctx context.Context, t target) (run string, list []engine.Suggestion, err error) {
	past, err := s.history().past(ctx, t)
	if err != nil {
		return "", nil, err
	}
	for _, p := range past {
		talk, err := recordedTalk(p.Run)
		if err != nil {
			return "", nil, err
		}
		said, answered, err := recorded[posted](journalOf(p.Run), "report")
		if err != nil {
			return "", nil, err
		}
		list := talk.suggestions()
		switch {
		case !answered || talk.asked() || len(list) == 0:
		case said.after(s.ev):
			return "", nil, &UserError{fmt.Sprintf("When you gave the command, [the newest answer that suggests commands](%s) was not there yet, so you cannot have meant those. Nothing was done. Read it, and give the command again.", said.URL)}
		default:
			return p.ID, list[:min(len(list), maxListed)], nil
		}
	}
	return "", nil, &UserError{"No answer here suggests commands, so there is nothing to run."}
}
