package trees

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"
)

func num(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return def
}

// n files that ours removed and theirs changed, and n that ours added, of newlines.
func TestAttackMemory(t *testing.T) {
	n, size := num("N", 4), num("SIZE", 4<<20)
	in, blobs := Input{}, map[string][]byte{}
	id := func(k, i int) string { return fmt.Sprintf("%040d", k*100000+i) }
	for i := range n {
		p := fmt.Sprintf("old%d", i)
		blobs[id(1, i)] = bytes.Repeat([]byte("\n"), size+i)
		blobs[id(2, i)] = []byte("x")
		blobs[id(3, i)] = bytes.Repeat([]byte("\n"), size+i+1000)
		in.Ours = append(in.Ours, Change{p, Entry{Regular, id(1, i)}, Entry{}}, Change{fmt.Sprintf("new%d", i), Entry{}, Entry{Regular, id(3, i)}})
		in.Theirs = append(in.Theirs, Change{p, Entry{Regular, id(1, i)}, Entry{Regular, id(2, i)}})
	}
	var m runtime.MemStats
	peak := uint64(0)
	in.Blob = func(id string) ([]byte, error) {
		runtime.GC()
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
		return blobs[id], nil
	}
	in.HasDir = func(Side, string) (bool, error) { return true, nil }
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	begun := time.Now()
	got, err := Merge(in)
	t.Logf("n=%d size=%d before %d MB peak %d MB (live heap) in %v: %v %v %d", n, size, before>>20, peak>>20, time.Since(begun), got.Refusal, err, len(got.Conflicts))
}

// n files of many short lines, all compared.
func TestAttackTime(t *testing.T) {
	n, size := num("N", 200), num("SIZE", 64<<10)
	in, blobs := Input{}, map[string][]byte{}
	id := func(k, i int) string { return fmt.Sprintf("%040d", k*100000+i) }
	text := func(seed int) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, "%x\n", (i*7+seed*131)&0xffff)
		}
		return b.Bytes()[:size]
	}
	for i := range n {
		p := fmt.Sprintf("old%d", i)
		blobs[id(1, i)], blobs[id(2, i)], blobs[id(3, i)] = text(i), []byte("x"), text(i+n)
		in.Ours = append(in.Ours, Change{p, Entry{Regular, id(1, i)}, Entry{}}, Change{fmt.Sprintf("new%d", i), Entry{}, Entry{Regular, id(3, i)}})
		in.Theirs = append(in.Theirs, Change{p, Entry{Regular, id(1, i)}, Entry{Regular, id(2, i)}})
	}
	in.Blob = func(id string) ([]byte, error) { return blobs[id], nil }
	in.HasDir = func(Side, string) (bool, error) { return true, nil }
	begun := time.Now()
	got, err := Merge(in)
	d := time.Since(begun)
	t.Logf("n=%d comparisons %d in %v, %v each; all of MaxComparisons would take %v: %v %v %d", n, n*n, d, d/time.Duration(n*n),
		d/time.Duration(n*n)*time.Duration(MaxComparisons), got.Refusal, err, len(got.Conflicts))
}

// texts that both sides changed, each as expensive as can be.
func TestAttackTexts(t *testing.T) {
	n, size := num("N", 20), num("SIZE", 21<<10)
	in, blobs := Input{}, map[string][]byte{}
	id := func(k, i int) string { return fmt.Sprintf("%040d", k*100000+i) }
	text := func(seed, mul int) []byte {
		var b bytes.Buffer
		x := uint32(seed)
		for i := 0; b.Len() < size; i++ {
			x = x*1664525 + 1013904223
			fmt.Fprintf(&b, "%x\n", (x>>16)%uint32(mul))
		}
		return b.Bytes()[:size]
	}
	for i := range n {
		p := fmt.Sprintf("f%d", i)
		blobs[id(1, i)], blobs[id(2, i)], blobs[id(3, i)] = text(i, 4000), text(i+77777, 4000), text(i+99999, 4000)
		in.Ours = append(in.Ours, Change{p, Entry{Regular, id(1, i)}, Entry{Regular, id(2, i)}})
		in.Theirs = append(in.Theirs, Change{p, Entry{Regular, id(1, i)}, Entry{Regular, id(3, i)}})
	}
	in.Blob = func(id string) ([]byte, error) { return blobs[id], nil }
	begun := time.Now()
	got, err := Merge(in)
	d := time.Since(begun)
	kinds := map[Kind]int{}
	for _, c := range got.Conflicts {
		kinds[c.Kind]++
	}
	t.Logf("n=%d in %v, %v each; all of MaxTexts would take %v: %v %v %v", n, d, d/time.Duration(n),
		d/time.Duration(n)*MaxTexts, got.Refusal, err, kinds)
}
