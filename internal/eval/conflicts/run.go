package conflicts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tenon-bot/tenon/internal/eval/conflicts/gitmerge"
)

// jobs is how many repositories are measured at once.
const jobs = 2

// Options say what is measured.
type Options struct {
	// Merges is how many merge commits of each repository are looked at, at most.
	Merges int
	// Replies has recorded replies, OWNER+NAME/COMMIT.md each; nil for none.
	Replies fs.FS
	// Each is called for each file in conflict, and for each that is not as git has it, by one caller at a time; nil for
	// nothing. Files of a repository are in the order of the merges.
	Each func(File) error
}

// Of is the figures of a repository, "owner/name".
type Of struct {
	Repo string
	Figures
}

// Run measures repositories, given by "owner/name"; folder returns where one is. The results are in their order.
func Run(ctx context.Context, repos []string, folder func(repo string) string, o Options) ([]Of, error) {
	out := make([]Of, len(repos))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	if each := o.Each; each != nil {
		var one sync.Mutex
		o.Each = func(f File) error {
			one.Lock()
			defer one.Unlock()
			return each(f)
		}
	}
	for i, repo := range repos {
		group.Go(func() error {
			figures, err := measure(ctx, repo, folder(repo), o)
			if err != nil {
				return fmt.Errorf("measuring %s: %w", repo, err)
			}
			out[i] = Of{repo, figures}
			return nil
		})
	}
	return out, group.Wait()
}

// measure measures a repository.
func measure(ctx context.Context, repo, folder string, o Options) (f Figures, err error) {
	git, err := gitmerge.Open(ctx, folder)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, git.Close()) }()
	merges, others, err := git.Merges(ctx, o.Merges)
	if err != nil {
		return f, err
	}
	f = newFigures()
	f.LeftOut[Octopus] = others
	seen := map[[2]string]bool{}
	for _, c := range merges {
		parents := [2]string{c.Ours, c.Theirs}
		if seen[parents] {
			f.LeftOut[Repeated]++
			continue
		}
		seen[parents] = true
		m, err := measurer{repo, git, o}.merge(ctx, c)
		if err != nil {
			return f, fmt.Errorf("merge %s: %w", c.ID, err)
		}
		f.add(m)
		for _, file := range m.files {
			if o.Each == nil || file.clean && file.Outside == 0 && !file.OnlyHere {
				continue
			}
			if err := o.Each(file); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}
