package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/tenon-bot/tenon/internal/gotest"
)

// processors are the values of GOMAXPROCS for which tests are run.
var processors = []int{1, 2, 4}

const (
	// messageLines is how many lines of the message of a test are shown, and messageWidth how many bytes of each.
	messageLines = 4
	messageWidth = 160
)

// tally is how often a test failed.
type tally struct {
	name    string // its package and its name, or what happened to its package
	runs    int
	at      map[int]int // the runs by GOMAXPROCS
	message string      // of the first time
}

// stress runs the tests of packages n times for each value of GOMAXPROCS, while busy keeps the processors busy with so
// many loops, and prints how often each test failed. Any failure is an error.
func (s *suite) stress(ctx context.Context, n int, busy func(loops int) (stop func()), packages []string) error {
	s.say("==> building")
	report, err := s.test(ctx, append([]string{"-run=^$"}, packages...)...)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(report.Packages, func(p gotest.Package) bool { return !p.NotBuilt }) {
		return errors.New("no package can be built; the lines above say why")
	}
	defer busy(max(4, 2*runtime.NumCPU()))()
	tallies, runs := map[string]*tally{}, 0
	for _, procs := range processors {
		s.env = []string{"GOMAXPROCS=" + strconv.Itoa(procs)}
		for i := range n {
			s.say("==> GOMAXPROCS=%d, run %d of %d", procs, i+1, n)
			// The packages whose tests run side by side are no fewer with one processor, to which go would limit itself too.
			report, err = s.test(ctx, append([]string{notCached, fmt.Sprintf("-p=%d", max(procs, runtime.NumCPU()))},
				packages...)...)
			if err != nil {
				s.printTallies(tallies, runs)
				return err
			}
			runs++
			for name, message := range failures(report) {
				if tallies[name] == nil {
					tallies[name] = &tally{name: name, at: map[int]int{}, message: message}
				}
				tallies[name].runs++
				tallies[name].at[procs]++
			}
		}
	}
	s.printTallies(tallies, runs)
	if len(tallies) > 0 {
		return fmt.Errorf("tests and packages that failed at least once in %d runs: %d", runs, len(tallies))
	}
	return nil
}

// failures returns the messages of the tests that failed, by name, and of the packages that did not run all tests. A
// test that contains a failed one is left out.
func failures(report *gotest.Report) map[string]string {
	failed := map[string]string{}
	for _, p := range report.Packages {
		printed := ""
		for _, t := range p.Failed {
			printed += t.Output
			if !slices.ContainsFunc(p.Failed, func(sub gotest.Test) bool { return strings.HasPrefix(sub.Name, t.Name+"/") }) {
				failed[p.Path+" "+t.Name] = message(t.Output)
			}
		}
		switch {
		case p.OK:
		case p.NotBuilt:
			failed[p.Path+" does not build, as the lines above say"] = ""
		case !p.Complete:
			failed[p.Path+" ended before its tests did"] = message(printed + p.Output)
		}
	}
	return failed
}

// printTallies prints how often each test failed of so many runs, the most frequent first.
func (s *suite) printTallies(tallies map[string]*tally, runs int) {
	for _, c := range slices.SortedFunc(maps.Values(tallies), func(a, b *tally) int {
		return cmp.Or(b.runs-a.runs, strings.Compare(a.name, b.name))
	}) {
		var at []string
		for _, procs := range slices.Sorted(maps.Keys(c.at)) {
			at = append(at, fmt.Sprintf("%d: %d", procs, c.at[procs]))
		}
		s.say("\n%d of %d runs: %s (by GOMAXPROCS %s)", c.runs, runs, c.name, strings.Join(at, ", "))
		for line := range strings.Lines(c.message) {
			s.say("    %s", strings.TrimSuffix(line, "\n"))
		}
	}
}

// What testify prints of a failure, what Go prints when it ends a process, and what tests log.
var (
	testify = regexp.MustCompile(`(?s)(\S+\.go:\d+: )\n\s+Error Trace:.*?\n\s+Error:\s*(.*?)\n\s+Test:`)
	crash   = regexp.MustCompile(`(?ms)^((?:panic|fatal error): .*?)(?:^goroutine |\z)`)
	logged  = regexp.MustCompile(`(?m)^\s+\S+\.go:\d+: `)
)

// message returns the first lines of the message in what a failed test printed. Which line of a log is an error is not
// known: it is the last one.
func message(printed string) string {
	text := printed
	if found := crash.FindStringSubmatch(printed); found != nil {
		text = found[1]
	} else if found := testify.FindStringSubmatch(printed); found != nil {
		text = found[1] + found[2]
	} else if all := logged.FindAllStringIndex(printed, -1); all != nil {
		text = printed[all[len(all)-1][0]:]
	}
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") && len(lines) < messageLines {
			lines = append(lines, strings.ToValidUTF8(line[:min(len(line), messageWidth)], ""))
		}
	}
	return strings.Join(lines, "\n")
}

// busy keeps the processors busy with so many loops, each in a thread of its own, until stop is called. They end with
// this process, however it ends.
func busy(loops int) (stop func()) {
	var stopped atomic.Bool
	before := runtime.GOMAXPROCS(loops + runtime.NumCPU())
	for range loops {
		go spin(&stopped)
	}
	return func() {
		stopped.Store(true)
		runtime.GOMAXPROCS(before)
	}
}

func spin(stopped *atomic.Bool) {
	for !stopped.Load() {
	}
}
