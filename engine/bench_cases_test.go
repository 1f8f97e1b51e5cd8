package engine_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// TestBenchmark runs a set of real edits, perturbed as by models, and test cases of other tools. It fails if fewer are
// correct, or more are wrong, than testdata/bench.json says, or more change a file once more if they are applied again.
// The sets are not in the repository: TENON_BENCH names the
// folder with cases-dev-1.jsonl or cases-dev-1.jsonl.xz (decompressed by the xz program) and peer-cases.jsonl.
func TestBenchmark(t *testing.T) {
	dir := os.Getenv("TENON_BENCH")
	if dir == "" {
		t.Skip("TENON_BENCH is not set")
	}
	var want struct{ Cases, Correct, Wrong, Again, AgainChanged, Peers, PeersCorrect int }
	data, err := os.ReadFile("testdata/bench.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &want))

	table, wrong, again, changedAgain := map[string]map[string]int{}, []string(nil), 0, []string(nil)
	eachCase(t, filepath.Join(dir, "cases-dev-1.jsonl"), func(c benchCase) {
		v := c.verdict(applyReply(t, c.Before, c.Reply))
		if table[c.Class] == nil {
			table[c.Class] = map[string]int{}
		}
		table[c.Class][v]++
		if v == "WRONG" {
			wrong = append(wrong, c.ID)
		}
		applied, changed := c.applyAgain(t)
		if again += applied; changed > 0 {
			changedAgain = append(changedAgain, c.ID)
		}
	})
	total := printTable(t, table)
	require.Equal(t, want.Cases, total["correct"]+total["refused"]+total["WRONG"], "the figures are for another set")
	require.GreaterOrEqual(t, total["correct"], want.Correct)
	require.LessOrEqual(t, total["WRONG"], want.Wrong, "wrong: %s", wrong)
	t.Logf("applied again: %d replies and blocks, of which %d changed a file once more", again, len(changedAgain))
	require.GreaterOrEqual(t, again, want.Again)
	require.LessOrEqual(t, len(changedAgain), want.AgainChanged, "changed again: %s", changedAgain)

	peers, right, missed := 0, 0, []string(nil)
	eachCase(t, filepath.Join(dir, "peer-cases.jsonl"), func(c benchCase) {
		if c.Tenon == "open" {
			return
		}
		if peers++; c.peerRight(applyReply(t, c.Files, c.Reply)) {
			right++
		} else {
			missed = append(missed, c.ID)
		}
	})
	t.Logf("peer cases: %d of %d as expected", right, peers)
	require.Equal(t, want.Peers, peers, "the figures are for another set")
	require.GreaterOrEqual(t, right, want.PeersCorrect, "not as expected: %s", missed)
}

type benchCase struct {
	ID, Class, Reply string
	Before           map[string]string        `json:"files_before"`
	Expect           map[string]string        `json:"expect_files"`
	Accept           []map[string]string      `json:"accept"`
	Splices          map[string][]benchSplice `json:"splices"`
	Files            map[string]string        `json:"files"`
	PeerExpect       map[string]string        `json:"expect"`
	TenonExpect      map[string]string        `json:"tenon_expect"`
	Tenon            string                   `json:"tenon"`
}

// benchSplice is one correct edit: the characters [A,B) of the file become Good.
type benchSplice struct {
	A, B int
	Good string
}

func eachCase(t *testing.T, path string, f func(benchCase)) {
	t.Helper()
	in, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		unpack := exec.Command("xz", "-dc", path+".xz")
		out, pipeErr := unpack.StdoutPipe()
		require.NoError(t, pipeErr)
		require.NoError(t, unpack.Start(), "neither %s nor a program xz to unpack it", path)
		defer func() { require.NoError(t, unpack.Wait(), "unpacking %s.xz", path) }()
		decodeCases(t, out, f)
		return
	}
	require.NoError(t, err)
	defer func() { require.NoError(t, in.Close()) }()
	decodeCases(t, in, f)
}

