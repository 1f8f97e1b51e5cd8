package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
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

tenon eval retrieval, tenon eval replies and tenon eval conflicts measure parts of tenon: how it finds code, how it
reads and applies replies, and how it merges.`,
		Example: `  tenon eval tasks --model small --model large --runs 3 --out before.json
  tenon eval tasks --replies recorded
  tenon eval --compare before.json after.json
  tenon eval --oracle pairs.jsonl --mirror ~/mirror --kind issue
  tenon eval retrieval pairs.jsonl --mirror ~/mirror --table
  tenon eval replies cases.jsonl
  tenon eval conflicts psf/requests --mirror ~/mirror`,
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
	cmd.AddCommand(newEvalRetrievalCmd(), newEvalRepliesCmd(), newEvalConflictsCmd(), newEvalCautionsCmd())
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
