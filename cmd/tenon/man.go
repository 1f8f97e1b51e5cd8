package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/manpage"
)

func newManCmd() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print a man page, or write all of them to a folder",
		Long: `man prints the page of a command, or of tenon itself, in the language of man(7). With --dir
it writes the pages of all commands to a folder, where man finds them if the folder is called
man1 and the one above it is in the path that manpath prints.

The archives of releases have the pages in their folder man.`,
		Example: `  tenon man apply | man -l -
  tenon man --dir ~/.local/share/man/man1     # then: man tenon-apply`,
		ValidArgsFunction: completeCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir != "" {
				if len(args) > 0 {
					return usageError{errors.New("--dir writes the pages of all commands; leave out " + args[0])}
				}
				return writePages(cmd.Root(), dir)
			}
			if len(args) > 0 && args[0] == cmd.Root().Name() {
				args = args[1:]
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usageError{fmt.Errorf("there is no command %q", strings.Join(args, " "))}
			}
			_, err = io.WriteString(cmd.OutOrStdout(), manual().Page(about))
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write the pages of all commands to this `folder`")
	return cmd
}

func manual() manpage.Program {
	return manpage.Program{
		Version: "tenon " + shortVersion(), URL: "https://github.com/tenon-bot/tenon/blob/main/docs/README.md",
	}
}

// writePages writes the pages of a command and all below it to a folder, which it makes.
func writePages(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder for the pages: %w", err)
	}
	for _, cmd := range manpage.Commands(root) {
		file := filepath.Join(dir, manpage.Name(cmd)+".1")
		if err := os.WriteFile(file, []byte(manual().Page(cmd)), 0o644); err != nil {
			return fmt.Errorf("writing a page: %w", err)
		}
	}
	return nil
}
