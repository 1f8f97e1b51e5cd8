package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/eval"
	"github.com/tenon-bot/tenon/internal/eval/ceiling"
	"github.com/tenon-bot/tenon/internal/gitrepo/bare"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// oracleHelp explains the flag --oracle of eval.
const oracleHelp = `With --oracle, it measures the best that a model could reach that knows what to change, but not in
which lines. For each issue of PAIRS.jsonl (see tenon eval retrieval --help), the bot carries out "/tenon fix", with a
model that knows the real fix, but obeys these rules: it edits only lines that it was shown, and asks only for files
whose paths it has read, by these paths alone. A pair is solved if the files of the fix are then as the fix left them.

The fix is the commit that "fix" of the pair names, or else the one made on "base" that changes "lines".

It prints one line with the share of pairs that were solved, with its 95 % interval, and, of those that were not, why:
  refused         an edit was not applied, though it has the lines as they were shown: an error of tenon
  different       all edits were applied, and the files are not as the fix left them: an error of tenon
  uncommitted     all of the fix was shown, and nothing was committed
  read_only       a file was shown without its secrets, and cannot be edited
  not_nameable    the path of a file was never shown
  out_of_rounds   the model would have asked once more
  not_shown       lines were not shown, though the model asked for them
and below it a line for each of these pairs. no_fix counts pairs whose fix was not found; no other figure has them.`

// mirrorOfPairs is the mirror as package eval and the ceiling read it.
type mirrorOfPairs struct{ *bare.Mirror }

var (
	_ ceiling.Mirror = mirrorOfPairs{}
	_ eval.Mirror    = mirrorOfPairs{}
)

func (m mirrorOfPairs) Open(ref port.RepoRef, commit string) (repo.Checkout, error) {
	return m.Checkout(ref, commit)
}

// evalOracle measures the pairs of a file with a model that knows their fixes.
func evalOracle(ctx context.Context, file string, tokens int, flags evalFlags, w io.Writer) error {
	if err := flags.check(tokens); err != nil {
		return err
	}
	pairs, err := readPairs(file, flags)
	if err != nil {
		return err
	}
	mirror := bare.NewMirror(flags.mirror)
	defer func() { _ = mirror.Close() }()
	var results []ceiling.Result
	var printing error
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	err = ceiling.Run(ctx, pairs, mirrorOfPairs{mirror}, tokens, func(r ceiling.Result) {
		results = append(results, r)
		if flags.asJSON && printing == nil {
			printing = enc.Encode(r)
		}
	})
	switch {
	case err != nil || flags.asJSON:
	case flags.asTable:
		printing = ceiling.PrintTable(w, results)
	default:
		printing = printCeiling(w, results)
	}
	if printing != nil {
		printing = fmt.Errorf("printing the results: %w", printing)
	}
	return errors.Join(err, printing)
}

// printCeiling prints the figures in one line, and then why pairs were not solved.
func printCeiling(w io.Writer, results []ceiling.Result) error {
	_, err := fmt.Fprintln(w, ceiling.Sum(results))
	for _, r := range results {
		if err == nil && r.Outcome != ceiling.Solved {
			_, err = fmt.Fprintln(w, terminal.Escape(fmt.Sprintf("%s: %s: %s", r.ID, r.Outcome, r.Why)))
		}
	}
	return err
}
