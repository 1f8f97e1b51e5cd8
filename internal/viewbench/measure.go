package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"net/http"
	"sync/atomic"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/gitrepo"
)

// rounds is how often each kind of run is measured; the median counts.
const rounds = 7

// cost is what a run takes.
type cost struct {
	processors time.Duration
	allocated  uint64
}

func (c cost) String() string {
	return fmt.Sprintf("%.0f/%.1f", float64(c.processors.Microseconds())/1000, float64(c.allocated)/(1<<20))
}

// figures are the costs of the runs in one repository.
type figures struct {
	files                              int
	cold, warm, added, ranked, restart cost
	kept                               uint64
}

func (f figures) String() string {
	line := fmt.Sprintf("files=%d", f.files)
	for _, c := range f.costs() {
		line += fmt.Sprintf(" %s_ms=%.0f %s_mb=%.1f", c.name, float64(c.processors.Microseconds())/1000,
			c.name, float64(c.allocated)/(1<<20))
	}
	return line + fmt.Sprintf(" kept_mb=%.0f", float64(f.kept)/(1<<20))
}

type namedCost struct {
	name string
	cost
}

func (f figures) costs() []namedCost {
	return []namedCost{{"cold", f.cold}, {"warm", f.warm}, {"added", f.added}, {"ranked", f.ranked},
		{"restart", f.restart}}
}

// growth says by which factors the figures are larger than those of a smaller repository.
func (f figures) growth(from figures) string {
	line := fmt.Sprintf("growth files_x=%.0f", float64(f.files)/float64(from.files))
	before := from.costs()
	for i, c := range f.costs() {
		line += fmt.Sprintf(" %s_x=%.1f %s_mb_x=%.1f", c.name, float64(c.processors)/float64(before[i].processors),
			c.name, float64(c.allocated)/float64(before[i].allocated))
	}
	return line
}

// bench is a repository of another process, and what this one keeps of it.
type bench struct {
	options   gitrepo.Options
	repos     *gitrepo.Repos
	documents *lexical.Cache
	files     int
	tip       string
	orders    io.Writer
	answers   *bufio.Scanner
	runs      int
}

func measure(count int) (f figures, err error) {
	b := &bench{files: count}
	cmd := exec.CommandContext(context.Background(), os.Args[0], "serve", strconv.Itoa(count))
	cmd.Stderr = os.Stderr
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
		return f, err
	}
	b.orders, b.answers = in, bufio.NewScanner(out)
	defer func() { err = errors.Join(err, in.Close(), cmd.Wait()) }()
	if !b.answers.Scan() {
		return f, errors.New("the server did not start")
	}
	url, tip, _ := strings.Cut(b.answers.Text(), " ")
	b.options = gitrepo.Options{BaseURL: url, CacheBytes: 128 << 20, HTTP: &http.Client{Transport: counting{}}}
	if b.options.CacheDir, err = os.MkdirTemp("", "viewbench"); err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.options.CacheDir)) }()
	b.tip = tip
	b.restart()
	before := heap()
	f.files = count
	if f.cold, err = b.cost(b.named); err != nil {
		return f, err
	}
	for _, kind := range []struct {
		order string
		run   func(context.Context) error
		to    *cost
	}{{"change", b.named, &f.warm}, {"add", b.adds, &f.added}, {"change", b.unnamed, &f.ranked}} {
		if *kind.to, err = b.median(kind.order, kind.run); err != nil {
			return f, err
		}
	}
	f.kept = heap() - min(before, heap())
	b.restart()
	f.restart, err = b.median("change", func(ctx context.Context) error {
		defer b.restart()
		return b.named(ctx)
	})
	return f, err
}

// restart forgets all but what is on the disk.
func (b *bench) restart() { b.repos, b.documents = gitrepo.New(b.options), lexical.NewCache(64<<20) }

type counting struct{}
var received atomic.Int64
func (counting) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil { resp.Body = &countBody{resp.Body} }
	return resp, err
}
type countBody struct { io.ReadCloser }
func (c *countBody) Read(p []byte) (int, error) { n, err := c.ReadCloser.Read(p); received.Add(int64(n)); return n, err }

