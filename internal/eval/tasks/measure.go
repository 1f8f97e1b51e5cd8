package tasks

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/eval/scores"
)

// Options are how tasks are measured.
type Options struct {
	Models []Model
	// Runs is how often each task is run with each model, Jobs how many runs there are at a time.
	Runs, Jobs int
	// Open opens a commit of the mirror; nil if there is no mirror.
	Open func(ref port.RepoRef, commit string) (Source, error)
	// Check runs the checks of tasks; nil runs none.
	Check Checker
	// Done are results of an earlier measurement, which are not measured again.
	Done []scores.Result
	// Tell is told each result when it is known, in one goroutine at a time, with the replies of the model; an error
	// ends the measurement.
	Tell func(r scores.Result, replies []string) error
}

type key struct {
	task, digest, model string
	run                 int
}

// Measure measures tasks with models, and returns the results that there are, in no order, those of Done included. What
// a task lacks is in its result; an error is that of Tell or the context.
func Measure(ctx context.Context, list []Task, opts Options) ([]scores.Result, error) {
	done := map[key]scores.Result{}
	for _, r := range opts.Done {
		done[key{r.Task, r.Digest, r.Model, r.Run}] = r
	}
	var mu sync.Mutex
	var results []scores.Result
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(max(1, opts.Jobs))
	for n := range max(1, opts.Runs) {
		for _, task := range list {
			for _, model := range opts.Models {
				if r, ok := done[key{task.Name, task.Digest, model.Info.Name, n + 1}]; ok && r.Error == "" {
					mu.Lock()
					results = append(results, r)
					mu.Unlock()
					continue
				}
				if within.Err() != nil {
					break
				}
				group.Go(func() error {
					a := &attempt{task: task, model: model, number: n + 1, open: opts.Open, check: opts.Check}
					r, err := a.measure(within)
					if err != nil {
						return err
					}
					mu.Lock()
					defer mu.Unlock()
					results = append(results, r)
					if opts.Tell == nil {
						return nil
					}
					return opts.Tell(r, a.replies())
				})
			}
		}
	}
	err := group.Wait()
	return results, errors.Join(err, context.Cause(ctx))
}

// replies returns what the model said.
func (a *attempt) replies() []string {
	if a.metered == nil {
		return nil
	}
	return a.metered.replies
}
