package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tenon-bot/tenon/engine"
)

// applyWork returns a tree of 20 files of 1,000 lines, and blocks that each change one line of six, in all files.
func applyWork(blocks int) (engine.MemTree, []engine.Block) {
	const files = 20
	tree := engine.MemTree{}
	for n := range files {
		var text strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&text, "\tfield%d := r.Header.Get(\"X-Field-%d\") // of file %d\n", i, i, n)
		}
		tree[fmt.Sprintf("dir/file%d.go", n)] = []byte(text.String())
	}
	work := make([]engine.Block, blocks)
	for k := range work {
		n, at := k%files, (k/files*97)%990
		b := engine.Block{Path: fmt.Sprintf("dir/file%d.go", n)}
		for i := range 6 {
			line := fmt.Sprintf("\tfield%d := r.Header.Get(\"X-Field-%d\") // of file %d", at+i, at+i, n)
			b.Find, b.Replace = append(b.Find, line), append(b.Replace, line)
		}
		b.Replace[3] += fmt.Sprintf(", changed by block %d", k)
		work[k] = b
	}
	return tree, work
}

// applying returns a function that applies blocks in a dry run, so that each run does the same work.
func applying(tree engine.MemTree, blocks []engine.Block) func() {
	opts := engine.Options{DryRun: true, Limits: engine.Limits{Blocks: len(blocks)}}
	return func() {
		out, err := engine.Apply(tree, blocks, opts)
		if err != nil {
			panic(err)
		}
		benchSink += len(out.Changed)
	}
}

// missingBlock returns a file of 10,000 lines, and a block of 100 that matches nowhere although many of its lines do.
func missingBlock() (engine.MemTree, engine.Block) {
	var text strings.Builder
	b := engine.Block{Path: "f.go"}
	for i := range 10_000 {
		line := fmt.Sprintf("\tif value%d != limit { return errRange }", i%2500)
		text.WriteString(line + "\n")
		if i >= 4000 && i < 4100 {
			if i%2 == 0 {
				line = fmt.Sprintf("\tsomething.Else(%d)", i)
			}
			b.Find = append(b.Find, line)
		}
	}
	b.Replace = append(append([]string{}, b.Find[:50]...), "\tnew()")
	return engine.MemTree{"f.go": []byte(text.String())}, b
}

func milliseconds(f func()) float64 {
	best := math.Inf(1)
	for range 15 {
		start := time.Now()
		f()
		best = min(best, float64(time.Since(start).Nanoseconds())/1e6)
	}
	return best
}

// applyGrowth is the time per block for 2,000 blocks relative to 200: 1 if Apply is linear in the number of blocks.
func applyGrowth() float64 {
	return timesAsLong(applying(applyWork(2000)), applying(applyWork(200))) / 10
}

// failing returns a function that checks a block without a match.
func failing() func() {
	tree, block := missingBlock()
	return func() { benchSink += engine.Check(tree, block, engine.Options{}).Line }
}

func BenchmarkApply(b *testing.B) {
	work := applying(applyWork(200))
	for b.Loop() {
		work()
	}
	b.ReportMetric(milliseconds(work), "apply200_ms")
	b.ReportMetric(applyGrowth(), "apply_growth")
	b.ReportMetric(milliseconds(failing()), "nearest10k_ms")
}

// BenchmarkEngine prints the engine's figures in one line, for make bench-engine.
func BenchmarkEngine(b *testing.B) {
	for b.Loop() { // once: the figures are measured in rounds of their own
	}
	fmt.Printf("\nparse_vs_linewalk=%.2f parse_ns_per_line_growth=%.2f apply200_ms=%.2f apply_growth=%.2f "+
		"nearest10k_ms=%.2f allocs_per_block=%.1f\n",
		parseVsLineWalk(), parseGrowth(), milliseconds(applying(applyWork(200))), applyGrowth(),
		milliseconds(failing()), allocsPerBlock())
}
