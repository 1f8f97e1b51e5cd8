package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/eval/replies"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// repliesFlags are the flags of eval replies.
type repliesFlags struct {
	asJSON           bool
	form, only, show string
}

func newEvalRepliesCmd() *cobra.Command {
	var flags repliesFlags
	cmd := &cobra.Command{
		Use:   "replies DIR|FILE...",
		Short: "Measure how well replies are read and applied",
		Long: `replies reads and applies replies to files as "tenon batch" does, and compares the result with the known right
one. It needs no model.

A FILE has a JSON object on each line:
  id                     any name for the case
  form, variant, source  optional: how the reply is written, and where it is from
  files                  the text of each path before the reply
  reply                  the reply
  expect                 the new text of each file that changes, null for one that is removed; {} if nothing may change
  refuse                 optional, in place of expect: true if nothing may change
  ambiguous              optional: true if other results are right too, for --json alone

Of a DIR, all files named *.jsonl and *.txtar at any depth are read. A txtar archive is one case, with the files reply,
before/PATH and after/PATH, which are all files that there are afterwards. Without after/, nothing may change.

It prints tables with a row for each form:
  equal      all files are as expected
  line-ends  they are, except for line endings and the line feed at the end of a file
  refused    something is missing, but nothing has changed that should not. The reason is that of the first block that
             failed, or the kind of the first problem with the reply; nothing-read if there is neither, and unnoticed
             if all blocks were applied and no problem was found
  other      a wrong result
  read       cases in which nothing may change, and a block was read
  by level   the most lenient level that a case needed (see tenon batch --help)
and below them one line with the figures of all cases. The exit code is 0 whatever the results are.`,
		Example: `  tenon eval replies cases.jsonl
  tenon eval replies cases/ --form udiff --only refused
  tenon eval replies cases.jsonl --show udiff-17
  tenon eval replies cases.jsonl --json | jq -r 'select(.class == "other") | .id, .differ[]'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("name a file with cases, like cases.jsonl, or a folder of such")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return evalReplies(args, flags, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.form, "form", "", "measure only replies of this form, `NAME`")
	f.StringVar(&flags.only, "only", "", "print the ids of the cases of a `CLASS`: equal, line-ends, refused or other")
	f.StringVar(&flags.show, "show", "", "show the blocks of the case with this `ID`, and a diff from what was expected")
	f.BoolVar(&flags.asJSON, "json", false, "print a JSON object for each case")
	cmd.MarkFlagsMutuallyExclusive("json", "show")
	cmd.MarkFlagsMutuallyExclusive("only", "show")
	return cmd
}

// check returns an error if a flag is wrong.
func (r *repliesFlags) check() error {
	if r.only != "" && !slices.Contains(replies.Classes(), replies.Class(r.only)) {
		return usageError{fmt.Errorf("--only must be equal, line-ends, refused or other, not %q", r.only)}
	}
	return nil
}

// evalReplies measures the cases in files and folders.
func evalReplies(names []string, flags repliesFlags, w io.Writer) error {
	if err := flags.check(); err != nil {
		return err
	}
	var results []replies.Result
	for _, name := range names {
		err := readCases(name, func(c replies.Case) error {
			if flags.form != "" && c.Form != flags.form || flags.show != "" && c.ID != flags.show {
				return nil
			}
			check := syntaxOff
			trial, err := replies.Try(c, check.options())
			if err != nil {
				return err
			}
			r := trial.Judge()
			results = append(results, r)
			return flags.print(w, trial, r)
		})
		if err != nil {
			return err
		}
	}
	switch where := strings.Join(names, ", "); {
	case len(results) == 0 && flags.show != "":
		return fmt.Errorf("%s has no case %q", where, flags.show)
	case len(results) == 0 && flags.form != "":
		return fmt.Errorf("%s has no cases of the form %q", where, flags.form)
	case len(results) == 0:
		return fmt.Errorf("%s has no cases; they are in files named *.jsonl and *.txtar", where)
	case flags.asJSON || flags.only != "" || flags.show != "":
		return nil
	}
	return replies.PrintTable(w, results)
}

// readCases reads the cases in a file or a folder.
func readCases(name string, each func(replies.Case) error) error {
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("reading the cases: %w", err)
	}
	folder, root := name, "."
	if !info.IsDir() {
		folder, root = filepath.Dir(name), filepath.Base(name)
	}
	if err := replies.Read(os.DirFS(folder), root, each); err != nil {
		return fmt.Errorf("measuring the cases of %s: %w", name, err)
	}
	return nil
}

// print prints what the flags ask for of one case; nothing if they ask for a table.
func (r *repliesFlags) print(w io.Writer, t replies.Trial, result replies.Result) (err error) {
	switch {
	case r.only != "" && r.only != string(result.Class):
	case r.asJSON:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		err = enc.Encode(result)
	case r.only != "":
		_, err = fmt.Fprintln(w, terminal.Escape(lineOf(result)))
	case r.show != "":
		err = showTrial(w, t, result)
	}
	if err != nil {
		return fmt.Errorf("printing the result of %s: %w", result.ID, err)
	}
	return nil
}

// lineOf returns the id of a case, why it is not as expected, and the files with a wrong result.
func lineOf(r replies.Result) string {
	line := r.ID
	if r.Reason != "" {
		line += ": " + r.Reason
	}
	if len(r.Differ) > 0 {
		line += ": " + strings.Join(r.Differ, ", ")
	}
	return line
}

// showTrial prints what became of a case: of its blocks, and how the files differ from what was expected.
func showTrial(w io.Writer, t replies.Trial, result replies.Result) error {
	lines := []string{strings.TrimSuffix(fmt.Sprintf("%s: %s: %s", result.ID, result.Class, result.Reason), ": ")}
	for i, r := range t.Results {
		line := fmt.Sprintf("block %d (%s): %s: %s", i+1, r.Block.Format, r.Path, r.Status)
		if r.Status == engine.Applied {
			line += fmt.Sprintf(", line %d, level %d", r.Line, r.Level)
		} else {
			line += fmt.Sprintf(", %s: %s", r.Reason, r.Detail)
		}
		lines = append(lines, line)
	}
	for _, p := range t.Reply.Problems {
		lines = append(lines, fmt.Sprintf("line %d of the reply: %s: %s", p.Line, p.Kind, p.Text))
	}
	for _, d := range t.Differences() {
		from, to := "expected/"+d.Path, "got/"+d.Path
		if d.Unexpected {
			from = "/dev/null"
		}
		if d.Missing {
			to = "/dev/null"
		}
		lines = append(append(lines, "--- "+from, "+++ "+to), strings.Split(strings.TrimSuffix(d.Diff, "\n"), "\n")...)
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, terminal.Escape(line)); err != nil {
			return err
		}
	}
	return nil
}
