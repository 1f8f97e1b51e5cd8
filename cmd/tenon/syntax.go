package main

import (
	"fmt"

	"github.com/spf13/pflag"

	botedit "github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/meter"
)

// syntaxCheck is the value of --syntax: what happens to files that do not parse after their edits.
type syntaxCheck string

const (
	syntaxOff    syntaxCheck = "off"
	syntaxWarn   syntaxCheck = "warn"
	syntaxRefuse syntaxCheck = "refuse"
)

func (s *syntaxCheck) String() string { return string(*s) }

// Type is the name of the value in the help.
func (s *syntaxCheck) Type() string { return "mode" }

// Set sets the value, and fails for any other than the three.
func (s *syntaxCheck) Set(text string) error {
	switch v := syntaxCheck(text); v {
	case syntaxOff, syntaxWarn, syntaxRefuse:
		*s = v
		return nil
	}
	return fmt.Errorf("write refuse, warn or off after an equals sign: --syntax=%s", syntaxWarn)
}

// addSyntaxFlag adds --syntax, which without a value refuses.
func addSyntaxFlag(flags *pflag.FlagSet, check *syntaxCheck) {
	*check = syntaxOff
	flags.Var(check, "syntax", "refuse edits that break a file; =warn only warns")
	flags.Lookup("syntax").NoOptDefVal = string(syntaxRefuse)
}

// options returns how the engine checks the files of one application.
func (s *syntaxCheck) options() engine.Options {
	work := meter.Of(meter.Default)
	switch *s {
	case syntaxRefuse:
		return engine.Options{Work: work, Verify: botedit.NewVerify(work)}
	case syntaxWarn:
		return engine.Options{Work: work, Verify: botedit.NewVerify(work), AllowProblems: func(string) bool { return true }}
	}
	return engine.Options{Work: work}
}

// parses reports whether no file was found that does not parse after its edits.
func parses(results []engine.Result) bool {
	for _, r := range results {
		if len(r.Problems) > 0 {
			return false
		}
	}
	return true
}

// fileProblemJSON is something wrong with a file after its edits. Line is the line of the edited file, or 0.
type fileProblemJSON struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

func describeFileProblems(problems []engine.FileProblem) (out []fileProblemJSON) {
	for _, p := range problems {
		out = append(out, fileProblemJSON{p.Line, p.Message})
	}
	return out
}
