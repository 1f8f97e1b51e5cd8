package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/internal/eval"
)

func newEvalCmd() *cobra.Command {
	var oracle string
	var tokens int
	var flags evalFlags
	var ofTasks tasksFlags
	cmd := &cobra.Command{
		Use:   "eval [DIR]",
		Short: "Measure how well models do with tenon, and tenon without a model",
		Long: `eval measures models and parts of tenon on your own data, without GitHub.

` + tasksHelp + `

` + oracleHelp + `

tenon eval retrieval and tenon eval replies measure parts of tenon: how it finds code, and how it reads and applies
replies.`,
		Example: `  tenon eval tasks --model small --model large --runs 3 --out before.json
  tenon eval tasks --replies recorded
  tenon eval --compare before.json after.json
  tenon eval --oracle pairs.jsonl --mirror ~/mirror --kind issue
  tenon eval retrieval pairs.jsonl --mirror ~/mirror --table
  tenon eval replies cases.jsonl`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkMode(cmd, oracle != "", ofTasks.compare); err != nil {
				return err
			}
			switch out := cmd.OutOrStdout(); {
			case ofTasks.compare:
				return evalCompare(args, flags.asJSON, out)
			case oracle != "" && len(args) == 0:
				return evalOracle(cmd.Context(), oracle, tokens, flags, out)
			case oracle != "" || len(args) > 1:
				return usageError{errors.New("eval takes one folder of tasks, or --oracle, or --compare with two files")}
			case len(args) == 0:
				return cmd.Help()
			default:
				return evalTasks(cmd.Context(), args[0], flags.mirror, flags.asJSON, ofTasks, out, cmd.ErrOrStderr())
			}
		},
	}
	cmd.Flags().StringVar(&oracle, "oracle", "",
		"measure the best that any model could reach, on the issues and fixes in the file `PAIRS.jsonl`")
	flags.register(cmd)
	cmd.Flags().IntVar(&tokens, "tokens", retrieve.CodeBytes(port.ModelInfo{}, policy.Bounds{})/port.BytesPerToken,
		"show at most `N` tokens of the repository")
	ofTasks.register(cmd)
	cmd.AddCommand(newEvalRetrievalCmd(), newEvalRepliesCmd())
	return cmd
}

// modeFlags are the flags of eval that count only for pairs, and only for tasks.
var modeFlags = struct{ pairs, tasks []string }{
	pairs: []string{"kind", "lang", "repo", "tokens", "table"},
	tasks: []string{"model", "replies", "record", "config", "runs", "jobs", "out", "resume", "run-checks",
		"container-program"},
}

// checkMode returns an error if a flag is given that does not count.
func checkMode(cmd *cobra.Command, oracle, compare bool) error {
	given := func(names []string, why string) error {
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				return usageError{fmt.Errorf("--%s %s", name, why)}
			}
		}
		return nil
	}
	switch {
	case oracle:
		return given(append([]string{"compare"}, modeFlags.tasks...), "is for tasks; it does not go with --oracle")
	case compare:
		return given(append(modeFlags.pairs, modeFlags.tasks...), "does not go with --compare")
	}
	return given(modeFlags.pairs, "is for the pairs of --oracle; tasks have none")
}

// evalFlags are the flags of what is measured on pairs.
type evalFlags struct {
	mirror          string
	kind            string
	lang            string
	repo            string
	asJSON, asTable bool
}

// register registers the flags for a command.
func (e *evalFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&e.mirror, "mirror", "", "the `folder` of the bare repositories, OWNER+NAME/repo each")
	f.StringVar(&e.kind, "kind", "", "measure only pairs of this `kind`, such as issue")
	f.StringVar(&e.lang, "lang", "", "measure only pairs in this `language`")
	f.StringVar(&e.repo, "repo", "", "measure only pairs of this repository, `owner/name`")
	f.BoolVar(&e.asTable, "table", false, "print a table with a row for each kind and language")
	f.BoolVar(&e.asJSON, "json", false, "print a JSON object for each pair")
	cmd.MarkFlagsMutuallyExclusive("table", "json")
}

// check returns an error if the mirror is missing, or if one of the numbers of tokens is too small.
func (e *evalFlags) check(tokens ...int) error {
	if e.mirror == "" {
		return usageError{errors.New("--mirror is missing: the folder of the bare repositories")}
	}
	for _, n := range tokens {
		if n < 1 {
			return usageError{fmt.Errorf("--tokens must be at least 1, not %d", n)}
		}
	}
	return nil
}

// readPairs reads the pairs that the flags select.
func readPairs(file string, flags evalFlags) ([]eval.Pair, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading the pairs: %w", err)
	}
	defer func() { _ = in.Close() }()
	pairs, err := eval.ReadPairs(in)
	if err != nil {
		return nil, fmt.Errorf("reading the pairs: %s: %w", file, err)
	}
	pairs = slices.DeleteFunc(pairs, func(p eval.Pair) bool {
		return flags.kind != "" && p.Kind != flags.kind || flags.lang != "" && p.Lang != flags.lang ||
			flags.repo != "" && p.Repo != flags.repo
	})
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%s has no pairs of this kind, language and repository", file)
	}
	return pairs, nil
}
