package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/internal/eval"
	"github.com/tenon-bot/tenon/internal/gitrepo/bare"
)

func newEvalCmd() *cobra.Command {
	var oracle string
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
				return evalOracle(cmd.Context(), oracle, flags, out)
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
	tokens          int
	asJSON, asTable bool
}

// register registers the flags for a command.
func (e *evalFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&e.mirror, "mirror", "", "the `folder` of the bare repositories, OWNER+NAME/repo each")
	f.StringVar(&e.kind, "kind", "", "measure only pairs of this `kind`, such as issue")
	f.StringVar(&e.lang, "lang", "", "measure only pairs in this `language`")
	f.StringVar(&e.repo, "repo", "", "measure only pairs of this repository, `owner/name`")
	f.IntVar(&e.tokens, "tokens", retrieve.CodeBytes(port.ModelInfo{}, policy.Bounds{})/port.BytesPerToken,
		"show at most `N` tokens of the repository")
	f.BoolVar(&e.asTable, "table", false, "print a table with a row for each kind and language")
	f.BoolVar(&e.asJSON, "json", false, "print a JSON object for each pair")
	cmd.MarkFlagsMutuallyExclusive("table", "json")
}

// check returns an error if a flag is missing or wrong.
func (e *evalFlags) check() error {
	switch {
	case e.mirror == "":
		return usageError{errors.New("--mirror is missing: the folder of the bare repositories")}
	case e.tokens < 1:
		return usageError{fmt.Errorf("--tokens must be at least 1, not %d", e.tokens)}
	}
	return nil
}

func newEvalRetrievalCmd() *cobra.Command {
	var flags evalFlags
	cmd := &cobra.Command{
		Use:   "retrieval PAIRS.jsonl",
		Short: "Measure whether the code that an issue is about is found",
		Long: `retrieval selects files for issues, as the bot does when somebody comments "/tenon fix" on them, and
compares what the model would be shown with what the real fix changed.

PAIRS.jsonl has a JSON object on each line:
  id, lang, kind  any name; a language and a kind such as "issue", for --table and the filters
  repo, base      "owner/name", and the full id of the commit that the fix was made on
  text            the issue: its title in the first line, then its body
  gold            the paths of the files that the fix changed
  lines           for each path the lines of base that the fix changed or inserted at, from 1

The mirror is a folder of bare repositories, OWNER+NAME/repo each, made for example by
  git clone --bare https://github.com/OWNER/NAME ~/mirror/OWNER+NAME/repo

It prints one line:
  pairs                    how many were measured; the following figures are percentages of them
  any, all, none           one of the changed files is shown, all are, no file at all is shown
  lines_any, lines_all     one of the changed lines is shown, all are
  nameable                 all changed files are shown, or their paths are listed
  oracle_solved            all changed lines are shown in the end, if the model asks as well as it could:
                           only for paths and words that it has read, three rounds at most
  rounds_mean              how many rounds that takes on average, 0 if nothing has to be asked
  tokens_mean              how much of the repository the first prompt shows on average, in tokens
  select_ms_p50, …_p95     how long a selection takes when the files are in memory, in milliseconds`,
		Example: `  tenon eval retrieval pairs.jsonl --mirror ~/mirror
  tenon eval retrieval pairs.jsonl --mirror ~/mirror --kind issue --tokens 12000 --table
  tenon eval retrieval pairs.jsonl --mirror ~/mirror --json | jq -r 'select(.any | not).id'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{errors.New("name one file with pairs, like pairs.jsonl")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return evalRetrieval(cmd.Context(), args[0], flags, cmd.OutOrStdout())
		},
	}
	flags.register(cmd)
	return cmd
}

func evalRetrieval(ctx context.Context, file string, flags evalFlags, w io.Writer) error {
	if err := flags.check(); err != nil {
		return err
	}
	pairs, err := readPairs(file, flags)
	if err != nil {
		return err
	}
	results, err := runPairs(ctx, pairs, flags)
	if err != nil {
		return err
	}
	switch {
	case flags.asJSON:
		return printResults(w, results)
	case flags.asTable:
		return eval.PrintTable(w, results)
	}
	if _, err := fmt.Fprintln(w, eval.Sum(results)); err != nil {
		return fmt.Errorf("printing the figures: %w", err)
	}
	return nil
}

// printResults prints a JSON object for each pair, in their order.
func printResults(w io.Writer, results []eval.Result) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range results {
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("printing the results: %w", err)
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

// runPairs measures pairs on the repositories of the mirror.
func runPairs(ctx context.Context, pairs []eval.Pair, flags evalFlags) ([]eval.Result, error) {
	mirror := bare.NewMirror(flags.mirror)
	defer func() { _ = mirror.Close() }()
	open := func(ref port.RepoRef, commit string) (repo.Checkout, error) { return mirror.Checkout(ref, commit) }
	return eval.Run(ctx, pairs, open, flags.tokens*port.BytesPerToken)
}
