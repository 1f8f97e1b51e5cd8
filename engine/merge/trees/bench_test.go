package trees

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// longBranches are two branches of a repository of 60,000 files: theirs changed 4,000, renamed 300 and added 300, ours
// changed 100, of which theirs changed 50 too, three of them in the same line, and renamed 20.
func longBranches() world {
	w := world{files{}, files{}, files{}}
	for i := range 60_000 {
		path := fmt.Sprintf("module%d/package%d/file%d.go", i%40, i%600, i)
		id := fmt.Sprintf("package file%d\n", i)
		plain := file{Regular, id + poem(map[int]string{10: id})}
		w.base[path], w.ours[path], w.theirs[path] = plain, plain, plain
		switch {
		case i < 4000:
			line := 2
			if i < 3 {
				line = 19
			}
			w.theirs[path] = file{Regular, id + poem(map[int]string{10: id, line: "theirs\n"})}
		case i < 4300:
			delete(w.theirs, path)
			w.theirs["moved/"+path] = file{Regular, id + poem(map[int]string{10: id, 3: "moved\n"})}
		case i < 4600:
			w.theirs["new/"+path] = file{Regular, id + "new\n" + poem(map[int]string{10: id, 11: id, 12: id})}
		}
		if i < 50 || i >= 59_950 || i >= 4000 && i < 4020 {
			w.ours[path] = file{Regular, id + poem(map[int]string{10: id, 19: "ours\n"})}
		}
	}
	return w
}

var sink int

func merging(in Input) func() {
	return func() {
		got, err := Merge(nil, in)
		if err != nil || len(got.Conflicts) != 3 {
			panic(fmt.Sprint(err, got.Refusal, len(got.Conflicts)))
		}
		sink += len(got.Merged)
	}
}

// reading returns a function that reads every line of what was changed, which a merge cannot do without.
func reading(in Input) func() {
	return func() {
		for _, changes := range [][]Change{in.Ours, in.Theirs} {
			for _, c := range changes {
				for _, e := range []Entry{c.Base, c.Side} {
					if data, err := in.Blob(e.ID); err == nil {
						sink += len(printOf(data).chunks)
					}
				}
			}
		}
	}
}

// fastest returns the time of the fastest of some runs, in milliseconds.
func fastest(f func()) float64 {
	least := math.Inf(1)
	for range 10 {
		start := time.Now()
		f()
		least = min(least, float64(time.Since(start).Nanoseconds())/1e6)
	}
	return least
}

// BenchmarkMerge reports the time of a merge with three conflicts in a repository of 60,000 files, and how much that is
// of the time to read what the sides changed.
func BenchmarkMerge(b *testing.B) {
	in := longBranches().input()
	work := merging(in)
	for b.Loop() {
		work()
	}
	took := fastest(work)
	b.ReportMetric(took, "merge60k_ms")
	b.ReportMetric(took/fastest(reading(in)), "merge_vs_read")
}
