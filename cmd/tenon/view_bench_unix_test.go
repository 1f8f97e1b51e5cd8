//go:build unix

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

var viewFiles = flag.Int("view.files", 100_000, "files of the larger repository of BenchmarkView")

// defaultCache is the cache of a server without settings.
var defaultCache = cacheOf(config.Server{CacheMB: 160})

// viewRounds is how often each kind of run is measured; the median counts.
const viewRounds = 5

// BenchmarkView prints what a run costs of this process, in a repository of which one file changed since the last run,
// and by which factor that is more than in a repository of 100 files:
//
//	warm     the command names a file, and the file is edited
//	added    somebody added a file, and the run adds one
//	ranked   the command names no file, so the sources are ranked
//	restart  as warm, the first run after a restart, from the cache on the disk
//	cold     the first run of all
//
// kept_mb is what is kept in memory of the larger repository.
func BenchmarkView(b *testing.B) {
	if b.N > 1 {
		return
	}
	small, large := measureViews(b, 100), measureViews(b, *viewFiles)
	line := fmt.Sprintf("view files=%d kept_mb=%.0f", *viewFiles, float64(large.kept)/(1<<20))
	for i, c := range large.costs {
		before := small.costs[i]
		line += fmt.Sprintf(" %s_ms=%.0f %s_x=%.1f %s_mb=%.1f %s_mb_x=%.1f", c.name, c.ms, c.name, c.ms/before.ms,
			c.name, c.mb, c.name, c.mb/before.mb)
	}
	fmt.Println(line)
}

// runCost is what a run takes: milliseconds of processors, and MiB that are allocated.
type runCost struct {
	name   string
	ms, mb float64
}

type viewCosts struct {
	costs []runCost
	kept  uint64
}

// viewBench is a repository, and what is kept of it.
type viewBench struct {
	b         *testing.B
	repo      *gittest.Repo
	options   gitrepo.Options
	repos     *gitrepo.Repos
	documents *lexical.Cache
	files     int
	runs      int
}

func measureViews(b *testing.B, files int) (out viewCosts) {
	b.Helper()
	server := gittest.New(b)
	v := &viewBench{b: b, repo: server.Create(b, "acme/anvil"), files: files,
		options: gitrepo.Options{BaseURL: server.URL, CacheBytes: defaultCache.git, CacheDir: b.TempDir()}}
	v.fill()
	v.restart()
	before := usedHeap()
	cold := v.cost("cold", v.named)
	out.costs = append(out.costs, v.median("warm", v.named, v.change), v.median("added", v.adds, v.add),
		v.median("ranked", v.unnamed, v.change))
	out.kept = usedHeap() - min(before, usedHeap())
	out.costs = append(out.costs, v.median("restart", v.named, v.change, v.restart), cold)
	return out
}

// restart forgets all but what is on the disk.
func (v *viewBench) restart() {
	v.repos, v.documents = gitrepo.New(v.options), lexical.NewCache(defaultCache.documents)
}

// usedHeap returns the bytes that are in use.
func usedHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// median returns the median cost of a run after what is done before it.
func (v *viewBench) median(name string, run func(context.Context), before ...func()) runCost {
	var all []runCost
	for range viewRounds {
		for _, do := range before {
			do()
		}
		all = append(all, v.cost(name, run))
	}
	slices.SortFunc(all, func(x, y runCost) int { return int(1000 * (x.ms - y.ms)) })
	return all[len(all)/2]
}

// cost carries a run out. What the collector still owes of earlier runs is not counted, what it does during the run is.
func (v *viewBench) cost(name string, run func(context.Context)) runCost {
	usedHeap()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := processorTime()
	run(v.b.Context())
	ms := float64((processorTime() - start).Microseconds()) / 1000
	runtime.ReadMemStats(&after)
	return runCost{name, ms, float64(after.TotalAlloc-before.TotalAlloc) / (1 << 20)}
}

// processorTime returns the time of processors that this process has used, without that of git.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// next returns the path of another file than the last time.
func (v *viewBench) next() string {
	v.runs++
	return viewPath(v.runs * 104_729 % v.files)
}

func (v *viewBench) named(ctx context.Context) {
	name := v.next()
	v.run(ctx, "fix the value of the constant in `"+name+"`", name, name)
}

func (v *viewBench) adds(ctx context.Context) {
	name := v.next()
	v.run(ctx, "add a value beside `"+name+"`", name, fmt.Sprintf("%s_new_%d.go", name, v.runs))
}

