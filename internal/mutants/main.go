// Command mutants tests the tests. It plants the mutations that a file lists in the code, each by itself, runs the
// tests that should find it, and fails unless all are found. The work tree is not changed.
//
//	mutants .ci/mutants.txt          all mutations
//	mutants .ci/mutants.txt lease    those whose name contains "lease"
package main

import (
	"context"
	"errors"
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
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, ".", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run plants the mutations of a list in the module at root. args are the list and parts of names.
func run(ctx context.Context, out io.Writer, root string, args []string) error {
	if len(args) == 0 {
		return errors.New("usage: mutants LIST [PART OF A NAME …]")
	}
	list, names := args[0], args[1:]
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
		result, err := goTest(ctx, root, t, "")
		switch {
		case err != nil:
			return err
		case !result.passed:
			return fmt.Errorf("the tests fail without a mutation, so they cannot find one; correct this first:\n%s",
				result.output)
		}
	}
	return nil
}

// errSurvived is the error for a mutation that no test found.
var errSurvived = errors.New("write the test that fails, or name it in the mutation")

// plant runs the tests of a mutation on the mutated code and returns the one that found it. An error says why none did,
// and what to do.
func plant(ctx context.Context, root string, m mutation) (by string, err error) {
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
	result, err := goTest(ctx, root, m.test, file)
	switch {
	case err != nil:
		return "", err
	case result.notBuilt:
		return "", fmt.Errorf("the mutated code does not compile; correct the mutation:\n%s", result.output)
	case result.ran == 0:
		return "", fmt.Errorf("%s has no such test; name those that find the mutation", m.test)
	case result.passed:
		return "", fmt.Errorf("%s passes with it; %w", m.test, errSurvived)
	case result.failed == "":
		return "", fmt.Errorf("%s ended without the result of a test, so it is not known whether one finds the mutation; "+
			"have a test fail:\n%s", m.test, result.output)
	}
	return result.failed, nil
}
