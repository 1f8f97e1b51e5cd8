package engine_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// realHunk is a block made from a file; it removes find[from:to].
type realHunk struct {
	find, repl []string
	from, to   int
}

// perturbations change a block as models do, without changing what it asks for. Each returns false if it does not apply
// to the hunk.
var perturbations = []struct {
	name string
	do   func(r *rand.Rand, h *realHunk) bool
}{
	{"nothing", func(*rand.Rand, *realHunk) bool { return true }},
	{"trailing blanks lost", func(_ *rand.Rand, h *realHunk) bool {
		return each(h, func(s string) string { return strings.TrimRight(s, " \t") })
	}},
	{"trailing blanks added to context", func(r *rand.Rand, h *realHunk) bool {
		return contextLines(r, h, func(s string) string { return s + "  " })
	}},
	{"indentation lost", func(_ *rand.Rand, h *realHunk) bool {
		in := leading(h.find[0])
		lacksIt := func(s string) bool { return strings.TrimSpace(s) != "" && !strings.HasPrefix(s, in) }
		if in == "" || slices.ContainsFunc(slices.Concat(h.find, h.repl), lacksIt) {
			return false
		}
		return each(h, func(s string) string { return strings.TrimPrefix(s, in) })
	}},
	{"indented", func(_ *rand.Rand, h *realHunk) bool {
		return each(h, func(s string) string {
			if s == "" {
				return s
			}
			return "\t" + s
		})
	}},
	{"a typo in context", func(r *rand.Rand, h *realHunk) bool {
		return contextLines(r, h, func(s string) string {
			body := strings.TrimSpace(s)
			if len(body) < 6 {
				return s
			}
			return strings.Replace(s, body[2:4], body[3:4]+body[2:3], 1)
		})
	}},
	{"only find is indented", func(_ *rand.Rand, h *realHunk) bool {
		for i, s := range h.find {
			if s != "" {
				h.find[i] = "\t" + s
			}
		}
		return true
	}},
	{"a context line that the file lacks", func(r *rand.Rand, h *realHunk) bool {
		i := r.IntN(h.from)
		h.find = slices.Insert(h.find, i, "\tlog.Print(\"was here before\")")
		h.repl = slices.Insert(h.repl, i, h.find[i])
		return true
	}},
	{"a context line left out", func(r *rand.Rand, h *realHunk) bool {
		i := r.IntN(h.from)
		h.find, h.repl = slices.Delete(h.find, i, i+1), slices.Delete(h.repl, i, i+1)
		return true
	}},
	{"look-alikes", func(_ *rand.Rand, h *realHunk) bool {
		like := strings.NewReplacer("-", "–", " ", "\u00a0")
		for i, s := range h.find {
			h.find[i] = like.Replace(s)
		}
		for i := range h.from {
			h.repl[i] = h.find[i]
		}
		return true
	}},
	{"blank line at the end", func(_ *rand.Rand, h *realHunk) bool {
		h.find, h.repl = append(h.find, ""), append(h.repl, "")
		return true
	}},
}

func leading(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "\t"))] }

func each(h *realHunk, f func(string) string) bool {
	for i, s := range h.find {
		h.find[i] = f(s)
	}
	for i, s := range h.repl {
		h.repl[i] = f(s)
	}
	return true
}

// context changes one line before what is removed, the same way in both halves.
func contextLines(r *rand.Rand, h *realHunk, f func(string) string) bool {
	if h.from == 0 {
		return false
	}
	i := r.IntN(h.from)
	h.find[i] = f(h.find[i])
	h.repl[i] = h.find[i]
	return true
}

// TestRealCode makes blocks from hunks of the Go standard library and perturbs them. Each must be applied correctly to
// the byte or be refused, and most must be applied.
func TestRealCode(t *testing.T) {
	t.Parallel()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", "net", "http", "*.go"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("this Go installation has no sources")
	}
	for _, p := range perturbations {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, uint64(len(p.name))))
			right, refused := 0, 0
			for range 100 {
				name := files[r.IntN(len(files))]
				data, err := os.ReadFile(name)
				require.NoError(t, err)
				file := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
				start, h, want, ok := cutHunk(r, file)
				if !ok || !p.do(r, &h) {
					continue
				}
				if occursShifted(file, h.find) {
					continue // the perturbed block may be correct at the other place
				}
				b := engine.Block{Path: "f.go", Find: h.find, Replace: h.repl}
				tree := engine.MemTree{"f.go": data}
				out, err := engine.Apply(tree, []engine.Block{b}, engine.Options{})
				require.NoError(t, err)
				switch string(tree["f.go"]) {
				case want:
					right++
				case string(data):
					refused++
				default:
					res := out.Results[0]
					t.Fatalf("%s, line %d: wrong at level %d, line %d\nfind:\n%s\nreplace:\n%s", name, start+1,
						res.Level, res.Line, strings.Join(h.find, "\n"), strings.Join(h.repl, "\n"))
				}
			}
			t.Logf("%d right, %d refused", right, refused)
			require.Greater(t, right, refused)
		})
	}
}

// occursShifted reports whether the file has find twice, ignoring indentation and blank lines.
func occursShifted(file, find []string) bool {
	bare := func(lines []string) string {
		var b strings.Builder
		for _, s := range lines {
			if s = strings.TrimSpace(s); s != "" {
				b.WriteString("\n" + s)
			}
		}
		return b.String() + "\n"
	}
	return strings.Count(bare(file), bare(find)) > 1
}

// cutHunk takes some lines of a file, and replaces one to three of them, deletes them, or inserts new ones.
func cutHunk(r *rand.Rand, file []string) (start int, h realHunk, want string, ok bool) {
	n := 5 + r.IntN(8)
	if len(file) < n+2 {
		return 0, h, "", false
	}
	start = r.IntN(len(file) - n)
	h.find = slices.Clone(file[start : start+n])
	h.from = 1 + r.IntN(n-3)
	h.to = h.from + 1 + r.IntN(min(3, n-1-h.from))
	for _, s := range []string{strings.Join(h.find[h.from:h.to], ""), h.find[0], h.find[n-1]} {
		if strings.TrimSpace(s) == "" {
			return 0, h, "", false
		}
	}
	in := leading(h.find[h.from])
	added := []string{fmt.Sprintf("%snewName%d := compute(%d)", in, r.IntN(1000), r.IntN(1000)), in + "use(it)"}
	added = added[:1+r.IntN(2)]
	switch r.IntN(4) {
	case 0:
		h.to = h.from
	case 1:
		added = nil
	}
	h.repl = slices.Concat(h.find[:h.from], added, h.find[h.to:])
	want = strings.Join(slices.Concat(file[:start+h.from], added, file[start+h.to:]), "\n") + "\n"
	return start, h, want, true
}
