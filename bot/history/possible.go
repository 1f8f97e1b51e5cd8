package history

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Possible is what commands about a run that is over would do something, as far as the records tell: what the settings
// forbid, and what the branch has become, is seen when such a command is carried out.
type Possible struct {
	Undo, Retry bool
	// Apply are the numbers of the edits that can be committed as people were shown them.
	Apply []int
}

// Possible returns what can be asked for about a run of the thread, if the thread's history has the runs after it. It
// is the zero value for a run that this program cannot read. commandOf returns the command of an event.
func (t Thread) Possible(
	ctx context.Context, run Run, commandOf func(port.Event) (command.Command, bool),
) (p Possible, err error) {
	var target record.Target
	if run.Target != nil {
		target = *run.Target
	}
	if _, made := run.Commit(); made {
		commits, err := t.Commits(ctx, target)
		if err != nil {
			return Possible{}, err
		}
		p.Undo = commits.Undoer(run.ID) == ""
	}
	_, err = t.Retry(ctx, target, run.ID, commandOf)
	switch {
	case err == nil:
		p.Retry = true
	case errors.Is(err, ErrNothingToRetry), errors.As(err, new(*UnrepairableError)), errors.As(err, new(*port.UserError)):
	default:
		return Possible{}, err
	}
	p.Apply, err = t.toApply(ctx, run, target)
	return p, err
}

// toApply returns the numbers of the edits of a run that were shown whole, and that are not committed.
func (t Thread) toApply(ctx context.Context, run Run, target record.Target) (numbers []int, err error) {
	v, ok, err := previewOf(run)
	if err != nil || !ok || v.Shown == nil {
		return nil, nil // nobody can choose from what cannot be read
	}
	outcomes, _, err := t.BlockOutcomes(ctx, v, target)
	if err != nil {
		return nil, err
	}
	for i, result := range v.Results {
		n := i + 1
		o := outcomes[n]
		switch {
		case o.Done():
		case v.Pasted && v.Fits(n), result.Change != "" && v.ShownWhole(n), o.Changed != nil && o.Seen:
			numbers = append(numbers, n)
		}
	}
	return numbers, nil
}