func (v *viewBench) unnamed(ctx context.Context) {
	v.run(ctx, "the session's token is not in the cache of the reader", "", v.next())
}

// run does what a command on a pull request does with the repository, and pushes an edit of a file.
func (v *viewBench) run(ctx context.Context, command, likely, edited string) {
	const branch = "refs/heads/main"
	anvil := port.RepoRef{Owner: "acme", Name: "anvil", DefaultBranch: "main"}
	tips, err := v.repos.Tips(ctx, anvil, "HEAD", branch)
	require.NoError(v.b, err)
	settings, err := v.repos.Open(ctx, anvil, "HEAD", tips["HEAD"], policy.SettingsPath)
	require.NoError(v.b, err)
	_, err = settings.Kind(policy.SettingsPath)
	require.NoError(v.b, err)
	checkout, err := v.repos.Open(ctx, anvil, branch, tips[branch], likely)
	require.NoError(v.b, err)
	rules := policy.DefaultPolicy()
	_, err = retrieve.Conventions(ctx, v.repos, anvil, "main", tips[branch], rules)
	require.NoError(v.b, err)
	found, err := retrieve.Select(ctx, checkout, retrieve.Query{Repos: v.repos, Repo: anvil, Branch: "main",
		Policy: rules, Command: command, Documents: v.documents}, retrieve.Room{Code: 72_000, Names: 6_000})
	require.NoError(v.b, err)
	require.NotEmpty(v.b, found.Paths)
	v.edit(ctx, checkout, edited)
}

// edit replaces the first line of a file, or makes it, and pushes that.
func (v *viewBench) edit(ctx context.Context, checkout repo.Checkout, name string) {
	search := ""
	kind, err := checkout.Kind(name)
	require.NoError(v.b, err)
	if kind == engine.File {
		require.NoError(v.b, checkout.Load(ctx, name))
		data, err := checkout.ReadFile(name)
		require.NoError(v.b, err)
		search, _, _ = strings.Cut(string(data), "\n")
		search += "\n"
	}
	reply := fmt.Sprintf("%s\n```go\n<<<<<<< SEARCH\n%s=======\npackage x // by run %d\n>>>>>>> REPLACE\n```\n", name,
		search, v.runs)
	blocks := engine.Parse(reply, engine.ParseOptions{}).Blocks
	paths, err := engine.Paths(checkout, blocks)
	require.NoError(v.b, err)
	require.NoError(v.b, checkout.Load(ctx, paths...))
	outcome, err := engine.Apply(checkout, blocks, engine.Options{})
	require.NoError(v.b, err)
	require.Len(v.b, outcome.Changed, 1)
	who := repo.Signature{Name: "tenon", Email: "tenon@example.com", When: time.Unix(1_700_000_000, 0)}
	_, err = checkout.Commit(ctx, repo.CommitRequest{Branch: "main", Message: "chore: edit", Author: who, Committer: who})
	require.NoError(v.b, err)
}

func (v *viewBench) change() { v.commit(v.next()) }

func (v *viewBench) add() { v.commit(fmt.Sprintf("%s_%d.go", v.next(), v.runs)) }

func (v *viewBench) commit(name string) {
	v.repo.Commit("main", gittest.Files(map[string]string{name: fmt.Sprintf("package x // %d\n", v.runs)}))
}

// fill commits the files, each with a content of its own, so that no id of a blob is there twice.
func (v *viewBench) fill() {
	in := &bytes.Buffer{}
	in.WriteString("commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 5\nfirst\n")
	for i := range v.files {
		text := fmt.Sprintf("package x\n\n// Value%d is one of many.\nconst Value%d = %d\n", i, i, i)
		fmt.Fprintf(in, "M 100644 inline %s\ndata %d\n%s\n", viewPath(i), len(text), text)
	}
	v.repo.GitIn(in.Bytes(), "fast-import", "--quiet")
}

// viewWords are what names are made of.
var viewWords = strings.Fields("reader writer buffer request answer token parse encode cache index server client " +
	"header stream session policy record branch commit merge")

// viewPath returns the path of a file: 16 in a folder, 400 folders in one, as in large repositories of many projects.
func viewPath(i int) string {
	word := func(n int) string { return viewWords[n%len(viewWords)] }
	return fmt.Sprintf("services/%s%d/%s/%s_%d/%s_%s%d.go", word(i/6400), i/6400, word(i/320), word(i/16), i/16%400,
		word(i*7), word(i/3), i)
}
