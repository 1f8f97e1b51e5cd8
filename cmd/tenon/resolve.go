package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/terminal"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// resolveFlags are the flags of resolve.
type resolveFlags struct {
	model, config string
	list, tool    bool
	new           newLines
}

// newLines says what becomes of a file in whose conflicts a model wrote lines that no side has.
type newLines string

const (
	allowNew  newLines = "allow"
	showNew   newLines = "show"
	refuseNew newLines = "refuse"
)

// Set implements pflag.Value.
func (n *newLines) Set(s string) error {
	if !slices.Contains([]newLines{allowNew, showNew, refuseNew}, newLines(s)) {
		return errors.New("it must be allow, show or refuse")
	}
	*n = newLines(s)
	return nil
}

// String implements pflag.Value.
func (n *newLines) String() string { return string(*n) }

// Type implements pflag.Value.
func (n *newLines) Type() string { return "allow|show|refuse" }

func newResolveCmd() *cobra.Command {
	flags := resolveFlags{new: showNew}
	cmd := &cobra.Command{
		Use:   "resolve [FILE… | CONFLICT CHOICE…]",
		Short: "Settle the conflicts of a merge, rebase or cherry-pick that stopped here",
		Long: `Resolve settles the conflicts at which a git merge, rebase, cherry-pick or revert stopped in this
work tree. A model does not write the result: for each conflict, it chooses among the lines of ours, of
theirs, and of the version before both. What is outside of the conflicts stays as git merged it. A file
is staged when all of its conflicts are settled; nothing is committed.

The conflicts are numbered over all files. tenon resolve --list shows them with their lines, and each
can be settled by hand, without a model:

  C3 ours                take the lines of ours (or: theirs, base)
  C3 ours, theirs        take both, one after the other
  C3 lines o1-4 t2 o6    take single lines: o of ours, t of theirs, b of base
  C3 none                leave no line

If the model cannot decide a conflict, it asks you a question, and the conflict stays open. Where no
choice is right, it may write new lines; these are shown, and with --new=show, which is the default,
their file is written and not staged, so that you look at it first.

If the result of a file has a syntax error or a definition twice that neither side has, the model is
asked once more. If it still has, the file is written and not staged. Files that you have edited before
are left alone; git checkout --merge FILE restores their conflicts, and discards what you have edited.

The model is that of tenon fix: see tenon fix --help.`,
		Example: `  git merge main
  tenon resolve
  tenon resolve --list
  tenon resolve C1 theirs C2 ours, theirs
  git merge --continue

As a tool of git mergetool, for all repositories:

  git config --global mergetool.tenon.cmd 'tenon resolve --tool "$BASE" "$LOCAL" "$REMOTE" "$MERGED"'
  git config --global mergetool.tenon.trustExitCode true
  git mergetool --tool tenon

Exit code: 0 all conflicts, or those of the FILEs, are settled and staged; 1 some are not; 2 usage.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			r := resolving{flags: flags, in: cmd.InOrStdin(), out: cmd.OutOrStdout(), errOut: cmd.ErrOrStderr()}
			if flags.tool {
				return r.asTool(cmd.Context(), args)
			}
			return r.inWorkTree(cmd.Context(), args)
		},
	}
	cmd.Flags().BoolVar(&flags.list, "list", false, "show the conflicts that are open, and ask no model")
	cmd.Flags().Var(&flags.new, "new", "what becomes of files with lines that no side has: allow stages them,\n"+
		"show writes them, refuse leaves their conflicts open")
	cmd.Flags().BoolVar(&flags.tool, "tool", false,
		"settle one file, as a tool of git mergetool: BASE LOCAL REMOTE MERGED")
	cmd.Flags().StringVar(&flags.model, "model", "", "ask this `model` of the settings instead of the default one")
	cmd.Flags().StringVar(&flags.config, "config", "", "a YAML `file` with settings (default $TENON_CONFIG, else none)")
	return cmd
}

// resolving is one call of resolve.
type resolving struct {
	flags       resolveFlags
	in          io.Reader
	out, errOut io.Writer
}

// inWorkTree settles conflicts of the work tree here.
func (r resolving) inWorkTree(ctx context.Context, args []string) error {
	chosen, files := readChoices(args)
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("looking for the work tree: %w", err)
	}
	tree, err := worktree.At(dir)
	if err != nil {
		return failed(r.errOut, err)
	}
	defer func() { _ = tree.Close() }()
	s, err := readStopped(ctx, tree, files)
	if err != nil {
		return failedUnlessUsage(r.errOut, err)
	}
	switch {
	case len(s.files)+len(s.others)+len(s.marked) == 0:
		words := "There are no conflicts here."
		if s.Next() != "" {
			words = "All conflicts are settled. Go on with: " + s.Next()
		}
		_, err := fmt.Fprintln(r.out, words)
		return err
	case r.flags.list:
		return s.list(r.out)
	case chosen != "":
		answers, problems := choice.Parse(chosen, s.open())
		if wrong := problemsOf(problems); wrong != "" {
			return usageError{errors.New(wrong)}
		}
		s.settle(answers)
	case len(s.open()) > 0:
		if err := r.askAbout(ctx, s); err != nil {
			return err
		}
	}
	s.write(ctx, tree, r.flags.new)
	return s.print(r.out)
}

// askAbout has the model settle the open conflicts.
func (r resolving) askAbout(ctx context.Context, s *stoppedMerge) error {
	settings, err := config.LoadLocal(config.Source{File: r.flags.config})
	if err != nil {
		return err
	}
	if err := checkModel(settings.Models, r.flags.model); err != nil {
		if errors.Is(err, errNoModel) {
			return fmt.Errorf("%w\nor settle each conflict by hand; tenon resolve --list shows them", err)
		}
		return err
	}
	m := askedModel{name: r.flags.model, models: settings.Models,
		progress: newProgress("resolve", cmp.Or(r.flags.model, settings.Models[0].Name), r.out, r.errOut)}
	if m.model, err = newModel(settings.Models, newObservation(), slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	merge, closed := s.merge()
	result, err := merge.Settle(ctx, m.ask, closed, m.options())
	m.progress.end()
	if ctx.Err() != nil {
		return failed(r.errOut, errInterrupted)
	}
	s.take(result, r.flags.new)
	if err != nil {
		_ = failed(r.errOut, err) // what was settled before is written
	}
	return nil
}

var conflictName = regexp.MustCompile(`^C[1-9][0-9]*:?$`)

// readChoices returns the choices in arguments as a reply, or the files that they name.
func readChoices(args []string) (reply string, files []string) {
	if len(args) == 0 || !conflictName.MatchString(args[0]) {
		return "", args
	}
	var b strings.Builder
	for i, arg := range args {
		if conflictName.MatchString(arg) {
			if i > 0 {
				b.WriteString("\n")
			}
			b.WriteString(strings.TrimSuffix(arg, ":") + ":")
			continue
		}
		b.WriteString(" " + strings.Join(strings.Fields(arg), " "))
	}
	return b.String(), nil
}

// problemsOf returns what is wrong with the choices of a person, who need not choose for each conflict.
func problemsOf(problems []choice.Problem) string {
	var out []string
	for _, p := range problems {
		switch p.Reason {
		case choice.NoAnswer:
		case choice.Unknown:
			out = append(out, "there is no open conflict "+choice.Name(p.ID)+"; tenon resolve --list shows those that are open")
		case choice.NoText:
			out = append(out, choice.Name(p.ID)+": to write new lines, edit the file, then git add it")
		case choice.NoChoice:
			out = append(out, terminal.Escape(p.String())+
				" Choose ours, theirs, base, none, two of them like: ours, theirs, or lines o1-4 t2")
		default:
			out = append(out, terminal.Escape(p.String()))
		}
	}
	return strings.Join(out, "\n")
}
