package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/eval/conflicts"
)

// conflictsFlags are the flags of eval conflicts.
type conflictsFlags struct {
	mirror, replies string
	merges          int
	asJSON          bool
}

func newEvalConflictsCmd() *cobra.Command {
	var flags conflictsFlags
	cmd := &cobra.Command{
		Use:   "conflicts OWNER/NAME...",
		Short: "Measure how merges are made and their conflicts settled",
		Long: `conflicts merges the parents of merge commits again, as tenon and as git do, and takes what the person
committed as the right result. It needs git 2.38 or newer, and no model.

The mirror is a folder of bare repositories, OWNER+NAME/repo each, made for example by
  git clone --bare https://github.com/OWNER/NAME ~/mirror/OWNER+NAME/repo
Nothing is written to it. The newest merge commits on all branches and other references count, but for the merges with
which GitHub tries pull requests (refs/pull/N/merge).

It prints tables with a row for each repository:
  merges, left out   how many merge commits were measured, and how many were not; a table below says why
  several bases      of these, the merges of branches that have several merge bases
  in conflict        of these, the merges that git cannot make
  files compared     the texts that both sides changed, and those in conflict, of which git's result was compared
  other, outside     of these, how many are not as git has them outside of conflicts, and by how many bytes
  only git, only here
                     texts in which git alone has conflicts, or tenon alone
  hunks              the conflicts in texts
  gone, not located  of these, those whose file the person removed or renamed, and those whose place in the person's
                     file cannot be told, as the lines around it were changed, too
  unsettled          those in whose place the person left conflict markers
  settled            all others. What follows counts these
  choices            the percentage that lines of the sides settle as the person did
  not exact          conflicts for which what the person wrote, as a choice or as a new text, does not come out of a
                     written reply byte for byte
The other tables have the files by what git says of them, the hunks by kind, and how people settled them. The last line
has the figures of all repositories; its settled is the percentage of these hunks that a rule settles without a
model, and wrong is how many of them are not as the person settled them. There is no such rule now.

With --replies, the replies of a model are judged: DIR/OWNER+NAME/COMMIT.md has the one for the merge with this full id.
It answers for the conflicts in texts of that merge, which are C1, C2, … in the order of their paths, in each file
from above; --json shows them:
  C1: ours
  C2: theirs, ours
  C3: lines o1-4 t2 o6
  C4: open Which of the two limits is right?
Merges without such a file do not count.`,
		Example: `  tenon eval conflicts psf/requests celery/celery --mirror ~/mirror
  tenon eval conflicts psf/requests --mirror ~/mirror --merges 100
  tenon eval conflicts psf/requests --mirror ~/mirror --json | jq -r 'select(.outside > 0) | "\(.merge) \(.path)"'
  tenon eval conflicts psf/requests --mirror ~/mirror --replies replies`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("name a repository of the mirror, like psf/requests")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return evalConflicts(cmd.Context(), args, flags, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.mirror, "mirror", "", "the `folder` of the bare repositories, OWNER+NAME/repo each")
	f.IntVar(&flags.merges, "merges", 500, "look at the newest `N` merge commits of each repository")
	f.StringVar(&flags.replies, "replies", "", "judge the recorded replies in `DIR`, OWNER+NAME/COMMIT.md each")
	f.BoolVar(&flags.asJSON, "json", false,
		"print a JSON object for each file in conflict, and each that is not as git has it")
	return cmd
}

// repositoryName is a repository as arguments name it. Neither part can lead out of the mirror.
var repositoryName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$`)

// check returns an error if a flag is missing or wrong, or a repository.
func (c *conflictsFlags) check(repos []string) error {
	switch {
	case c.mirror == "":
		return usageError{errors.New("--mirror is missing: the folder of the bare repositories")}
	case c.merges < 1:
		return usageError{fmt.Errorf("--merges must be at least 1, not %d", c.merges)}
	}
	for i, repo := range repos {
		if !repositoryName.MatchString(repo) {
			return usageError{fmt.Errorf("%q is no repository; name it OWNER/NAME", repo)}
		}
		if slices.Contains(repos[:i], repo) {
			return usageError{fmt.Errorf("%s is named twice", repo)}
		}
	}
	return nil
}

func evalConflicts(ctx context.Context, repos []string, flags conflictsFlags, w io.Writer) error {
	if err := flags.check(repos); err != nil {
		return err
	}
	options := conflicts.Options{Merges: flags.merges}
	if flags.replies != "" {
		if info, err := os.Stat(flags.replies); err != nil {
			return fmt.Errorf("reading the replies: %w", err)
		} else if !info.IsDir() {
			return usageError{fmt.Errorf("--replies: %s is not a folder", flags.replies)}
		}
		options.Replies = os.DirFS(flags.replies)
	}
	if flags.asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		options.Each = func(f conflicts.File) error {
			if err := enc.Encode(f); err != nil {
				return fmt.Errorf("printing the results: %w", err)
			}
			return nil
		}
	}
	folder := func(repo string) string {
		return filepath.Join(flags.mirror, strings.ReplaceAll(repo, "/", "+"), "repo")
	}
	results, err := conflicts.Run(ctx, repos, folder, options)
	if err != nil || flags.asJSON {
		return err
	}
	return conflicts.PrintTable(w, results)
}
