// Tenon is a GitHub App that turns AI replies into commits. This package connects the others, and has the command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	cmd, err := root.ExecuteContextC(ctx)
	code := exitCode(err)
	if code == exitUsage {
		_, _ = fmt.Fprintln(errOut, "tenon:", err)
		if errors.As(err, new(usageError)) || strings.HasPrefix(err.Error(), "unknown command ") ||
			strings.HasPrefix(err.Error(), "accepts ") {
			_, _ = fmt.Fprintf(errOut, "See %s --help.\n", cmd.CommandPath())
		}
	}
	return code
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "tenon",
		Short: "Turn AI replies into commits",
		Long: `tenon is a GitHub App that turns AI replies into commits: somebody comments on a pull
request, a language model answers with edit blocks, tenon applies them to a clone, exactly or
not at all, commits, and answers with the result of every block.

Try it, without GitHub and without a model:   tenon demo`,
		Version:       thisVersion(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newServeCmd(), newSetupCmd(), newDoctorCmd(), newConfigCmd(), newDemoCmd(), newFixCmd(),
		newAskCmd(), newResolveCmd(), newUndoCmd(), newApplyCmd(), newBatchCmd(), newReplayCmd(), newEventsCmd(),
		newAuditCmd(), newCostCmd(), newBackupCmd(), newMigrateDataCmd(), newHealthCmd(), newEvalCmd(), newActionCmd(),
		newVersionCmd(), newCompletionCmd(), newManCmd())
	addCompletions(root)
	return root
}
