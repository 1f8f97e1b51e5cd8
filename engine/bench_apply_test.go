package engine_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tenon-bot/tenon/engine"
)

// applyWork returns a tree of 20 files of 1,000 lines, and at most 2,200 blocks that each change one line of six, in
// all files. No two of them overlap, so that each applies.
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
		n, at := k%files, k/files*13%110*9
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

// applyFloor returns a function that does what no engine can leave out: it reads each file once, looks for the bytes of
// each block once, and writes each file with its changes once.
func applyFloor(tree engine.MemTree, blocks []engine.Block) func() {
	byPath := map[string][]engine.Block{}
	for _, b := range blocks {
		byPath[b.Path] = append(byPath[b.Path], b)
	}
	return func() {
		for path, of := range byPath {
			data, size := bytes.Clone(tree[path]), 0
			type change struct {
				at   int
				find string
				repl string
			}
			changes := make([]change, len(of))
			for i, b := range of {
				find, repl := strings.Join(b.Find, "\n"), strings.Join(b.Replace, "\n")
				changes[i] = change{bytes.Index(data, []byte(find)), find, repl}
				size += len(repl) - len(find)
			}
			slices.SortFunc(changes, func(a, b change) int { return a.at - b.at })
			out, from := make([]byte, 0, len(data)+size), 0
			for _, c := range changes {
				out = append(append(out, data[from:c.at]...), c.repl...)
				from = c.at + len(c.find)
			}
			benchSink += len(append(out, data[from:]...))
		}
	}
}

// applyVsFloor is the time of Apply for 200 blocks relative to applyFloor.
func applyVsFloor() float64 {
	tree, blocks := applyWork(200)
	return timesAsLong(applying(tree, blocks), applyFloor(tree, blocks))
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
	b.ReportMetric(applyVsFloor(), "apply_vs_floor")
	b.ReportMetric(applyGrowth(), "apply_growth")
	b.ReportMetric(milliseconds(failing()), "nearest10k_ms")
}

// BenchmarkEngine prints the engine's figures in one line, for make bench-engine.
func BenchmarkEngine(b *testing.B) {
	for b.Loop() { // once: the figures are measured in rounds of their own
	}
	fmt.Printf("\nparse_vs_linewalk=%.2f parse_ns_per_line_growth=%.2f apply200_ms=%.2f apply_vs_floor=%.2f "+
		"apply_growth=%.2f nearest10k_ms=%.2f allocs_per_block=%.1f\n",
		parseVsLineWalk(), parseGrowth(), milliseconds(applying(applyWork(200))), applyVsFloor(), applyGrowth(),
		milliseconds(failing()), allocsPerBlock())
}
