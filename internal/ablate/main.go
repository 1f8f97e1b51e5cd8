// Command ablate tells what each bound and weight of retrieval wins. It doubles the numeric constants of packages, one
// at a time, and sets weights, which have a decimal point, to 0; it measures retrieval with each, and prints what
// changed. The work tree is not changed.
//
//	ablate [-least POINTS] [-only NAME] -mirror DIR PAIRS.jsonl FOLDER …
//
// A row has a constant, its value, by what it is multiplied, and each figure that changed by at least so many points.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// measures are how retrieval is measured: the arguments of tenon eval retrieval for each run.
var measures = []struct {
	name string
	args []string
}{
	{"rank", []string{"--tokens", "8000,24000"}},
	{"choose", []string{"--choose", "perfect", "--tokens", "16000"}},
}

// run prints what the constants of some folders win on pairs.
func run(ctx context.Context, out io.Writer, args []string) error {
	flags := flag.NewFlagSet("ablate", flag.ContinueOnError)
	flags.SetOutput(out)
	least := flags.Float64("least", 1, "tell of figures that change by at least so many percentage `points`")
	only := flags.String("only", "", "double only constants whose name contains this `text`")
	mirror := flags.String("mirror", "", "the `folder` of the bare repositories")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() < 2 || *mirror == "" {
		return errors.New("usage: ablate [-least POINTS] [-only NAME] -mirror DIR PAIRS.jsonl FOLDER …")
	}
	var all []constant
	for _, folder := range flags.Args()[1:] {
		found, err := constants(folder)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	dir, err := os.MkdirTemp("", "ablate")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	t := trial{dir: dir, mirror: *mirror, pairs: flags.Arg(0)}
	base, err := t.figures(ctx, nil)
	if err != nil {
		return err
	}
	for _, c := range all {
		if !strings.Contains(c.name, *only) {
			continue
		}
		for _, factor := range c.factors() {
			got, err := t.figures(ctx, &change{c, factor})
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			changes := cmp.Or(strings.Join(differences(base, got, *least), ", "), "nothing")
			if _, err := fmt.Fprintf(out, "%s = %s × %s: %s\n", c.name, c.value, factor, changes); err != nil {
				return err
			}
		}
	}
	return nil
}

// constant is a number in the source of a program.
type constant struct {
	name, value string
	file        string
	from, to    int // where the number is in the file, in bytes
}

// constants returns the numeric constants that the files of a folder declare by a number alone or as the first factor
// of a product, without those of tests.
func constants(folder string) (out []constant, err error) {
	files := token.NewFileSet()
	notTest := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !notTest(info) {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.CONST {
				for _, spec := range d.Specs {
					out = append(out, numbersIn(files, name, spec.(*ast.ValueSpec))...)
				}
			}
		}
	}
	return out, nil
}

func numbersIn(files *token.FileSet, file string, spec *ast.ValueSpec) (out []constant) {
	for i, value := range spec.Values {
		for {
			product, ok := value.(*ast.BinaryExpr)
			if !ok {
				break
			}
			value = product.X
		}
		if n, ok := value.(*ast.BasicLit); ok && (n.Kind == token.INT || n.Kind == token.FLOAT) && spec.Names[i].Name != "_" {
			at := files.Position(n.Pos()).Offset
			out = append(out, constant{spec.Names[i].Name, n.Value, file, at, at + len(n.Value)})
		}
	}
	return out
}

// factors returns by what the constant is multiplied.
func (c constant) factors() []string {
	if strings.Contains(c.value, ".") {
		return []string{"2", "0"}
	}
	return []string{"2"}
}

// change is a constant that is multiplied by a factor.
type change struct {
	constant
	factor string
}

// text returns the file with the changed constant.
func (c change) text() ([]byte, error) {
	text, err := os.ReadFile(c.file)
	if err != nil {
		return nil, err
	}
	value := "(" + c.factor + "*" + c.value + ")"
	return slices.Concat(text[:c.from], []byte(value), text[c.to:]), nil
}

// trial measures retrieval.
type trial struct{ dir, mirror, pairs string }

// figures returns the figures of all measures, by name, with a changed constant unless it is nil.
func (t trial) figures(ctx context.Context, c *change) (map[string]float64, error) {
	program, overlay := filepath.Join(t.dir, "tenon"), filepath.Join(t.dir, "overlay.json")
	replaced := map[string]string{}
	if c != nil {
		text, err := c.text()
		if err != nil {
			return nil, err
		}
		changed := filepath.Join(t.dir, "changed.go")
		path, err := filepath.Abs(c.file)
		if err != nil {
			return nil, err
		}
		replaced[path] = changed
		if err := os.WriteFile(changed, text, 0o600); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(overlay, data, 0o600); err != nil {
		return nil, err
	}
	if _, err := command(ctx, "go", "build", "-overlay", overlay, "-o", program, "./cmd/tenon"); err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for _, m := range measures {
		args := append([]string{"eval", "retrieval", t.pairs, "--mirror", t.mirror, "--kind", "issue"}, m.args...)
		text, err := command(ctx, program, args...)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(text) {
			read(out, m.name, line)
		}
	}
	return out, nil
}

// read adds the shares in a line of figures, by the measure, the budget and the name of each.
func read(out map[string]float64, measure, line string) {
	budget := ""
	for _, field := range strings.Fields(line) {
		name, value, _ := strings.Cut(field, "=")
		n, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil:
		case name == "tokens":
			budget = value
		case slices.Contains([]string{"lines_any", "lines_all", "any", "all"}, name):
			out[measure+" "+budget+" "+name] = n
		}
	}
}

func command(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, errOut.String())
	}
	return string(out), nil
}

// differences returns the figures that differ by at least so much, with by how much.
func differences(base, got map[string]float64, least float64) (out []string) {
	for name, n := range got {
		if d := n - base[name]; math.Abs(d) >= least {
			out = append(out, fmt.Sprintf("%s %+.1f", name, d))
		}
	}
	slices.Sort(out)
	return out
}
