package bot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// repository is a repository in memory: commits by SHA and refs by name.
type repository struct {
	commits map[string]engine.MemTree
	refs    map[string]string
	links   map[string]engine.Kind // what is no regular file
	loads   atomic.Int64
}

func (r *repository) Open(_ context.Context, _ RepoRef, ref, sha string, _ ...string) (Checkout, error) {
	if sha == "" {
		sha = r.refs[ref]
	}
	tree, ok := r.commits[sha]
	if !ok {
		return nil, fmt.Errorf("opening %s: %w", ref, ErrNotFound)
	}
	return &memCheckout{MemTree: tree, repository: r, sha: sha, loaded: map[string]bool{}}, nil
}

// memCheckout is strict: a file that was not loaded cannot be read.
type memCheckout struct {
	engine.MemTree
	repository *repository
	sha        string
	loaded     map[string]bool
}

func (c *memCheckout) SHA() string { return c.sha }

func (c *memCheckout) Kind(name string) (engine.Kind, error) {
	if kind, ok := c.repository.links[name]; ok {
		return kind, nil
	}
	return c.MemTree.Kind(name)
}

func (c *memCheckout) Load(_ context.Context, names ...string) error {
	c.repository.loads.Add(1)
	for _, name := range names {
		c.loaded[name] = true
	}
	return nil
}

func (c *memCheckout) ReadFile(name string) ([]byte, error) {
	data, err := c.MemTree.ReadFile(name)
	switch {
	case err != nil:
		return nil, fs.ErrNotExist
	case !c.loaded[name]:
		return nil, errors.New("not loaded: " + name)
	case len(data) > 2<<20:
		return nil, &UserError{"it is too large"}
	}
	return data, nil
}

func (c *memCheckout) Tree() string { return "tree of " + c.sha }

func (c *memCheckout) Remove(name string) error {
	delete(c.MemTree, name)
	return nil
}

func (c *memCheckout) Move(from, to string) error {
	c.MemTree[to] = c.MemTree[from]
	return c.Remove(from)
}

func (c *memCheckout) Executable(string) (bool, error) { return false, nil }

func (c *memCheckout) SetExecutable(string, bool) error { return nil }

func (c *memCheckout) Links(string) ([]string, error) { return nil, nil }

func (c *memCheckout) Changes() ([]Change, error) { return nil, errors.New("nothing is staged here") }

func (c *memCheckout) Commit(context.Context, CommitRequest) (Commit, error) {
	return Commit{}, errors.New("nothing is committed here")
}

// pullOf is a GitHub that knows which files a pull request changes, and nothing else.
type pullOf struct {
	GitHub
	changed []string
}

func (pullOf) Remarks(context.Context, RepoRef, int, *Comment) ([]Comment, error) { return nil, nil }

func (p pullOf) ChangedFiles(context.Context, RepoRef, int) (out []ChangedFile, err error) {
	for _, name := range p.changed {
		out = append(out, ChangedFile{Path: name})
	}
	return out, nil
}

const (
	headSHA = "1111111111111111111111111111111111111111"
	oldSHA  = "2222222222222222222222222222222222222222"
	mainSHA = "3333333333333333333333333333333333333333"
)

// story is a comment on a pull request, and what stands in the repository.
type story struct {
	body    string
	files   map[string]string
	old     map[string]string // at oldSHA
	main    map[string]string // at the default branch
	links   map[string]engine.Kind
	changed []string
	comment Comment
	models  []ModelInfo
}

// asks is the question that the story leads to.
func (st story) asks(t testing.TB) question {
	t.Helper()
	s := st.session()
	q, err := s.gather(context.Background(), target{Branch: "speed", SHA: headSHA, Title: "Faster", Pull: 12}, s.task())
	require.NoError(t, err)
	return q
}

func (st story) session() *session {
	repo := &repository{
		commits: map[string]engine.MemTree{headSHA: treeOf(st.files), oldSHA: treeOf(st.old), mainSHA: treeOf(st.main)},
		refs:    map[string]string{"refs/heads/speed": headSHA, "refs/heads/main": mainSHA, "refs/tags/v1": oldSHA},
		links:   st.links,
	}
	c := st.comment
	c.Body = st.body
	return &session{
		Bot: &Bot{Slug: "tenon", Repos: repo, GitHub: pullOf{changed: st.changed}, Models: st.models, Now: time.Now},
		ev: Event{
			Repo:    RepoRef{ID: 3, Owner: "acme", Name: "lathe", DefaultBranch: "main"},
			Thread:  Thread{Number: 12, Pull: true, URL: "https://github.example/acme/lathe/pull/12"},
			Comment: c,
		},
		inv:     invocation{text: st.body},
		journal: journalOf(Run{ID: "k3v9x1p7q2m4"}),
	}
}

func treeOf(files map[string]string) engine.MemTree {
	tree := engine.MemTree{}
	for name, text := range files {
		tree[name] = []byte(text)
	}
	return tree
}

// shown are the files of a question, in their order, with the parts that were shown of them.
func shownNames(q question) (out []string) {
	for _, f := range q.Files {
		name := f.Path
		for _, p := range f.Parts {
			name += fmt.Sprintf(" %d-%d", p.From, p.To)
		}
		out = append(out, name)
	}
	return out
}

func (q question) user() string { return q.Request.Messages[0].Text }

// why is the reason for which a file was left out; empty when it was not.
func (q question) why(name string) string {
	i := slices.IndexFunc(q.LeftOut, func(l leftOut) bool { return l.Path == name })
	if i < 0 {
		return ""
	}
	return q.LeftOut[i].Why
}

// numbered is a text of n lines that can be told apart.
func numbered(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", prefix, i+1)
	}
	return b.String()
}
