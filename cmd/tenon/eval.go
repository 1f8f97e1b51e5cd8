package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/internal/eval"
	"github.com/tenon-bot/tenon/internal/gitrepo/bare"
)

func newEvalCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure how well tenon works, without GitHub and without a model",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEvalRetrievalCmd())
	return cmd
}

// evalFlags are the flags of eval retrieval.
type evalFlags struct {
	mirror          string
	kind            string
	lang            string
	repo            string
	tokens          int
	asJSON, asTable bool
}

func newEvalRetrievalCmd() *cobra.Command {
	var flags evalFlags
	cmd := &cobra.Command{
		Use:   "retrieval PAIRS.jsonl",
		Short: "Measure whether the files that an issue is about are found",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return evalRetrieval(cmd.Context(), args[0], flags, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.mirror, "mirror", "", "the `folder` of the bare repositories, each in OWNER+NAME/repo")
	f.StringVar(&flags.kind, "kind", "", "only pairs of this `kind`: issue, commit-message")
	f.StringVar(&flags.lang, "lang", "", "only pairs of this `language`")
	f.StringVar(&flags.repo, "repo", "", "only pairs of this repository, as `OWNER/NAME`")
	f.IntVar(&flags.tokens, "tokens", retrieve.ContextBytes(port.ModelInfo{})/port.BytesPerToken,
		"how much of the repository the prompt may show, in tokens")
	f.BoolVar(&flags.asTable, "table", false, "print a table with a row for each kind and language")
	f.BoolVar(&flags.asJSON, "json", false, "print a JSON object for each pair")
	_ = cmd.MarkFlagRequired("mirror")
	return cmd
}

func evalRetrieval(ctx context.Context, file string, flags evalFlags, w io.Writer) error {
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
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for _, r := range results {
			if err := enc.Encode(r); err != nil {
				return fmt.Errorf("printing the results: %w", err)
			}
		}
		return nil
	case flags.asTable:
		return eval.PrintTable(w, results)
	default:
		_, err := fmt.Fprintln(w, eval.Sum(results))
		return err
	}
}

// readPairs reads the pairs that the flags select.
func readPairs(file string, flags evalFlags) ([]eval.Pair, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("opening the pairs: %w", err)
	}
	defer func() { _ = in.Close() }()
	pairs, err := eval.ReadPairs(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	pairs = slices.DeleteFunc(pairs, func(p eval.Pair) bool {
		return flags.kind != "" && p.Kind != flags.kind || flags.lang != "" && p.Lang != flags.lang ||
			flags.repo != "" && p.Repo != flags.repo
	})
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%s has no pairs with these flags", file)
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
