package git

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	headsPrefix = "refs/heads/"
	symbolic    = "ref: "
)

// ErrMoved is the error of an update of a ref that is not where the update expects it.
var ErrMoved = errors.New("the ref is at another commit")

// Ref is a ref and the object that it points to.
type Ref struct{ Name, SHA string }

// Update moves a ref. An empty From says that it does not exist yet, an empty To deletes it.
type Update struct{ Name, From, To string }

// refStore are the refs of a repository, and its HEAD.
type refStore interface {
	// ref returns where a ref points, or "" if there is none.
	ref(name string) string
	refs() (map[string]string, error)
	update(list []Update) error
	head() string
	setHead(branch string) error
}

// Ref returns the object that a ref points to, by its full name or "HEAD", or "" if there is none.
func (r *Repository) Ref(name string) string {
	if name == "HEAD" {
		name = headsPrefix + r.Head()
	}
	if !ValidRef(name) {
		return ""
	}
	return r.refs.ref(name)
}

// Branch returns the commit of a branch, or "" if there is none.
func (r *Repository) Branch(name string) string { return r.Ref(headsPrefix + name) }

// Head returns the branch of HEAD.
func (r *Repository) Head() string { return r.refs.head() }

// SetHead lets HEAD be a branch.
func (r *Repository) SetHead(branch string) error { return r.refs.setHead(branch) }

// Refs returns the refs whose names begin with a prefix, sorted by name.
func (r *Repository) Refs(prefix string) ([]Ref, error) {
	all, err := r.refs.refs()
	if err != nil {
		return nil, fmt.Errorf("listing refs: %w", err)
	}
	var list []Ref
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(name, prefix) {
			list = append(list, Ref{name, all[name]})
		}
	}
	return list, nil
}

// Branches returns the commits of all branches, by their short names.
func (r *Repository) Branches() (map[string]string, error) {
	list, err := r.Refs(headsPrefix)
	if err != nil {
		return nil, err
	}
	tips := map[string]string{}
	for _, ref := range list {
		tips[strings.TrimPrefix(ref.Name, headsPrefix)] = ref.SHA
	}
	return tips, nil
}

// Update makes all updates, or none if one is refused: with ErrMoved, or because of its name or object.
func (r *Repository) Update(updates ...Update) error {
	for _, u := range updates {
		kind := r.Kind(u.To)
		switch {
		case !ValidRef(u.Name):
			return fmt.Errorf("%q is not a valid ref name", u.Name)
		case u.To != "" && kind == "":
			return fmt.Errorf("moving %s to %s: %w", u.Name, u.To, ErrNotFound)
		case kind != "" && kind != KindCommit && strings.HasPrefix(u.Name, headsPrefix):
			return fmt.Errorf("moving %s to %s: a %s is no commit", u.Name, u.To, kind)
		}
	}
	if err := r.store.save(); err != nil {
		return err
	}
	return r.refs.update(updates)
}

// SetBranch lets a branch be at a commit, wherever it was.
func (r *Repository) SetBranch(name, sha string) error { return r.SetRef(headsPrefix+name, sha) }

// SetRef lets a ref be at a commit, wherever it was; an empty sha deletes it.
func (r *Repository) SetRef(name, sha string) error {
	from := r.Ref(name)
	if from == sha {
		return nil
	}
	return r.Update(Update{Name: name, From: from, To: sha})
}

// badRef matches what no name of a ref contains. See git-check-ref-format(1).
var badRef = regexp.MustCompile(`[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|//|/\.|\.lock(/|$)|\.$|/$`)

// ValidRef reports whether git allows the full name of a ref.
func ValidRef(name string) bool {
	return strings.HasPrefix(name, "refs/") && strings.Count(name, "/") >= 2 && !badRef.MatchString(name)
}

// checkUpdates returns an error if refs are not where updates expect them, or if a new one is a folder of others.
func checkUpdates(refs map[string]string, updates []Update) error {
	after := maps.Clone(refs)
	for _, u := range updates {
		if refs[u.Name] != u.From {
			return fmt.Errorf("moving %s from %q, but it is at %q: %w", u.Name, u.From, refs[u.Name], ErrMoved)
		}
		if after[u.Name] = u.To; u.To == "" {
			delete(after, u.Name)
		}
	}
	for _, u := range updates {
		if u.From != "" || u.To == "" {
			continue
		}
		for name := range after {
			if strings.HasPrefix(name, u.Name+"/") || strings.HasPrefix(u.Name, name+"/") {
				return fmt.Errorf("making %s: there is %s", u.Name, name)
			}
		}
	}
	return nil
}

// memoryRefs are refs in memory.
type memoryRefs struct {
	mu     sync.Mutex
	byName map[string]string
	branch string // of HEAD
}

func newMemoryRefs(branch string) *memoryRefs {
	return &memoryRefs{byName: map[string]string{}, branch: branch}
}

func (m *memoryRefs) ref(name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.byName[name]
}

func (m *memoryRefs) refs() (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.byName), nil
}

func (m *memoryRefs) update(updates []Update) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := checkUpdates(m.byName, updates); err != nil {
		return err
	}
	for _, u := range updates {
		if m.byName[u.Name] = u.To; u.To == "" {
			delete(m.byName, u.Name)
		}
	}
	return nil
}

func (m *memoryRefs) head() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.branch
}

func (m *memoryRefs) setHead(branch string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.branch = branch
	return nil
}
