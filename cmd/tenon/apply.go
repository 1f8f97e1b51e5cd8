package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/terminal"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// maxReply is the longest reply that apply reads, in bytes: the engine's limit of 2 MiB of blocks, and prose around
// them.
const maxReply = 16 << 20

type applyOptions struct {
	file         string // "-" is standard input
	dryRun, json bool
	syntax       syntaxCheck
	base         string // the commit that the model saw; empty for the work tree
}

func newApplyCmd() *cobra.Command {
	opts := applyOptions{file: "-"}
	cmd := &cobra.Command{
		Use:   "apply [FILE]",
		Short: "Apply a reply's edit blocks to the git work tree here, and stage them",
		Long: `Apply reads a model's reply from FILE, or from standard input, and applies its edit blocks
to the git work tree of the current folder. Each block fits exactly one place, or it
is refused with the reason; nothing is guessed. What changed is staged with git add.
Git runs no hooks, filters or other programs that the repository configures; a file that
has a filter, such as one of Git LFS, is written and left for you to stage.

Paths in the reply are relative to the top of the work tree, also from a subfolder. Prose
around the blocks is ignored, shell commands are only shown. A block looks like this:

    src/greet.go
    <<<<<<< SEARCH
    	fmt.Println("Hello")
    =======
    	fmt.Println("Hello, world")
    >>>>>>> REPLACE

An empty first half creates a new file. Unchanged lines around the change say where it goes.

With --syntax, a file that parsed before and does not parse after its edits is left as it is,
and its blocks fail with the line and the message of the parser. --syntax=warn writes it and
warns. The same applies if the edits add a conflict marker, a marker of an edit block, a
placeholder for code that was left out, or a function that the file has already. The language
is detected by the file's name and content. A file that has a parser and could not be checked,
for example because it is too large, is edited with a warning.

If the files were changed after the model saw them, name the commit that it saw with --base:
the blocks are applied to its files, and the changes merged with those made since. A block is
refused as a conflict where both changed the same lines, or lines next to each other.`,
		Example: `  tenon apply reply.md              apply a reply that was saved
  tenon apply < reply.md            the same
  tenon apply --dry-run reply.md    show what it would do, and write nothing
  tenon apply --syntax reply.md     and refuse the edits of files that no longer parse
  tenon apply --base HEAD~2 reply.md
                                    apply a reply to what was there two commits ago
  tenon apply --json reply.md       for programs: one JSON object

Exit code: 0 all blocks were applied, now or before; 1 some were not or, with --syntax, the
edits broke a file; 2 usage.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				opts.file = args[0]
			}
			return runApply(cmd.Context(), opts, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "show what each block would do, and write nothing")
	addSyntaxFlag(cmd.Flags(), &opts.syntax)
	cmd.Flags().StringVar(&opts.base, "base", "", "merge with what changed since the `commit` that the model saw")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print one JSON object instead of text")
	return cmd
}

func runApply(ctx context.Context, opts applyOptions, in io.Reader, out, errOut io.Writer) error {
	tree, err := worktree.Open(ctx, ".")
	if errors.Is(err, worktree.ErrNoWorkTree) {
		return fmt.Errorf("%w; go to a git repository, or make one with: git init", err)
	} else if err != nil {
		return err
	}
	defer func() { _ = tree.Close() }()
	base, err := openBase(ctx, tree, opts.base)
	if err != nil {
		return err
	}
	text, err := readReply(opts.file, in, errOut)
	if err != nil {
		return err
	}
	done, err := applyReply(ctx, tree, base, text, opts)
	if err != nil {
		return err
	}
	if err := done.print(out, opts.json); err != nil {
		return err
	}
	if done.failure != nil {
		_, _ = fmt.Fprintln(errOut, "tenon:", terminal.Escape(done.failure.Error()))
	}
	if !done.complete() {
		return errSome
	}
	return nil
}

func readReply(file string, in io.Reader, errOut io.Writer) (string, error) {
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", fmt.Errorf("reading the reply: %w", err)
		}
		defer func() { _ = f.Close() }()
		in = f
	} else if terminal.IsTerminal(in) {
		_, _ = fmt.Fprintln(errOut,
			"Reading the reply from the terminal; end it with Ctrl-D. (tenon apply --help tells more.)")
	}
	data, err := io.ReadAll(io.LimitReader(in, maxReply+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("reading the reply: %w", err)
	case len(data) > maxReply:
		return "", fmt.Errorf("the reply is longer than %d MiB", maxReply>>20)
	}
	return string(data), nil
}

// applyReply applies a reply to a copy first, so that nothing is written if that fails.
func applyReply(ctx context.Context, tree *worktree.Tree, base *baseFiles, text string, opts applyOptions) (applied,
	error) {
	reply := engine.Parse(text, engine.ParseOptions{})
	over := newOverlay(tree)
	how := opts.syntax.options()
	base.use(ctx, &how)
	outcome, err := engine.Apply(over, reply.Blocks, how)
	if err := errors.Join(err, base.failed()); err != nil {
		return applied{}, err
	}
	done := applied{
		reply: reply, results: outcome.Results, dryRun: opts.dryRun,
		changed: outcome.Changed, before: over.before, after: over.after,
	}
	if !opts.dryRun {
		done.changed, done.failure = over.flush(outcome.Changed)
		if err := tree.Stage(ctx, done.changed); err == nil {
			done.staged = len(done.changed) > 0
		} else if done.failure == nil {
			done.failure = fmt.Errorf("the files were changed but not staged: %w", err)
			if done.isStagedInPart() {
				done.failure = fmt.Errorf("not all files were staged: %w", err)
			}
		}
	}
	return done, nil
}

func (d applied) print(out io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(out, d)
	}
	_, err := io.WriteString(out, page{Palette: terminal.PaletteFor(out)}.render(d))
	return err
}