// heap returns the bytes that are in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// median returns the median cost of a run after a commit of somebody else.
func (b *bench) median(order string, run func(context.Context) error) (cost, error) {
	var all []cost
	for range rounds {
		if _, err := fmt.Fprintln(b.orders, order); err != nil || !b.answers.Scan() {
			return cost{}, errors.New("the server is gone")
		}
		b.tip = b.answers.Text()
		c, err := b.cost(run)
		if err != nil {
			return cost{}, err
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(x, y cost) int { return int(x.processors - y.processors) })
	return all[len(all)/2], nil
}

// cost carries a run out. What the collector still owes of earlier runs is not counted, what it does during the run is.
func (b *bench) cost(run func(context.Context) error) (cost, error) {
	heap()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := processors()
	received.Store(0); begun := time.Now()
	err := run(context.Background())
	fmt.Println("wall", time.Since(begun).Milliseconds(), "received", received.Load())
	c := cost{processors: processors() - start}
	runtime.ReadMemStats(&after)
	c.allocated = after.TotalAlloc - before.TotalAlloc
	return c, err
}

// processors returns the time of processors that this process has used.
func processors() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

var anvil = port.RepoRef{Owner: "acme", Name: "anvil", DefaultBranch: "main"}

const branch = "refs/heads/main"

// named is a run whose command names a file, which it edits.
func (b *bench) named(ctx context.Context) error {
	b.runs++
	name := nameOf(b.runs * 104729 % b.files)
	return b.run(ctx, "fix the value of the constant in `"+name+"`", name, name)
}

// adds is a run that makes a file beside the one that it names.
func (b *bench) adds(ctx context.Context) error {
	b.runs++
	name := nameOf(b.runs * 104729 % b.files)
	return b.run(ctx, "add a value beside `"+name+"`", name, fmt.Sprintf("%s_new_%d.go", name, b.runs))
}

// unnamed is a run whose command names no file.
func (b *bench) unnamed(ctx context.Context) error {
	b.runs++
	return b.run(ctx, "the session's token is not in the cache of the reader", "", nameOf(b.runs*104729%b.files))
}

// run does what a command of a pull request does with the repository, and pushes an edit of a file.
func (b *bench) run(ctx context.Context, command, likely, edited string) error {
	tips, err := b.repos.Tips(ctx, anvil, "HEAD", branch)
	if err != nil {
		return err
	}
	defaults, err := b.repos.Open(ctx, anvil, "HEAD", tips["HEAD"], policy.SettingsPath)
	if err != nil {
		return err
	}
	if _, err := defaults.Kind(policy.SettingsPath); err != nil {
		return err
	}
	checkout, err := b.repos.Open(ctx, anvil, branch, tips[branch], likely)
	if err != nil {
		return err
	}
	rules := policy.DefaultPolicy()
	if _, err := retrieve.Conventions(ctx, b.repos, anvil, "main", tips[branch], rules); err != nil {
		return err
	}
	found, err := retrieve.Select(ctx, checkout, retrieve.Query{Repos: b.repos, Repo: anvil, Branch: "main",
		Policy: rules, Command: command, Documents: b.documents}, retrieve.Room{Code: 72_000, Names: 6_000})
	if err != nil {
		return err
	}
	if likely != "" && len(found.Files) == 0 || len(found.Paths) == 0 {
		return fmt.Errorf("nothing was found for %q", command)
	}
	return b.edit(ctx, checkout, edited)
}

// edit replaces a file, or makes it, and pushes that.
func (b *bench) edit(ctx context.Context, checkout repo.Checkout, name string) error {
	text := "package x\n\nconst V = " + strconv.Itoa(b.runs)
	search := ""
	if kind, err := checkout.Kind(name); err != nil {
		return err
	} else if kind == engine.File {
		if err := checkout.Load(ctx, name); err != nil {
			return err
		}
		data, err := checkout.ReadFile(name)
		if err != nil {
			return err
		}
		search, _, _ = strings.Cut(string(data), "\n")
		search, text = search+"\n", fmt.Sprintf("package x // by run %d", b.runs)
	}
	reply := name + "\n```go\n<<<<<<< SEARCH\n" + search + "=======\n" + text + "\n>>>>>>> REPLACE\n```\n"
	blocks := engine.Parse(reply, engine.ParseOptions{}).Blocks
	paths, err := engine.Paths(checkout, blocks)
	if err != nil {
		return err
	}
	if err := checkout.Load(ctx, paths...); err != nil {
		return err
	}
	outcome, err := engine.Apply(checkout, blocks, engine.Options{})
	if err != nil {
		return err
	}
	if len(outcome.Changed) != 1 {
		return fmt.Errorf("the edit of %s was not applied: %+v", name, outcome.Results)
	}
	who := repo.Signature{Name: "tenon", Email: "tenon@example.com", When: time.Unix(1_700_000_000, 0)}
	_, err = checkout.Commit(ctx, repo.CommitRequest{Branch: "main", Message: "chore: edit", Author: who, Committer: who})
	return err
}
