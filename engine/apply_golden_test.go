package engine_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

var updateApply = flag.Bool("update-apply", false, "write the results of testdata/apply; review the diff")

// TestApplyGolden runs the cases of testdata/apply. An archive has several: NAME/reply, the files before as
// NAME/in/PATH, those that change as NAME/out/PATH (if none, nothing may change), an empty NAME/gone/PATH for those
// that are removed, and NAME/results, a line per block and per problem of the reply. If there is a NAME/base/PATH, the
// model saw that. NAME/again, if it is there, are the results of a second application, which may change nothing.
func TestApplyGolden(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/apply/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		for _, f := range archive.Files {
			name, ok := strings.CutSuffix(f.Name, "/reply")
			if !ok {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+name, func(t *testing.T) {
				c, tree := goldenCase(archive, name), engine.MemTree{}
				for name, text := range c.in {
					tree[name] = []byte(text)
				}
				opts := engine.Options{}
				if len(c.base) > 0 {
					opts.Base = func(path string) ([]byte, bool) {
						text, ok := c.base[path]
						return []byte(text), ok
					}
				}
				reply := engine.Parse(string(f.Data), engine.ParseOptions{})
				out, err := engine.Apply(tree, reply.Blocks, opts)
				require.NoError(t, err)
				got := resultLines(out.Results)
				if c.again != "" {
					got += problemLines(reply.Problems)
				}
				after := maps.Clone(tree)
				again := ""
				if c.again != "" {
					second, err := engine.Apply(tree, reply.Blocks, opts)
					require.NoError(t, err)
					again = cmp.Or(resultLines(second.Results), "no blocks\n")
					require.Equal(t, after, tree, "a second application changes nothing")
				}
				if *updateApply {
					archive.Files = setFile(archive.Files, name+"/results", got)
					if again != "" {
						archive.Files = setFile(archive.Files, name+"/again", again)
					}
				} else {
					require.Equal(t, c.results, got)
					require.Equal(t, c.again, again)
				}
				for _, changed := range out.Changed {
					data, exists := after[changed]
					require.Equal(t, c.gone[changed], !exists, changed)
					require.Equal(t, c.out[changed], string(data), changed)
				}
				require.Len(t, out.Changed, len(c.out)+len(c.gone), "files changed: %s", out.Changed)
			})
		}
		if *updateApply {
			require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o600))
		}
	}
}

type golden struct {
	in, out, base  map[string]string
	gone           map[string]bool
	results, again string
}

func goldenCase(archive *txtar.Archive, name string) golden {
	c := golden{in: map[string]string{}, out: map[string]string{}, base: map[string]string{}, gone: map[string]bool{}}
	for _, f := range archive.Files {
		rest, ok := strings.CutPrefix(f.Name, name+"/")
		if !ok {
			continue
		}
		data := strings.ReplaceAll(string(f.Data), "<no line ending>\n", "")
		data = strings.ReplaceAll(data, "<CR>", "\r")
		switch kind, path, _ := strings.Cut(rest, "/"); kind {
		case "in":
			c.in[path] = data
		case "out":
			c.out[path] = data
		case "base":
			c.base[path] = data
		case "gone":
			c.gone[path] = true
		case "results":
			c.results = data
		case "again":
			c.again = data
		}
	}
	return c
}

func problemLines(problems []engine.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "problem %s: %s\n", p.Kind, p.Text)
	}
	return b.String()
}

func resultLines(results []engine.Result) string {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%s %s", r.Path, r.Status)
		if r.Reason != "" {
			fmt.Fprintf(&b, " %s", r.Reason)
		}
		if r.Line > 0 {
			fmt.Fprintf(&b, " line=%d", r.Line)
		}
		if r.Level > 0 {
			fmt.Fprintf(&b, " level=%d", r.Level)
		}
		if r.Detail != "" {
			fmt.Fprintf(&b, " | %s", r.Detail)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func setFile(files []txtar.File, name, data string) []txtar.File {
	for i, f := range files {
		if f.Name == name {
			files[i].Data = []byte(data)
			return files
		}
	}
	return append(files, txtar.File{Name: name, Data: []byte(data)})
}
