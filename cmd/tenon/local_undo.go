package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/localrepo"
	"github.com/tenon-bot/tenon/internal/terminal"
)

func newUndoCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "undo",
		Short: "Revert what the last tenon fix changed in the git work tree here",
		Long: `Undo reverts the last run of tenon fix in this work tree that was not reverted yet: its files
become what they were before, and what it staged is unstaged. Call it again for the run before.

Changes that you made to these files since are kept. Where they touch the same lines, nothing
is reverted, and the lines are named. A run with --commit is reverted by another commit; the
history is never rewritten.

Exit code: 0 reverted; 1 there is nothing to revert, or it conflicts; 2 usage.`,
		Example: `  tenon fix "say goodbye instead of hello"
  tenon undo`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{errors.New("undo takes no arguments: it reverts the last run")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			tree, err := openLocal(cmd.Context(), localrepo.Options{})
			if err != nil {
				return err
			}
			defer func() { _ = tree.Close() }()
			undone, err := tree.Undo(cmd.Context())
			if err != nil {
				return failed(cmd.ErrOrStderr(), err)
			}
			return printUndone(cmd.OutOrStdout(), cmd.ErrOrStderr(), undone)
		},
	}
}

func printUndone(out, errOut io.Writer, undone localrepo.Undone) error {
	d := applied{before: map[string][]byte{}, after: map[string][]byte{}}
	p := page{Palette: terminal.PaletteFor(out)}
	for _, f := range undone.Files {
		d.changed = append(d.changed, f.Path)
		d.before[f.Path], d.after[f.Path] = f.Before, f.After
	}
	p.diffs(d)
	what := counted(len(d.changed), "file") + " changed"
	if len(d.changed) == 0 {
		what = "all files were as before it already"
	}
	p.line("%s", p.Paint(terminal.Bold, fmt.Sprintf("Reverted the run of %s; %s.",
		undone.When.Local().Format("2006-01-02 15:04"), what)))
	if undone.Task != "" {
		p.line("Its task was: %s", terminal.Escape(firstLine(undone.Task)))
	}
	if undone.SHA != "" {
		p.line("Commit %.10s is reverted by commit %.10s.", undone.Reverted, undone.SHA)
	}
	if _, err := io.WriteString(out, p.b.String()); err != nil {
		return err
	}
	if undone.Unstaged != nil {
		return failed(errOut, errors.Join(errors.New("the files were reverted, and what is staged was not"), undone.Unstaged))
	}
	return nil
}
