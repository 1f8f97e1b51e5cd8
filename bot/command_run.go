package bot

import (
	"context"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
)

// runRun carries out file operations that the newest answer with suggestions offers.
func runRun(ctx context.Context, r *run) error {
	t, err := r.target(ctx)
	if err != nil {
		return err
	}
	ops, err := record.Do(ctx, r.journal, record.OperationsRead,
		func() (record.Operations, error) { return chosenOperations(ctx, r, t) })
	if err != nil {
		return err
	}
	return deliverWithoutModel(ctx, r, t, operating(r, t, ops), func(s report.Summary) (title, body string) {
		return report.OperationsBody(r.id(), ops, s)
	})
}

// operating is the change that carries out file operations.
func operating(r *run, t record.Target, ops record.Operations) change {
	return change{
		stage: func(ctx context.Context, tip repo.Checkout) (engine.Outcome, error) {
			f := &edit.FileOps{Checkout: tip, Protected: r.policy.Protects}
			f.AddFolders(ops.Folders...)
			out, err := f.Run(ops.Ops())
			if err == nil && t.Fork != nil { // a patch may have to show them
				err = tip.Load(ctx, out.Changed...)
			}
			return out, err
		},
		message: func(a record.Application) string {
			n := record.Count(a.Results)
			done := fmt.Sprintf("Suggested by run %s. Applied %d, failed %d, skipped %d of %d file operations.",
				ops.Run, n.Applied, n.Failed, n.Skipped, len(a.Results))
			return r.messages().of(fmt.Sprintf("chore: carry out file operations from #%d", r.ev.Thread.Number), done)
		},
	}
}

// chosenOperations finds the suggestions that the command's numbers mean, in the order of the answer. It is a mistake
// to name one that cannot be carried out.
func chosenOperations(ctx context.Context, r *run, t record.Target) (record.Operations, error) {
	id, list, err := suggestions(ctx, r, t)
	if err != nil {
		return record.Operations{}, err
	}
	ops := record.Operations{Run: id}
	for _, n := range slices.Sorted(slices.Values(r.inv.Numbers)) {
		if n > len(list) {
			return record.Operations{},
				&port.UserError{Text: fmt.Sprintf("There is no suggestion %d, so nothing was done: the newest answer "+
					"with suggestions, of run `%s`, shows %d.", n, id, len(list))}
		}
		one := list[n-1]
		if one.Op == nil {
			return record.Operations{},
				&port.UserError{Text: fmt.Sprintf("tenon does not carry out suggestion %d, %s, so nothing was done. "+
					"It moves and removes files of the repository, as `git mv` and `git rm` do, on plain paths and in at most %d "+
					"characters; "+
					"any other command is for you to run.", n, markdown.Code(markdown.Clip(one.Command, markdown.MaxCell)),
					markdown.MaxCell)}
		}
		ops.Chosen = append(ops.Chosen, record.Operation{Number: n, Command: one.Command, Op: *one.Op})
	}
	for _, one := range list {
		if one.Op != nil && one.Op.Kind == engine.OpMkdir {
			ops.Folders = append(ops.Folders, one.Op.Paths...)
		}
	}
	return ops, nil
}

// suggestions are those that the newest answer with any shows, and its run.
func suggestions(ctx context.Context, r *run, t record.Target) (run string, list []engine.Suggestion, err error) {
	found, ok, err := r.history().Suggestions(ctx, t)
	switch {
	case err != nil:
		return "", nil, err
	case !ok:
		return "", nil, &port.UserError{Text: "No answer here suggests commands, so there is nothing to run."}
	case found.Answer.After(r.ev):
		return "", nil, &port.UserError{Text: fmt.Sprintf(
			"When you gave the command, [the newest answer that suggests commands](%s) was not "+
				"there yet, so you cannot have meant those. Nothing was done. Read it, and give the command again.",
			found.Answer.URL)}
	}
	return found.Run, found.List[:min(len(found.List), markdown.MaxListed)], nil
}
