package engine_test

import (
	"flag"
	"fmt"
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
// NAME/in/PATH, those that change as NAME/out/PATH (if none, nothing may change), and NAME/results, a line per block.
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
				c := goldenCase(archive, name)
				tree := engine.MemTree{}
				for name, text := range c.in {
					tree[name] = []byte(text)
				}
				blocks := engine.Parse(string(f.Data), engine.ParseOptions{}).Blocks
				out, err := engine.Apply(tree, blocks, engine.Options{})
				require.NoError(t, err)
				if got := resultLines(out.Results); *updateApply {
					archive.Files = setFile(archive.Files, name+"/results", got)
				} else {
					require.Equal(t, c.results, got)
				}
				for _, changed := range out.Changed {
					require.Equal(t, c.out[changed], string(tree[changed]), changed)
				}
				require.Len(t, out.Changed, len(c.out), "files changed: %s", out.Changed)
			})
		}
		if *updateApply {
			require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o600))
		}
	}
}

type golden struct {
	in, out map[string]string
	results string
}

func goldenCase(archive *txtar.Archive, name string) golden {
	c := golden{in: map[string]string{}, out: map[string]string{}}
	for _, f := range archive.Files {
		rest, ok := strings.CutPrefix(f.Name, name+"/")
		if !ok {
			continue
		}
		if path, ok := strings.CutPrefix(rest, "in/"); ok {
			c.in[path] = string(f.Data)
		} else if path, ok := strings.CutPrefix(rest, "out/"); ok {
			c.out[path] = string(f.Data)
		} else if rest == "results" {
			c.results = string(f.Data)
		}
	}
	return c
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
