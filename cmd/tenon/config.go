package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/terminal"
)

func newConfigCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check the settings of a server or of a repository",
	}
	cmd.AddCommand(newConfigCheckCmd())
	return cmd
}

func newConfigCheckCmd() *cobra.Command {
	var repository bool
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Say what is wrong with the settings",
		Long: `check reads the settings as serve does, from the environment and the server file, and says everything
that is wrong or suspicious. It starts nothing and connects to nothing; tenon doctor does.

FILE is a server file to read instead of $TENON_CONFIG or tenon.yaml. If it is called tenon.yml and in a
folder .github, or with --repository, it is the file of a repository or an organisation.

The exit code is 0 if nothing is wrong, 1 if something is, and 2 if the file cannot be checked.`,
		Example: `  tenon config check
  tenon config check /etc/tenon/tenon.yaml
  tenon config check .github/tenon.yml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := strings.Join(args, "")
			if file != "" && (repository || ofRepository(file)) {
				return checkRepositoryFile(cmd.OutOrStdout(), file)
			}
			if repository {
				return usageError{errors.New("--repository needs a file")}
			}
			return checkServer(cmd.OutOrStdout(), file)
		},
	}
	cmd.Flags().BoolVar(&repository, "repository", false, "FILE has the settings of a repository or an organisation")
	return cmd
}

// ofRepository reports whether a path is where a repository keeps its settings.
func ofRepository(path string) bool {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return strings.HasSuffix(filepath.ToSlash(path), "/"+policy.SettingsPath)
}

func checkServer(w io.Writer, file string) error {
	s, err := config.Load(config.Source{File: file})
	if err == nil {
		_, err = newModel(s.Models, newObservation(), slog.New(slog.DiscardHandler))
	}
	for _, warning := range s.Warnings {
		_, _ = fmt.Fprintf(w, "warning: %s: %s\n", terminal.Escape(warning.Name), terminal.Escape(warning.Text))
	}
	if err != nil {
		_, _ = fmt.Fprintln(w, err)
		return errSome
	}
	from := "the environment"
	if s.File != "" {
		from += " and " + terminal.Escape(s.File)
	}
	_, _ = fmt.Fprintf(w, "Nothing is wrong with the settings in %s.\n", from)
	return nil
}

// checkRepositoryFile checks a file alone: what the server or the organisation allows is not known here.
func checkRepositoryFile(w io.Writer, file string) error {
	data, err := readSettings(file)
	if err != nil {
		return err
	}
	_, problems := policy.Parse(data)
	name := terminal.Escape(file)
	if len(problems) == 0 {
		_, _ = fmt.Fprintf(w, "Nothing is wrong in %s.\n", name)
		return nil
	}
	for _, p := range problems {
		at := name
		if p.Line > 0 {
			at += fmt.Sprintf(":%d", p.Line)
		}
		_, _ = fmt.Fprintf(w, "%s: %s\n", at, terminal.Escape(p.Text))
	}
	if slices.ContainsFunc(problems, func(p policy.Problem) bool { return p.Closes }) {
		_, _ = fmt.Fprintln(w, "\ntenon changes nothing in a repository with this file until it is corrected.")
	}
	return errSome
}

// readSettings reads a file of settings, but not more than a byte more than it may have.
func readSettings(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, policy.MaxSettings+1))
}
