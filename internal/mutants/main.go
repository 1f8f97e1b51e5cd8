// Command mutants tests the tests. It plants the mutations that a file lists in the code, each by itself, runs the
// tests that should find it, and fails unless all are found. The work tree is not changed.
//
//	mutants .ci/mutants.txt          all mutations
//	mutants .ci/mutants.txt lease    those whose name contains "lease"
//	mutants -since REV LIST          those that the changes since a revision touch
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/tenon-bot/tenon/internal/gotest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, ".", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run plants the mutations of a list in the module at root.
func run(ctx context.Context, out io.Writer, root string, args []string) error {
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	flags.SetOutput(out)
	since := flags.String("since", "", "plant only what the changes since this `revision` touch: mutations of files that "+
		"changed, those that tests of packages with changes should find, and those that are new in the list")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("usage: mutants [-since REVISION] LIST [PART OF A NAME …]")
	}
	list, names := flags.Arg(0), flags.Args()[1:]
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	mutations, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	mutations = slices.DeleteFunc(mutations, func(m mutation) bool {
		named := func(part string) bool { return strings.Contains(m.name, part) }
		return len(names) > 0 && !slices.ContainsFunc(names, named)
	})
	if len(mutations) == 0 {
		return fmt.Errorf("%s has no mutation of this name", list)
	}
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	if *since != "" {
		if mutations, err = touched(ctx, root, *since, list, mutations); err != nil {
			return err
		}
	}
	return plantAll(ctx, out, root, mutations)
}

// parallel is how many mutations are planted at the same time: the compiler uses more cores than the linker and most
// tests, which run in turn with those of another mutation.
const parallel = 2

// plantAll plants mutations in the module at root, each by itself, and prints a line for each. It returns an error if
// one was not found.
func plantAll(ctx context.Context, out io.Writer, root string, mutations []mutation) error {
	if err := testUnchanged(ctx, root, mutations); err != nil {
		return err
	}
	var found atomic.Int32
	var printing sync.Mutex
	var planted errgroup.Group
	planted.SetLimit(parallel)
	for _, m := range mutations {
		planted.Go(func() error {
			test, err := plant(ctx, root, m)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil {
				found.Add(1)
			}
			printing.Lock()
			defer printing.Unlock()
			printPlanted(out, m, test, err)
			return nil
		})
	}
	if err := planted.Wait(); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "%d of %d mutants found\n", found.Load(), len(mutations))
	if missed := len(mutations) - int(found.Load()); missed > 0 {
		return fmt.Errorf("%d of %d mutations were not found; the lines above say what to do", missed, len(mutations))
	}
	return nil
}

// printPlanted prints which test found a mutation, or why none did.
func printPlanted(out io.Writer, m mutation, test string, err error) {
	switch {
	case err == nil:
		_, _ = fmt.Fprintf(out, "found     %s: %s\n", m.name, test)
	case errors.Is(err, errSurvived):
		_, _ = fmt.Fprintf(out, "SURVIVED  %s: %v\n", m.name, err)
	default:
		_, _ = fmt.Fprintf(out, "INVALID   %s: %v\n", m.name, err)
	}
}

// testUnchanged returns an error if a test fails without a mutation: it would seem to find any.
func testUnchanged(ctx context.Context, root string, mutations []mutation) error {
	var whole, named test
	for _, m := range mutations {
		if m.test.run == "" {
			whole = whole.and(m.test)
		} else {
			named = named.and(m.test)
		}
	}
	for _, t := range []test{whole, named} {
		if len(t.packages) == 0 {
			continue
		}
		report, err := goTest(ctx, root, t, "")
		switch {
		case err != nil:
			return err
		case !report.OK():
			return fmt.Errorf("the tests fail without a mutation, so they cannot find one; correct this first:\n%s", why(report))
		}
	}
	return nil
}

// errSurvived is the error for a mutation that no test found.
var errSurvived = errors.New("write the test that fails, or name it in the mutation")

// plant runs the tests of a mutation on the mutated code and returns the one that found it. An error says why none did,
// and what to do.
func plant(ctx context.Context, root string, m mutation) (test string, err error) {
	scratch, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	overlay, err := m.overlay(root, scratch)
	if err != nil {
		return "", err
	}
	file := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", err
	}
	report, err := goTest(ctx, root, m.test, file)
	switch {
	case err != nil:
		return "", err
	case report.NotBuilt:
		return "", fmt.Errorf("the mutated code does not compile; correct the mutation:\n%s", why(report))
	case report.Ran == 0:
		return "", fmt.Errorf("%s has no such test; name those that find the mutation", m.test)
	case report.OK():
		return "", fmt.Errorf("%s passes with it; %w", m.test, errSurvived)
	case len(report.Failed()) == 0:
		return "", fmt.Errorf("%s ended without the result of a test, so it is not known whether one finds the mutation; "+
			"have a test fail:\n%s", m.test, why(report))
	}
	found := report.Failed()[0]
	return found.Name + " (" + found.Package + ")", nil
}

// goTest runs tests of the module at root until one fails. An empty overlay changes nothing.
func goTest(ctx context.Context, root string, t test, overlay string) (*gotest.Report, error) {
	// The mutated package is compiled for a second of tests: without optimization, that takes a quarter less.
	args := []string{"-failfast", "-vet=off", "-gcflags=-N -l", "-timeout=2m"}
	if t.run != "" {
		args = append(args, "-run="+t.run)
	}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	return gotest.Run(ctx, gotest.Options{Dir: root, Args: append(args, t.packages...)})
}

// why returns what was printed about a failure: by the test that failed, or else the last lines of all.
func why(r *gotest.Report) string {
	if failed := r.Failed(); len(failed) > 0 {
		return strings.TrimSpace(failed[0].Output)
	}
	text := r.Said
	for _, p := range r.Packages {
		text += p.Output
	}
	lines := strings.SplitAfter(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-30):], "")
}
