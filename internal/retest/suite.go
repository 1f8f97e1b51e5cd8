package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/internal/gotest"
)

const (
	// again is how often a test that failed is run again.
	again = 2
	// most is how many tests may fail that are run again: more are no accident.
	most = 8
	// limit is the time that the tests of a package may take. It ends a test that hangs; that a machine is slow does not
	// decide.
	limit = "-timeout=60m"
	// notCached has a test really run again: go test remembers tests that passed alone, and what they read outside of
	// the module does not count.
	notCached = "-count=1"
)

// suite is one run of the tests.
type suite struct {
	root   string
	out    io.Writer
	events io.Writer // nil for none
	env    []string  // added to that of the tests

	passed, skipped int
	failed          []string // tests, with their packages, and packages that end before their tests do
	flaky           []string // lines about them
}

// run runs the tests of packages. An error says why the code does not pass.
func (s *suite) run(ctx context.Context, packages []string) error {
	report, err := s.test(ctx, packages...)
	if err != nil {
		return err
	}
	if report.NotBuilt {
		return errors.New("the code does not build; the lines above say why")
	}
	tests, ended := s.count(report.Packages)
	for _, path := range ended {
		if len(ended)+len(tests) > most {
			break
		}
		more, err := s.packageAgain(ctx, path)
		if err != nil {
			return err
		}
		tests = append(tests, more...)
	}
	if n := len(ended) + len(tests); n > most {
		s.failed = ended
		for _, f := range tests {
			s.failed = append(s.failed, f.name)
		}
		return fmt.Errorf("%d tests and packages failed; more than %d are not run again", n, most)
	}
	for _, f := range tests {
		if err := s.testAgain(ctx, f); err != nil {
			return err
		}
	}
	if len(s.failed) > 0 {
		return fmt.Errorf("failed each time: %s", strings.Join(s.failed, ", "))
	}
	return nil
}

// count counts the tests of packages. It returns those that failed, and the packages that ended before their tests did.
func (s *suite) count(packages []gotest.Package) (tests []failure, ended []string) {
	for _, p := range packages {
		if !p.OK && !p.Complete {
			ended = append(ended, p.Path)
			continue
		}
		s.passed, s.skipped = s.passed+p.Passed, s.skipped+p.Skipped
		seen := map[string]bool{}
		for _, t := range p.Failed {
			if root := t.Root(); !seen[root] {
				seen[root] = true
				tests = append(tests, failure{p.Path, root, p.Path + " " + t.Name})
			}
		}
	}
	return tests, ended
}

// failure is a test without its subtests that failed in the first run.
type failure struct {
	path, root string
	// name is the package, and the test or the subtest that failed first.
	name string
}

// packageAgain runs a package again that ended before its tests did, and returns the tests that fail then.
func (s *suite) packageAgain(ctx context.Context, path string) ([]failure, error) {
	s.say("%s ended before its tests did; it is run again as a whole", path)
	report, err := s.test(ctx, path)
	if err != nil {
		return nil, err
	}
	tests, ended := s.count(report.Packages)
	if len(ended) > 0 {
		s.failed = append(s.failed, path)
	} else {
		s.flaky = append(s.flaky, path+" ended before its tests did in 1 of 2 runs")
	}
	return tests, nil
}

// testAgain runs a test that failed again, alone, until it passes.
func (s *suite) testAgain(ctx context.Context, f failure) error {
	for runs := 2; runs <= 1+again; runs++ {
		s.say("%s failed; it is run again alone", f.name)
		report, err := s.test(ctx, notCached, "-run=^"+regexp.QuoteMeta(f.root)+"$", f.path)
		if err != nil {
			return err
		}
		if report.OK() && report.Ran > 0 {
			s.passed++
			s.flaky = append(s.flaky, fmt.Sprintf("%s failed in %d of %d runs", f.name, runs-1, runs))
			return nil
		}
	}
	s.failed = append(s.failed, f.name)
	return nil
}

// test runs go test and prints the results of packages as it does.
func (s *suite) test(ctx context.Context, args ...string) (*gotest.Report, error) {
	report, err := gotest.Run(ctx, gotest.Options{
		Dir: s.root, Env: s.env, Args: append([]string{limit}, args...), Ended: s.print, Events: s.events,
	})
	if err != nil {
		return nil, err
	}
	_, _ = io.WriteString(s.out, report.Said)
	return report, nil
}

// print prints the result of a package: of one that failed, with what its tests printed that failed.
func (s *suite) print(p gotest.Package) {
	if p.OK {
		s.say("%s", p.Result)
		return
	}
	for _, t := range p.Failed {
		s.lines(t.Output)
	}
	s.lines(p.Output)
}

// lines prints text without the lines that say when tests begin and wait.
func (s *suite) lines(text string) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "=== ") {
			_, _ = io.WriteString(s.out, line)
		}
	}
}

func (s *suite) say(format string, args ...any) { _, _ = fmt.Fprintf(s.out, format+"\n", args...) }
