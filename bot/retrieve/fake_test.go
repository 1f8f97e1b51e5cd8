package retrieve

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// repository is a repository in memory: commits by SHA and refs by name.
type repository struct {
	commits map[string]engine.MemTree
	refs    map[string]string
	links   map[string]engine.Kind // what is no regular file
	err     error                  // of Open
	lose    string                 // what cannot be loaded
	someErr error                  // of LoadSome

	loads   int            // requests for files
	fetched []string       // the files that were loaded, in their order
	reads   map[string]int // how often each file was read
	onRead  func()         // is called at each of those, if not nil
}

func (r *repository) Open(_ context.Context, _ port.RepoRef, ref, sha string, _ ...string) (repo.Checkout, error) {
	if r.err != nil {
		return nil, r.err
	}
	if sha == "" {
		sha = r.refs[ref]
	}
	tree, ok := r.commits[sha]
	if !ok {
		return nil, fmt.Errorf("opening %s: %w", ref, port.ErrNotFound)
	}
	r.reads = map[string]int{}
	return &memCheckout{MemTree: tree, repository: r, sha: sha, loaded: map[string]bool{}}, nil
}

// memCheckout is strict: a file that was not loaded cannot be read. It stages and commits nothing.
type memCheckout struct {
	engine.MemTree
	repo.Checkout
	repository *repository
	sha        string
	loaded     map[string]bool
}

func (c *memCheckout) Files() ([]string, error) { return c.MemTree.Files() }

func (c *memCheckout) Remove(name string) error { return c.MemTree.Remove(name) }

func (c *memCheckout) Move(from, to string) error { return c.MemTree.Move(from, to) }

func (c *memCheckout) WriteFile(name string, data []byte) error {
	return c.MemTree.WriteFile(name, data)
}

func (c *memCheckout) SHA() string { return c.sha }

func (c *memCheckout) Kind(name string) (engine.Kind, error) {
	if kind, ok := c.repository.links[name]; ok {
		return kind, nil
	}
	return c.MemTree.Kind(name)
}

var errLoad = errors.New("the connection was lost")

func (c *memCheckout) Load(_ context.Context, names ...string) error {
	return c.load(names, math.MaxInt64)
}

// LoadSome loads the first files that are within the bound together.
func (c *memCheckout) LoadSome(_ context.Context, bytes int64, names ...string) error {
	if c.repository.someErr != nil {
		c.repository.loads++
		return c.repository.someErr
	}
	return c.load(names, bytes)
}

func (c *memCheckout) load(names []string, bytes int64) error {
	wanted := func(name string) bool { return c.MemTree[name] != nil && !c.loaded[name] }
	if slices.ContainsFunc(names, wanted) {
		c.repository.loads++
	}
	for _, name := range names {
		if strings.HasPrefix(name, "lost.") || name == c.repository.lose {
			return errLoad
		}
		if n := int64(len(c.MemTree[name])); wanted(name) && n <= bytes {
			bytes -= n
			c.loaded[name] = true
			c.repository.fetched = append(c.repository.fetched, name)
		}
	}
	return nil
}

func (c *memCheckout) Blob(name string) (string, bool) {
	data, err := c.MemTree.ReadFile(name)
	return fmt.Sprintf("%x", sha256.Sum256(data)), err == nil
}

func (c *memCheckout) ReadFile(name string) ([]byte, error) {
	c.repository.reads[name]++
	if c.repository.onRead != nil {
		c.repository.onRead()
	}
	data, err := c.MemTree.ReadFile(name)
	switch {
	case err != nil:
		return nil, fs.ErrNotExist
	case !c.loaded[name]:
		return nil, errors.New("not loaded: " + name)
	case len(data) > 2<<20:
		return nil, &port.UserError{Text: "it is too large"}
	}
	return data, nil
}

// indexOf returns the index of sorted files.
func indexOf(files ...string) *index { return newIndex(paths.New(slices.Values(files))) }

