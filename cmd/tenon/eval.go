package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/port"
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
	results, err := measurePairs(ctx, pairs, flags)
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

// readPairs reads the pairs that the flags select, in the order of their repositories.
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

// measurePairs measures each pair, one repository after the other.
func measurePairs(ctx context.Context, pairs []eval.Pair, flags evalFlags) ([]eval.Result, error) {
	var results []eval.Result
	byRepo := map[string][]eval.Pair{}
	var order []string
	for _, p := range pairs {
		if byRepo[p.Repo] == nil {
			order = append(order, p.Repo)
		}
		byRepo[p.Repo] = append(byRepo[p.Repo], p)
	}
	for _, name := range order {
		got, err := measureRepo(ctx, byRepo[name], flags)
		if err != nil {
			return nil, err
		}
		results = append(results, got...)
	}
	return results, nil
}

func measureRepo(ctx context.Context, pairs []eval.Pair, flags evalFlags) ([]eval.Result, error) {
	folder := filepath.Join(flags.mirror, pairs[0].Folder(), "repo")
	repository, err := bare.Open(folder)
	if errors.Is(err, port.ErrNotFound) {
		return nil, fmt.Errorf("%s is not in the mirror: there is no bare repository %s", pairs[0].Repo, folder)
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = repository.Close() }()
	var results []eval.Result
	for _, p := range pairs {
		checkout, err := repository.Checkout(p.Base)
		if err != nil {
			return nil, fmt.Errorf("pair %s: %w", p.ID, err)
		}
		result, err := eval.Measure(ctx, p, checkout, flags.tokens*port.BytesPerToken)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}
