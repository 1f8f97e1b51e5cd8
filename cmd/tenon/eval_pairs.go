package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/eval"
)

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