const (
	headSHA = "1111111111111111111111111111111111111111"
	oldSHA  = "2222222222222222222222222222222222222222"
	mainSHA = "3333333333333333333333333333333333333333"
)

// story is a comment on a pull request, and what is in the repository.
type story struct {
	body    string
	about   string // the text of the pull request
	files   map[string]string
	old     map[string]string // at oldSHA
	main    map[string]string // at the default branch
	links   map[string]engine.Kind
	changed []string
	comment port.Comment
	options []string
	task    []TaskFile
	ignore  []string
	room    int // 0 for that of a model with the default
}

// found is what was selected.
type found struct {
	Found
	loads, fetched int
}

func (st story) repository() *repository {
	return &repository{
		commits: map[string]engine.MemTree{headSHA: treeOf(st.files), oldSHA: treeOf(st.old), mainSHA: treeOf(st.main)},
		refs:    map[string]string{"refs/heads/speed": headSHA, "refs/heads/main": mainSHA, "refs/tags/v1": oldSHA},
		links:   st.links,
	}
}

func (st story) query(repos repo.Opener) Query {
	q := Query{
		Repos: repos, Repo: port.RepoRef{ID: 3, Owner: "acme", Name: "lathe", DefaultBranch: "main"}, Branch: "speed",
		Policy: policy.Policy{Ignore: st.ignore}, Comment: st.comment, Page: "https://github.example/acme/lathe/pull/12",
		Options: st.options, Task: st.task, Command: st.body, Title: "Faster", About: st.about,
	}
	q.Comment.Body = st.body
	for _, name := range st.changed {
		q.Changed = append(q.Changed, port.ChangedFile{Path: name})
	}
	return q
}

// selects returns what is selected for the story.
func (st story) selects(t testing.TB) found {
	t.Helper()
	repos := st.repository()
	checkout, err := repos.Open(t.Context(), port.RepoRef{}, "refs/heads/speed", headSHA)
	require.NoError(t, err)
	room := st.room
	if room == 0 {
		room = CodeBytes(port.ModelInfo{}, policy.Bounds{})
	}
	out, err := Select(t.Context(), checkout, st.query(repos), RoomOf(room))
	require.NoError(t, err)
	return found{out, repos.loads, len(repos.fetched)}
}

func treeOf(files map[string]string) engine.MemTree {
	tree := engine.MemTree{}
	for name, text := range files {
		tree[name] = []byte(text)
	}
	return tree
}

// names returns the files that are shown, in their order, with the lines of those that are shown in parts.
func (f found) names() (out []string) {
	for _, f := range f.Selection.Files {
		name := f.Path
		for _, p := range f.Parts {
			name += fmt.Sprintf(" %d-%d", p.From, p.To)
		}
		out = append(out, name)
	}
	return out
}

func (f found) scores() (out []int) {
	for _, f := range f.Selection.Files {
		out = append(out, f.Score)
	}
	return out
}

// shownFor returns the files that are shown for a reason, in their order.
func (f found) shownFor(why reason) (out []string) {
	for _, f := range f.Selection.Files {
		if f.Why == reasons[why].words {
			out = append(out, f.Path)
		}
	}
	return out
}

// why returns why a file was left out.
func (f found) why(name string) string {
	i := slices.IndexFunc(f.Selection.LeftOut, func(l LeftOut) bool { return l.Path == name })
	if i < 0 {
		return ""
	}
	return f.Selection.LeftOut[i].Why
}

// file returns what is shown of a file.
func (f found) file(t testing.TB, name string) prompts.File {
	t.Helper()
	i := slices.IndexFunc(f.Files, func(f prompts.File) bool { return f.Path == name })
	require.GreaterOrEqual(t, i, 0, "%s is not shown", name)
	return f.Files[i]
}

// text returns all that is shown of files.
func (f found) text() string {
	var b strings.Builder
	for _, file := range f.Files {
		for _, p := range file.Parts {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// numbered returns n lines that can be told apart.
func numbered(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", prefix, i+1)
	}
	return b.String()
}
