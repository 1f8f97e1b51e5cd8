package engine_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tenon-bot/tenon/engine"
)

// benchReply returns a reply of about size bytes as models write them: prose, fenced blocks of one to three functions
// with a path line each, and some commands.
func benchReply(size int) string {
	var out strings.Builder
	for n := 0; out.Len() < size; n++ {
		fmt.Fprintf(&out, "Next, `handler%d` must close what it opened, so that nothing leaks.\n\n", n)
		fmt.Fprintf(&out, "internal/server/handler%d.go\n```go\n<<<<<<< SEARCH\n", n/3)
		body := benchFunctions(n, n%3+1)
		out.WriteString(body)
		out.WriteString("=======\n")
		out.WriteString(strings.ReplaceAll(body, "return err", `return fmt.Errorf("handling: %w", err)`))
		out.WriteString(">>>>>>> REPLACE\n```\n\n")
		if n%10 == 9 {
			fmt.Fprintf(&out, "The old file can go: `git rm internal/server/old%d.go`\n\n", n)
		}
	}
	return out.String()
}

func benchFunctions(n, count int) string {
	var out strings.Builder
	for k := range count {
		fmt.Fprintf(&out, "// handle%d%d answers one request, or says why it cannot.\n", n, k)
		fmt.Fprintf(&out, "func handle%d%d(w http.ResponseWriter, r *http.Request) error {\n", n, k)
		out.WriteString("\tbody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))\n")
		out.WriteString("\tif err != nil {\n\t\treturn err\n\t}\n")
		for line := range 8 {
			fmt.Fprintf(&out, "\tif field%d := r.Header.Get(\"X-Field-%d\"); field%d != \"\" {\n", line, line, line)
			fmt.Fprintf(&out, "\t\tfields = append(fields, field%d)\n\t}\n", line)
		}
		out.WriteString("\n\treturn json.Unmarshal(body, &fields)\n}\n\n")
	}
	return out.String()
}

// lineWalk is the baseline: it finds the ends of the lines.
func lineWalk(text []byte) int {
	lines := 0
	for {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return lines
		}
		text = text[i+1:]
		lines++
	}
}

var benchSink int

// parseVsLineWalk is the time to parse a reply of 80 kB relative to lineWalk.
func parseVsLineWalk() float64 {
	text := benchReply(80_000)
	raw := []byte(text)
	return timesAsLong(parsing(text), func() { benchSink += lineWalk(raw) })
}

// parseGrowth is the time per line for a reply of 10 MB relative to 1 MB: 1 if Parse is linear.
func parseGrowth() float64 {
	return timesAsLong(parsing(benchReply(10_000_000)), parsing(benchReply(1_000_000))) / 10
}

// markerGrowth is the same for replies of only heads without an end, with 1,000,000 relative to 100,000 lines.
func markerGrowth() float64 {
	line := "<<<<<<< SEARCH\n"
	return timesAsLong(parsing(strings.Repeat(line, 1_000_000)), parsing(strings.Repeat(line, 100_000))) / 10
}

// allocsPerBlock returns the number of allocations of Parse per block.
func allocsPerBlock() float64 {
	text := benchReply(80_000)
	blocks := len(engine.Parse(text, engine.ParseOptions{}).Blocks)
	return testing.AllocsPerRun(20, func() { engine.Parse(text, engine.ParseOptions{}) }) / float64(blocks)
}

func parsing(text string) func() {
	return func() { benchSink += len(engine.Parse(text, engine.ParseOptions{}).Blocks) }
}

// How often timesAsLong runs each function: rounds of about roundTime, at least minRounds, and more for maxTiming.
const (
	roundTime = time.Millisecond
	minRounds = 20
	maxTiming = time.Second
)

// timesAsLong returns the time of f relative to that of g, by the best rounds of both. The rounds are short and
// alternate, so that other load affects both, and some rounds of each not at all. Unlike testing.Benchmark, it can be
// called from a benchmark.
func timesAsLong(f, g func()) float64 {
	best, begin := [2]float64{math.Inf(1), math.Inf(1)}, time.Now()
	for round := 0; round < minRounds || time.Since(begin) < maxTiming; round++ {
		for i, run := range []func(){f, g} {
			runs, start := 0, time.Now()
			for time.Since(start) < roundTime {
				run()
				runs++
			}
			best[i] = min(best[i], float64(time.Since(start).Nanoseconds())/float64(runs))
		}
	}
	return best[0] / best[1]
}

// BenchmarkParse reports the ratios for Parse.
func BenchmarkParse(b *testing.B) {
	text := benchReply(80_000)
	for b.Loop() {
		benchSink += len(engine.Parse(text, engine.ParseOptions{}).Blocks)
	}
	b.ReportMetric(parseVsLineWalk(), "parse_vs_linewalk")
	b.ReportMetric(parseGrowth(), "parse_ns_per_line_growth")
	b.ReportMetric(markerGrowth(), "marker_ns_per_line_growth")
	b.ReportMetric(allocsPerBlock(), "allocs_per_block")
}
