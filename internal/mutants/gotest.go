package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// result is the result of go test.
type result struct {
	passed bool
	// failed is the first test that failed, with its package; empty if none did.
	failed string
	// notBuilt reports that the code does not compile.
	notBuilt bool
	// ran counts the tests that were started.
	ran int
	// output is what was printed: that of the test that failed, or else the last lines of all.
	output string
}

// goTest runs tests of the module at root until one fails. An empty overlay changes nothing.
func goTest(ctx context.Context, root string, t test, overlay string) (result, error) {
	// The mutated package is compiled for a second of tests: without optimization, that takes a quarter less.
	args := []string{"test", "-json", "-failfast", "-vet=off", "-gcflags=-N -l", "-timeout=2m"}
	if t.run != "" {
		args = append(args, "-run="+t.run)
	}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, t.packages...)...)
	cmd.Dir = root
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return result{}, fmt.Errorf("running go: %w", err)
	}
	r, readErr := readEvents(&stdout)
	r.passed = err == nil
	r.output = strings.TrimSpace(r.output + stderr.String())
	return r, readErr
}

// event is a line of go test -json.
type event struct{ Action, Package, Test, Output string }

// readEvents reads what go test -json prints.
func readEvents(from io.Reader) (r result, err error) {
	type name struct{ pkg, test string }
	printed := map[name]string{}
	var all strings.Builder
	for dec := json.NewDecoder(from); ; {
		var e event
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return r, fmt.Errorf("reading the output of go test: %w", err)
		}
		all.WriteString(e.Output)
		printed[name{e.Package, e.Test}] += e.Output
		switch {
		case e.Action == "run":
			r.ran++
		case e.Action == "build-fail":
			r.notBuilt = true
		case e.Action == "fail" && e.Test != "" && r.failed == "":
			r.failed = e.Test + " (" + e.Package + ")"
			r.output = printed[name{e.Package, e.Test}]
		}
	}
	if r.failed == "" {
		r.output = lastLines(all.String())
	}
	return r, nil
}

func lastLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-30):], "")
}
