package bot

import (
	"context"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// runRun carries out file operations that the newest answer with suggestions offers.
func runRun(ctx context.Context, r *run) error {
	t, err := r.target(ctx)
	if err != nil {
		return err
	}
	ops, err := record.Do(ctx, r.journal, record.OperationsRead,
		func(ctx context.Context) (record.Operations, error) {
			return chosenOperations(ctx, r.history(), t, r.inv.Numbers)
		})
	if err != nil {
		return err
	}
	return deliverWithoutModel(ctx, r, t, r.changer().operating(ops), func(s report.Summary) report.Summary {
		return report.OfOperations(ops, s)
	})
}

// operating is the change that carries out file operations.
func (m changer) operating(ops record.Operations) change {
	return change{
		operates: true, chosen: true,
		stage: func(_ context.Context, tip repo.Checkout, p policy.Policy) (engine.Outcome, error) {
			f := &edit.FileOps{Checkout: tip, Protected: p.WhyProtected}
			f.AddFolders(ops.Folders...)
			return f.Run(ops.Ops())
		},
		message: func(a record.Application) string {
			done := fmt.Sprintf("Carried out %s that run %s suggests.", applied(a.Results, "file operation"), ops.Run)
			subject := fmt.Sprintf("chore: carry out file operations from #%d", m.messages.ev.Thread.Number)
			return m.messages.of(subject, "", done)
		},
	}
}

// chosenOperations finds the suggestions that numbers mean, in the order of the answer. It is a mistake to name one
// that cannot be carried out.
func chosenOperations(ctx context.Context, past history.Thread, t record.Target, numbers []int) (record.Operations,
	error) {
	id, list, err := suggestions(ctx, past, t)
	if err != nil {
		return record.Operations{}, err
	}
	ops := record.Operations{Run: id}
	for _, n := range slices.Sorted(slices.Values(numbers)) {
		if n > len(list) {
			return record.Operations{}, sentence.NoSuggestion(n, id, len(list))
		}
		one := list[n-1]
		if one.Op == nil {
			return record.Operations{}, sentence.SuggestionNotRun(n, one.Command)
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
func suggestions(ctx context.Context, past history.Thread, t record.Target) (run string, list []engine.Suggestion,
	err error) {
	found, ok, err := past.Suggestions(ctx, t)
	switch {
	case err != nil:
		return "", nil, err
	case !ok:
		return "", nil, sentence.NoSuggestions()
	case found.Answer.After(past.Event):
		return "", nil, sentence.SuggestionsUnseen(found.Answer.URL)
	}
	return found.Run, found.List[:min(len(found.List), markdown.MaxListed)], nil
}
