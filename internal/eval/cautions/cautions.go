// Package cautions measures on merged pull requests which cautions people's changes get, and whether what deserves one
// is found when it is planted into such changes.
package cautions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/caution"
	"github.com/tenon-bot/tenon/internal/eval/conflicts/gitmerge"
	"github.com/tenon-bot/tenon/meter"
)

// Options say what is measured.
type Options struct {
	// Changes is how many merged pull requests of each repository are examined, at most.
	Changes int
	// Skip is how many newer ones of each are left out.
	Skip int
	// Plant is into how many of all changes each form of each kind is planted, at most.
	Plant int
	// Each is called for each change, in order; nil for nothing.
	Each func(Change) error
	// Without is the name of a rule that is left out; empty for none.
	Without string
}

// Change is a merged pull request and its cautions.
type Change struct {
	Repo     string            `json:"repo"`
	Commit   string            `json:"commit"`
	Subject  string            `json:"subject"`
	Files    int               `json:"files"`
	Cautions []caution.Caution `json:"cautions,omitempty"`
	files    []caution.File
}

// Figures count what was measured. The counts of kinds are of changes.
type Figures struct {
	Changes, Cautioned int
	Kinds              map[caution.Kind]int
	Planted, Found     map[caution.Kind]int
	// Missed names the forms that were not found, and in how many changes.
	Missed map[string]int
}

func newFigures() Figures {
	return Figures{Kinds: map[caution.Kind]int{}, Planted: map[caution.Kind]int{}, Found: map[caution.Kind]int{},
		Missed: map[string]int{}}
}

// Run examines merged pull requests of repositories, given by "owner/name"; folder returns where one is.
func Run(ctx context.Context, repos []string, folder func(repo string) string, o Options) (Figures, error) {
	f := newFigures()
	for i, repo := range repos {
		changes, err := read(ctx, repo, folder(repo), o)
		if err != nil {
			return f, fmt.Errorf("reading %s: %w", repo, err)
		}
		share := o.Plant / len(repos)
		if i < o.Plant%len(repos) {
			share++
		}
		for n, c := range changes {
			c.Cautions = caution.Ablated(meter.Within(ctx, caution.Work), c.files, o.Without)
			f.add(c)
			if n < share {
				f.plant(ctx, c, o.Without)
			}
			if o.Each != nil {
				if err := o.Each(c); err != nil {
					return f, err
				}
			}
		}
	}
	return f, nil
}

// read returns merged pull requests of a repository, the newest first.
func read(ctx context.Context, repo, folder string, o Options) (out []Change, err error) {
	git, err := gitmerge.Open(ctx, folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, git.Close()) }()
	pulls, err := git.Pulls(ctx, o.Skip+o.Changes)
	if err != nil {
		return nil, err
	}
	for _, p := range pulls[min(o.Skip, len(pulls)):] {
		versions, err := git.Versions(ctx, p.Before, p.ID)
		if err != nil {
			return nil, err
		}
		c := Change{Repo: repo, Commit: p.ID, Subject: p.Subject, Files: len(versions)}
		for _, v := range versions {
			file := caution.File{Path: v.Path, Executable: v.ModeAfter == executable, WasExecutable: v.ModeBefore == executable}
			if file.Before, err = blob(git, v.ModeBefore, v.Before); err != nil {
				return nil, err
			}
			if file.After, err = blob(git, v.ModeAfter, v.After); err != nil {
				return nil, err
			}
			c.files = append(c.files, file)
		}
		out = append(out, c)
	}
	return out, nil
}

// executable is the mode of an executable file.
const executable = "100755"

// blob returns a version of a file; nil if there is none, or it is no regular file.
func blob(git *gitmerge.Repository, mode, id string) ([]byte, error) {
	if !strings.HasPrefix(mode, "100") {
		return nil, nil
	}
	data, ok, err := git.Blob(id)
	if err == nil && ok && data == nil {
		data = []byte{}
	}
	return data, err
}

func (f *Figures) add(c Change) {
	f.Changes++
	if len(c.Cautions) > 0 {
		f.Cautioned++
	}
	seen := map[caution.Kind]bool{}
	for _, one := range c.Cautions {
		if !seen[one.Kind] {
			f.Kinds[one.Kind]++
		}
		seen[one.Kind] = true
	}
}

// plant plants each form into a change, and counts which are found: by a caution of the kind at the path, which the
// change alone does not have, or by one more of the kind than are named.
func (f *Figures) plant(ctx context.Context, c Change, without string) {
	for _, p := range forms {
		files, where := p.plant(c.files)
		f.Planted[p.kind]++
		found := caution.Ablated(meter.Within(ctx, caution.Work), files, without)
		replaced := !strings.HasPrefix(p.path, "*") // what the change alone has at the path is gone
		if slices.ContainsFunc(found, func(o caution.Caution) bool {
			isNew := !slices.Contains(c.Cautions, o)
			return o.Kind == p.kind && (o.Path == where && (replaced || isNew) || o.More > 0 && isNew)
		}) {
			f.Found[p.kind]++
		} else {
			f.Missed[string(p.kind)+": "+p.name]++
		}
	}
}

// Print prints the figures; the last line has those of all kinds.
func (f Figures) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-14s %9s %9s %9s\n", "kind", "changes", "planted", "found")
	for _, k := range caution.Kinds() {
		fmt.Fprintf(&b, "%-14s %9d %9d %9d\n", k, f.Kinds[k], f.Planted[k], f.Found[k])
	}
	for _, name := range slices.SortedFunc(maps.Keys(f.Missed), cmp.Compare[string]) {
		fmt.Fprintf(&b, "missed %d times: %s\n", f.Missed[name], name)
	}
	fmt.Fprintf(&b, "changes=%d cautioned=%d planted=%d found=%d\n", f.Changes, f.Cautioned, total(f.Planted),
		total(f.Found))
	_, err := io.WriteString(w, b.String())
	return err
}

func total(counts map[caution.Kind]int) (n int) {
	for _, some := range counts {
		n += some
	}
	return n
}

// Print prints a change with its cautions; nothing of one without.
func (c Change) Print(w io.Writer) error {
	if len(c.Cautions) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %.10s %q (%d files)\n", c.Repo, c.Commit, c.Subject, c.Files)
	for _, one := range c.Cautions {
		fmt.Fprintf(&b, "  %-12s %q:%d %q\n", one.Kind, one.Path, one.Line, one.What)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
