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

// benchReply is a reply as models write them, of about size bytes: prose, blocks of one to three functions in fences,
// a path line for each, sometimes a command.
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
		fmt.Fprintf(&out, "// handle%d%d answers one request, or says why it cannot.\nfunc handle%d%d(w http.ResponseWriter, r *http.Request) error {\n", n, k, n, k)
		out.WriteString("\tbody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))\n\tif err != nil {\n\t\treturn err\n\t}\n")
		for line := range 8 {
			fmt.Fprintf(&out, "\tif field%d := r.Header.Get(\"X-Field-%d\"); field%d != \"\" {\n\t\tfields = append(fields, field%d)\n\t}\n", line, line, line, line)
		}
		out.WriteString("\n\treturn json.Unmarshal(body, &fields)\n}\n\n")
	}
	return out.String()
}

// lineWalk is the floor: finding the ends of the lines.
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

// parseVsLineWalk is how often walking the lines of an 80 kB reply fits into parsing it whole.
func parseVsLineWalk() float64 {
	text := benchReply(80_000)
	raw := []byte(text)
	return timesAsLong(parsing(text), func() { benchSink += lineWalk(raw) })
}

// parseGrowth is the time for a line of a 10 MB reply against that of a 1 MB reply: 1 where Parse is linear.
func parseGrowth() float64 {
	return timesAsLong(parsing(benchReply(10_000_000)), parsing(benchReply(1_000_000))) / 10
}

// markerGrowth is the same for lines that are nothing but heads without an end, 1,000,000 against 100,000.
func markerGrowth() float64 {
	line := "<<<<<<< SEARCH\n"
	return timesAsLong(parsing(strings.Repeat(line, 1_000_000)), parsing(strings.Repeat(line, 100_000))) / 10
}

// allocsPerBlock counts the allocations of Parse for each block.
func allocsPerBlock() float64 {
	text := benchReply(80_000)
	blocks := len(engine.Parse(text, engine.ParseOptions{}).Blocks)
	return testing.AllocsPerRun(20, func() { engine.Parse(text, engine.ParseOptions{}) }) / float64(blocks)
}

func parsing(text string) func() {
	return func() { benchSink += len(engine.Parse(text, engine.ParseOptions{}).Blocks) }
}

// timesAsLong is how many times as long as g the function f takes: the best rounds of both, taken in turns, so that what
// else the machine does falls on both. It works inside a benchmark, where testing.Benchmark does not.
func timesAsLong(f, g func()) float64 {
	best := [2]float64{math.Inf(1), math.Inf(1)}
	for range 25 {
		for i, run := range []func(){f, g} {
			runs, start := 0, time.Now()
			for time.Since(start) < 10*time.Millisecond {
				run()
				runs++
			}
			best[i] = min(best[i], float64(time.Since(start).Nanoseconds())/float64(runs))
		}
	}
	return best[0] / best[1]
}

// BenchmarkParse reports the ratios of the parsing half; bench-engine prints them with the others.
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
