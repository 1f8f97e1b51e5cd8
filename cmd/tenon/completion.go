package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/eval/replies"
)

// shells are what completes command lines, and how each is told to.
var shells = []struct {
	name  string
	write func(root *cobra.Command, out io.Writer) error
}{
	{"bash", func(root *cobra.Command, out io.Writer) error { return root.GenBashCompletionV2(out, true) }},
	{"zsh", (*cobra.Command).GenZshCompletion},
	{"fish", func(root *cobra.Command, out io.Writer) error { return root.GenFishCompletion(out, true) }},
	{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
}

func newCompletionCmd() *cobra.Command {
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
	}
	return &cobra.Command{
		Use:   "completion " + strings.Join(names, "|"),
		Short: "Print what makes a shell complete tenon's commands",
		Long: `completion prints a script that makes a shell complete tenon's commands, flags and their
values when you press Tab. It needs no setup of its own: the script asks tenon.

  bash        needs the package bash-completion
  zsh         needs "autoload -U compinit; compinit" in ~/.zshrc
  powershell  put the line of the example into the file that $PROFILE names

The archives of releases have the scripts in their folder completions.`,
		Example: `  source <(tenon completion bash)                                     # for this shell
  tenon completion bash > ~/.local/share/bash-completion/completions/tenon
  tenon completion zsh > "${fpath[1]}/_tenon"
  tenon completion fish > ~/.config/fish/completions/tenon.fish
  tenon completion powershell | Out-String | Invoke-Expression`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(names, args[0]) {
				return usageError{fmt.Errorf("name one shell: %s", strings.Join(names, ", "))}
			}
			return nil
		},
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			i := slices.Index(names, args[0])
			return shells[i].write(cmd.Root(), cmd.OutOrStdout())
		},
	}
}

// addCompletions says for a command and all below it what a shell offers for arguments and the values of flags, where
// the command does not say so itself: files where help names a file, folders where it names one, the values that
// valuesOf knows, and else nothing.
func addCompletions(cmd *cobra.Command) {
	if _, args, _ := strings.Cut(cmd.Use, " "); cmd.ValidArgsFunction == nil && cmd.ValidArgs == nil {
		cmd.ValidArgsFunction = cobra.FixedCompletions(nil, directiveOf(args))
	}
	for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			if _, ok := cmd.GetFlagCompletionFunc(f.Name); ok || f.Value.Type() == "bool" {
				return
			}
			// The only error is about a flag that there is not.
			_ = cmd.RegisterFlagCompletionFunc(f.Name, completerOf(f))
		})
	}
	for _, below := range cmd.Commands() {
		addCompletions(below)
	}
}

// completerOf returns what completes the value of a flag. Flags of the same name take the same values in all commands.
func completerOf(f *pflag.Flag) cobra.CompletionFunc {
	switch f.Name {
	case "config":
		return cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
	case "model", "models":
		return completeModels
	}
	value, _ := pflag.UnquoteUsage(f)
	return cobra.FixedCompletions(valuesOf(f.Name), directiveOf(value))
}

// directiveOf returns whether a shell offers files or folders for what help calls by a name, such as "PAIRS.jsonl".
func directiveOf(name string) cobra.ShellCompDirective {
	name = strings.ReplaceAll(strings.ToLower(name), "...", "")
	switch {
	case strings.Contains(name, "file") || strings.Contains(name, "."):
		return cobra.ShellCompDirectiveDefault
	case strings.Contains(name, "folder") || strings.Contains(name, "dir"):
		return cobra.ShellCompDirectiveFilterDirs
	}
	return cobra.ShellCompDirectiveNoFileComp
}

// valuesOf returns the values of the flags that take one of a few.
func valuesOf(flag string) (values []string) {
	switch flag {
	case "by":
		for name := range dimensions {
			values = append(values, name)
		}
		slices.Sort(values)
	case "command":
		for _, c := range command.All() {
			values = append(values, cobra.CompletionWithDesc(c.Verb, c.Description))
		}
	case "only":
		for _, class := range replies.Classes() {
			values = append(values, string(class))
		}
	case "outcome":
		for _, o := range append(port.EndOutcomes(), port.EndCommitting) {
			values = append(values, string(o))
		}
	case "run-checks":
		values = []string{"no", "container", "local"}
	case "syntax":
		values = []string{
			cobra.CompletionWithDesc(string(syntaxRefuse), "do not write a file that the edits break"),
			cobra.CompletionWithDesc(string(syntaxWarn), "write it, and warn"), string(syntaxOff),
		}
	}
	return values
}

// completeModels offers the models of the settings, as far as those can be read.
func completeModels(cmd *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	var src config.Source
	if f := cmd.Flags().Lookup("config"); f != nil {
		src.File = f.Value.String()
	}
	server, _ := config.Load(src)
	for _, m := range server.Models {
		names = append(names, m.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeCommands offers the commands of the program.
func completeCommands(cmd *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	about, rest, err := cmd.Root().Find(args)
	if err == nil && len(rest) == 0 {
		for _, c := range about.Commands() {
			if c.IsAvailableCommand() && c.Name() != "help" {
				names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