func decodeCases(t *testing.T, in io.Reader, f func(benchCase)) {
	t.Helper()
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	for decoder.More() {
		var c benchCase
		require.NoError(t, decoder.Decode(&c))
		f(c)
	}
}

// applyReply returns the changed files.
func applyReply(t *testing.T, files map[string]string, reply string) map[string]string {
	t.Helper()
	return applyBlocks(t, files, engine.Parse(reply, engine.ParseOptions{}).Blocks, engine.Options{})
}

// applyBlocks returns the changed files.
func applyBlocks(t *testing.T, files map[string]string, blocks []engine.Block,
	opts engine.Options) map[string]string {
	t.Helper()
	tree := engine.MemTree{}
	for name, text := range files {
		tree[name] = []byte(text)
	}
	out, err := engine.Apply(tree, blocks, opts)
	require.NoError(t, err)
	changed := map[string]string{}
	for _, name := range out.Changed {
		if text := string(tree[name]); text != files[name] {
			changed[name] = text
		}
	}
	return changed
}

// verdict returns "correct", "refused" (nothing, or only some of the correct edits, and nothing else) or "WRONG".
func (c benchCase) verdict(changed map[string]string) string {
	isChanged := func(files map[string]string) bool { return maps.Equal(changed, files) }
	switch {
	case len(changed) == 0 && c.Expect == nil:
		return "correct"
	case len(changed) == 0:
		return "refused"
	case c.Expect != nil && (isChanged(c.Expect) || slices.ContainsFunc(c.Accept, isChanged)):
		return "correct"
	}
	for name, text := range changed {
		before, had := c.Before[name]
		switch splices, ok := c.Splices[name]; {
		case ok && had:
			if !reaches(before, text, splices) {
				return "WRONG"
			}
		case c.Expect == nil || c.Expect[name] != text:
			return "WRONG"
		}
	}
	return "refused"
}

// reaches reports whether some of the splices change before to after.
func reaches(before, after string, splices []benchSplice) bool {
	if len(splices) > 7 {
		return false
	}
	splices = slices.SortedFunc(slices.Values(splices), func(a, b benchSplice) int { return a.A - b.A })
	runes := []rune(before)
	for done := range 1 << len(splices) {
		var text strings.Builder
		at := 0
		for i, s := range splices {
			text.WriteString(string(runes[at:s.A]))
			if done>>i&1 == 1 {
				text.WriteString(s.Good)
			} else {
				text.WriteString(string(runes[s.A:s.B]))
			}
			at = s.B
		}
		text.WriteString(string(runes[at:]))
		if text.String() == after {
			return true
		}
	}
	return false
}

// peerRight compares with what the test of another tool expects, ignoring the last line ending, on which tools differ.
func (c benchCase) peerRight(changed map[string]string) bool {
	if c.Tenon == "error" {
		return len(changed) == 0
	}
	expect := c.PeerExpect
	if c.TenonExpect != nil {
		expect = c.TenonExpect
	}
	after := maps.Clone(c.Files)
	if after == nil {
		after = map[string]string{}
	}
	maps.Copy(after, changed)
	return maps.EqualFunc(after, expect, func(a, b string) bool {
		return strings.TrimSuffix(a, "\n") == strings.TrimSuffix(b, "\n")
	})
}

func printTable(t *testing.T, table map[string]map[string]int) map[string]int {
	t.Helper()
	total := map[string]int{}
	var b strings.Builder
	classes := slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		x, _ := strconv.Atoi(a[1:])
		y, _ := strconv.Atoi(b[1:])
		return x - y
	})
	row := func(name string, n map[string]int) {
		fmt.Fprintf(&b, "%-6s %8d %8d %8d\n", name, n["correct"], n["refused"], n["WRONG"])
	}
	fmt.Fprintf(&b, "\n%-6s %8s %8s %8s\n", "class", "correct", "refused", "WRONG")
	for _, class := range classes {
		row(class, table[class])
		for v, n := range table[class] {
			total[v] += n
		}
	}
	row("total", total)
	t.Log(b.String())
	return total
}
