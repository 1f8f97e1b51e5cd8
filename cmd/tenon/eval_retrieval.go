package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/eval"
	"github.com/tenon-bot/tenon/internal/gitrepo/bare"
)

func newEvalRetrievalCmd() *cobra.Command {
	var flags retrievalFlags
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

It prints a line for each number of tokens that the prompts may show of the repository (--tokens):
  pairs                    how many were measured; the following figures are percentages of them
  lines_any, lines_all     one of the changed lines is shown, all are
  any, all, none           one of the changed files is shown, at least in part, all are, no file at all is
  gold_share               the share of changed files in what is shown of files
  nameable                 all changed files are shown, or their paths are listed
  oracle_solved            all changed lines are shown in the end, if the model asks for more of each changed file that
                           it needs, by the path alone, if it has read that, in three rounds at most
  rounds_mean              how many rounds that takes on average, 0 if nothing has to be asked
  tokens_mean              how much of the repository the first prompt shows on average, in tokens
  offered                  the percentage of pairs for which files were offered to choose from (--choose)
  choose_tokens_mean       how long that offer is on average, in tokens
  select_ms_p50, …_p95     how long a selection takes when the files are in memory, in milliseconds

Where it helps, the bot asks a model first which of some files it wants to see. --choose simulates the answer: "perfect"
is all offered files that the fix changed; a number such as 0.2 is how likely it is that another of the files is chosen
in place of one of these. The tokens are then for the offer and the first prompt together. The choice for a pair is the
same each time.`,
		Example: `  tenon eval retrieval pairs.jsonl --mirror ~/mirror
  tenon eval retrieval pairs.jsonl --mirror ~/mirror --kind issue --tokens 12000 --table
  tenon eval retrieval pairs.jsonl --mirror ~/mirror --tokens 8000,16000 --choose perfect
  tenon eval retrieval pairs.jsonl --mirror ~/mirror --tokens 16000 --choose 0.2
  tenon eval retrieval pairs.jsonl --mirror ~/mirror --jobs 1           # for times that can be compared
  tenon eval retrieval pairs.jsonl --mirror ~/mirror --json | jq -r 'select(.any | not) | "\(.budget) \(.id)"'`,
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

// retrievalFlags are the flags of eval retrieval.
type retrievalFlags struct {
	evalFlags
	budgets []int
	choose  string
	jobs    int
}

func (r *retrievalFlags) register(cmd *cobra.Command) {
	r.evalFlags.register(cmd)
	f := cmd.Flags()
	f.IntSliceVar(&r.budgets, "tokens", []int{8000, 16000, 24000},
		"measure prompts that show at most so many `tokens` of the repository; several numbers are each measured")
	f.StringVar(&r.choose, "choose", "none",
		"simulate a `choice` of files: none, perfect, or the probability that one is wrong")
	f.IntVar(&r.jobs, "jobs", runtime.GOMAXPROCS(0),
		"measure `N` repositories at a time; 1 for times that can be compared")
}

// options returns how pairs are measured, or an error if a flag is missing or wrong.
func (r *retrievalFlags) options() (out eval.Options, err error) {
	if err := r.check(r.budgets...); err != nil {
		return out, err
	}
	if sorted := slices.Sorted(slices.Values(r.budgets)); len(slices.Compact(sorted)) < len(r.budgets) {
		return out, usageError{errors.New("--tokens has the same number twice")}
	}
	if r.jobs < 1 {
		return out, usageError{fmt.Errorf("--jobs must be at least 1, not %d", r.jobs)}
	}
	out = eval.Options{Budgets: r.budgets, Jobs: r.jobs}
	if out.Choice, err = eval.ParseChoice(r.choose); err != nil {
		return out, usageError{fmt.Errorf("--choose: %w", err)}
	}
	return out, nil
}

func evalRetrieval(ctx context.Context, file string, flags retrievalFlags, w io.Writer) error {
	options, err := flags.options()
	if err != nil {
		return err
	}
	pairs, err := readPairs(file, flags.evalFlags)
	if err != nil {
		return err
	}
	mirror := func() eval.Mirror { return mirrorOfPairs{bare.NewMirror(flags.mirror)} }
	results, err := eval.Run(ctx, pairs, mirror, options)
	if err != nil {
		return err
	}
	switch {
	case flags.asJSON:
		return printResults(w, results)
	case flags.asTable:
		return eval.PrintTable(w, results)
	}
	for _, figures := range eval.SumEach(results) {
		if _, err := fmt.Fprintln(w, figures); err != nil {
			return fmt.Errorf("printing the figures: %w", err)
		}
	}
	return nil
}

// printResults prints a JSON object for each pair and budget, in their order.
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
