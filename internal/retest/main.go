// Command retest runs go test, and runs a test that fails again before it decides: alone, up to twice. A test that
// passes then is flaky: it is reported, and decides nothing. A package whose process ends before its tests do, as by a
// panic, is run again once as a whole. Code that does not build, a test that fails three times, and more than eight
// tests that fail, decide at once.
//
// With -stress, it runs all tests so often for each of several values of GOMAXPROCS, beside loops that keep the
// processors busy, and counts how often each test fails.
//
//	retest ./...
//	retest -json events.json -flaky flaky.txt ./engine/... ./bot
//	retest -stress 3 ./engine/...
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, ".", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "retest:", err)
		os.Exit(1)
	}
}

// run tests packages of the module at root.
func run(ctx context.Context, out io.Writer, root string, args []string) (err error) {
	flags := flag.NewFlagSet("retest", flag.ContinueOnError)
	flags.SetOutput(out)
	events := flags.String("json", "", "write the events of all runs, as go test -json prints them, to this `file`")
	flaky := flags.String("flaky", "", "write a line about each flaky test to this `file`")
	stress := flags.Int("stress", 0, "count how often each test fails in `N` runs for each value of GOMAXPROCS")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("usage: retest [-json FILE] [-flaky FILE | -stress N] PACKAGE …")
	}
	s := suite{root: root, out: out}
	if *events != "" {
		file, err := os.Create(*events)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		s.events = file
	}
	if *stress > 0 {
		return s.stress(ctx, *stress, busy, flags.Args())
	}
	err = s.run(ctx, flags.Args())
	_, _ = fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", s.passed, len(s.failed), s.skipped)
	lines := ""
	slices.Sort(s.flaky) // and not as the packages happened to end
	for _, line := range s.flaky {
		_, _ = fmt.Fprintln(out, "FLAKY:", line)
		lines += line + "\n"
	}
	if *flaky != "" {
		err = errors.Join(err, os.WriteFile(*flaky, []byte(lines), 0o600))
	}
	return err
}
