package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/caution"
	"github.com/tenon-bot/tenon/internal/eval/cautions"
)

// cautionsFlags are the flags of eval cautions.
type cautionsFlags struct {
	mirror, without string
	changes, plant  int
	skip            int
	asJSON          bool
}

func newEvalCautionsCmd() *cobra.Command {
	var flags cautionsFlags
	cmd := &cobra.Command{
		Use:   "cautions OWNER/NAME...",
		Short: "Measure which changes get a caution",
		Long: `cautions examines the pull requests of people that were merged into the default branch, as tenon examines its
own edits, and prints which of them get a caution. Then it plants what deserves one into some of these changes, in
several forms of each kind, and counts which are found. It needs git 2.38 or newer, and no model.

The mirror is a folder of bare repositories, OWNER+NAME/repo each, made for example by
  git clone --bare https://github.com/OWNER/NAME ~/mirror/OWNER+NAME/repo
Nothing is written to it.

Each change with a caution is listed. The table has, for each kind, how many changes have a caution of it, and how many
forms were planted and found. The last line has the figures of all.`,
		Example: `  tenon eval cautions psf/requests celery/celery --mirror ~/mirror
  tenon eval cautions psf/requests --mirror ~/mirror --without hosts
  tenon eval cautions psf/requests --mirror ~/mirror --json | jq -r 'select(.cautions) | .commit'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("name a repository of the mirror, like psf/requests")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return evalCautions(cmd.Context(), args, flags, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.mirror, "mirror", "", "the `folder` of the bare repositories, OWNER+NAME/repo each")
	f.IntVar(&flags.changes, "changes", 50, "examine the newest `N` merged pull requests of each repository")
	f.IntVar(&flags.skip, "skip", 0, "leave out the newest `N` of them")
	f.IntVar(&flags.plant, "plant", 200, "plant into `N` changes of all repositories together")
	f.StringVar(&flags.without, "without", "", "leave a `rule` out, to see what it finds")
	f.BoolVar(&flags.asJSON, "json", false, "print a JSON object for each change")
	return cmd
}

func evalCautions(ctx context.Context, repos []string, flags cautionsFlags, w io.Writer) error {
	merges := conflictsFlags{mirror: flags.mirror, merges: 1}
	if err := merges.check(repos); err != nil {
		return err
	}
	if flags.changes < 1 || flags.skip < 0 || flags.plant < 0 {
		return usageError{errors.New("--changes must be at least 1, --skip and --plant at least 0")}
	}
	if rules := caution.Rules(); flags.without != "" && !slices.Contains(rules, flags.without) {
		return usageError{fmt.Errorf("--without: there is no rule %q; the rules are %s", flags.without,
			strings.Join(rules, ", "))}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	options := cautions.Options{Changes: flags.changes, Skip: flags.skip, Plant: flags.plant,
		Without: flags.without,
		Each: func(c cautions.Change) error {
			if flags.asJSON {
				return enc.Encode(c)
			}
			return c.Print(w)
		}}
	folder := func(repo string) string {
		return filepath.Join(flags.mirror, strings.ReplaceAll(repo, "/", "+"), "repo")
	}
	figures, err := cautions.Run(ctx, repos, folder, options)
	if err != nil {
		return fmt.Errorf("measuring cautions: %w", err)
	}
	if flags.asJSON {
		return nil
	}
	return figures.Print(w)
}
