// Package gotest runs go test and reads what it reports, for the programs that judge tests by it.
package gotest

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

// Report is what go test reported. The zero value is that of a run without packages.
type Report struct {
	// Packages are in the order in which their tests ended.
	Packages []Package
	// Ran counts the tests and subtests that were started.
	Ran int
	// NotBuilt reports that code does not compile, or that go could not load the packages. Said has the messages.
	NotBuilt bool
	// Said is what was printed outside of the tests of packages, as by the compiler.
	Said string
}

// Package is the result of a package.
type Package struct {
	Path string
	// Result is the line with which go test ends a package, such as "ok  	example.com/x	0.2s".
	Result string
	// OK reports that no test failed, also where there are no tests.
	OK bool
	// NotBuilt reports that its code, or that of a package that it needs, does not compile.
	NotBuilt bool
	// Complete reports that all its tests ended. A failed package that is not complete ended by a panic, a signal, a time
	// limit or os.Exit, and says nothing about the tests that had not ended.
	Complete bool
	// Passed and Skipped count tests and subtests.
	Passed, Skipped int
	// Failed are the tests that failed, subtests before the test that contains them.
	Failed []Test
	// Output is what was printed outside of tests, and by those that did not end.
	Output string
}

// Test is a test that failed.
type Test struct {
	Package string
	// Name contains slashes for a subtest.
	Name   string
	Output string
}

// Root returns the name of the test without its subtests.
func (t Test) Root() string {
	root, _, _ := strings.Cut(t.Name, "/")
	return root
}

// OK reports whether code was built and no test failed.
func (r *Report) OK() bool {
	for _, p := range r.Packages {
		if !p.OK {
			return false
		}
	}
	return !r.NotBuilt
}

// Failed returns the failed tests of all packages.
func (r *Report) Failed() (out []Test) {
	for _, p := range r.Packages {
		out = append(out, p.Failed...)
	}
	return out
}

// Options say how Run runs go test.
type Options struct {
	// Dir is the folder of the module.
	Dir string
	// Env is added to the environment, as "NAME=value".
	Env []string
	// Args follow "go test -json": flags and packages.
	Args []string
	// Ended is called with each package when its tests have ended, if it is not nil.
	Ended func(Package)
	// Events gets the lines of go test -json, if it is not nil.
	Events io.Writer
}

// Run runs go test. Tests that fail are no error: an error means that go could not be run, or that its output could not
// be read.
func Run(ctx context.Context, o Options) (*Report, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json"}, o.Args...)...)
	cmd.Dir = o.Dir
	cmd.Env = append(cmd.Environ(), o.Env...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("running go: %w", err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("running go: %w", err)
	}
	events := io.Reader(stdout)
	if o.Events != nil {
		events = io.TeeReader(stdout, o.Events)
	}
	r, readErr := Read(events, o.Ended)
	if readErr != nil {
		_, _ = io.Copy(io.Discard, stdout) // or go would wait for a reader
	}
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("running go: %w", err)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r.Said += stderr.String()
	// A package that does not exist is a message on standard error, and the exit status.
	r.NotBuilt = r.NotBuilt || err != nil && r.OK()
	return r, readErr
}

// event is a line of go test -json, as "go doc test2json" and "go help buildjson" describe it.
type event struct{ Action, Package, Test, Output, FailedBuild string }

// Read reads what go test -json prints, and calls ended, if it is not nil, with each package that has ended.
func Read(from io.Reader, ended func(Package)) (*Report, error) {
	r := reader{ended: ended, running: map[string]*running{}}
	for dec := json.NewDecoder(from); ; {
		var e event
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return &r.report, nil
		} else if err != nil {
			return &r.report, fmt.Errorf("reading the output of go test: %w", err)
		}
		r.read(e)
	}
}

// reader is one call of Read.
type reader struct {
	report  Report
	ended   func(Package)
	running map[string]*running
}

// running is a package whose tests have not all ended.
type running struct {
	Package
	outside strings.Builder
	tests   map[string]*strings.Builder // that have not ended
	names   []string                    // their names, in the order in which they were started, and of some that ended
	last    string                      // the last line outside of tests
}

func (r *reader) read(e event) {
	if e.Package == "" {
		r.report.Said += e.Output
		r.report.NotBuilt = r.report.NotBuilt || e.Action == "build-fail"
		return
	}
	p := r.running[e.Package]
	if p == nil {
		p = &running{Package: Package{Path: e.Package}, tests: map[string]*strings.Builder{}}
		r.running[e.Package] = p
	}
	switch {
	case e.Test != "":
		if e.Action == "run" {
			r.report.Ran++
		}
		p.readTest(e)
	case e.Action == "output":
		p.outside.WriteString(e.Output)
		p.Complete = p.Complete || e.Output == "FAIL\n" || e.Output == "PASS\n"
		p.last = strings.TrimSuffix(e.Output, "\n")
	case e.Action == "pass", e.Action == "fail", e.Action == "skip":
		p.NotBuilt = e.FailedBuild != ""
		r.report.NotBuilt = r.report.NotBuilt || p.NotBuilt
		delete(r.running, e.Package)
		r.end(p, e.Action != "fail")
	}
}

// readTest reads an event of a test.
func (p *running) readTest(e event) {
	printed := p.tests[e.Test]
	if printed == nil {
		printed = &strings.Builder{}
		p.tests[e.Test] = printed
		p.names = append(p.names, e.Test)
	}
	switch e.Action {
	case "output":
		printed.WriteString(e.Output)
		return
	case "pass":
		p.Passed++
	case "skip":
		p.Skipped++
	case "fail":
		p.Failed = append(p.Failed, Test{Package: e.Package, Name: e.Test, Output: printed.String()})
	default:
		return
	}
	delete(p.tests, e.Test)
}

func (r *reader) end(p *running, ok bool) {
	p.OK, p.Result = ok, p.last
	// A test can end the process with success, which go test does not take for one.
	p.Complete = p.Complete && (ok || len(p.Failed) > 0)
	for _, name := range p.names {
		if printed := p.tests[name]; printed != nil {
			p.Output += printed.String()
		}
	}
	p.Output += p.outside.String()
	r.report.Packages = append(r.report.Packages, p.Package)
	if r.ended != nil {
		r.ended(p.Package)
	}
}
