package conflicts

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/internal/eval/conflicts/gitmerge"
)

// measurer measures the merges of a repository.
type measurer struct {
	name    string
	git     *gitmerge.Repository
	options Options
}

// measured is what was measured of a merge.
type measured struct {
	leftOut LeftOut // empty if it was measured
	several bool    // its parents have several merge bases
	files   []File  // those in conflict, and then those that git merged cleanly, by path
}

// merge measures a merge: the files in conflict, and those that both sides changed and git merged cleanly.
func (m measurer) merge(ctx context.Context, c gitmerge.Merge) (out measured, err error) {
	bases, err := m.git.Bases(ctx, c)
	if err != nil || len(bases) == 0 {
		return measured{leftOut: Unrelated}, err
	}
	git, err := m.git.Again(ctx, c)
	if err != nil {
		if ctx.Err() != nil {
			return measured{}, ctx.Err()
		}
		return measured{leftOut: NotMerged}, nil //nolint:nilerr // an object may be missing; such merges are counted
	}
	out.several = len(bases) > 1
	id := 1
	for at := 0; at < len(git.Entries); {
		end := at
		for end < len(git.Entries) && git.Entries[end].Path == git.Entries[at].Path {
			end++
		}
		f, err := m.inConflict(c, git.Tree, git.Entries[at:end], id)
		if err != nil {
			return measured{}, err
		}
		id += len(f.Conflicts)
		out.files = append(out.files, f)
		at = end
	}
	if m.options.Replies != nil {
		if err := readReply(m.options.Replies, m.name, c.ID, out.files); err != nil {
			return measured{}, err
		}
	}
	if !out.several && bases[0] != c.Ours && bases[0] != c.Theirs {
		clean, err := m.merged(ctx, c, bases[0], git)
		if err != nil {
			return measured{}, err
		}
		out.files = append(out.files, clean...)
	}
	return out, nil
}

// merged measures the files that both sides changed and git merged cleanly.
func (m measurer) merged(ctx context.Context, c gitmerge.Merge, base string, git gitmerge.Result) ([]File, error) {
	ours, err := m.git.Changed(ctx, base, c.Ours)
	if err != nil {
		return nil, err
	}
	theirs, err := m.git.Changed(ctx, base, c.Theirs)
	if err != nil {
		return nil, err
	}
	for _, e := range git.Entries {
		delete(ours, e.Path)
	}
	var out []File
	for _, path := range slices.Sorted(maps.Keys(ours)) {
		ofOurs := ours[path]
		ofTheirs, both := theirs[path]
		if !both || ofOurs.After == ofTheirs.After {
			continue
		}
		f := File{Repo: m.name, Merge: c.ID, Path: path, Kind: CleanFile, clean: true}
		versions, ok, err := m.blobs(ofOurs.Before, ofOurs.After, ofTheirs.After, git.Tree+":"+path)
		if err != nil {
			return nil, err
		}
		if !ok {
			f.Kind = Unreadable
		} else {
			f.compareClean(versions)
		}
		out = append(out, f)
	}
	return out, nil
}

// compareClean compares with git's text, the last version, which has no conflicts.
func (f *File) compareClean(versions [][]byte) {
	pieces, refusal := merge.Pieces(versions[0], versions[1], versions[2])
	if refusal != "" {
		f.Kind = kindOf(refusal)
		return
	}
	var git form
	git.merged(linesOf(versions[3]))
	here := formOf(pieces)
	f.compared = true
	f.Outside, f.OnlyHere = outside(here, git), len(here.boxes) > 0
}

// inConflict measures a file in conflict. firstID is that of its first conflict.
func (m measurer) inConflict(c gitmerge.Merge, tree string, entries []gitmerge.Entry, firstID int) (File, error) {
	f := File{Repo: m.name, Merge: c.ID, Path: entries[0].Path, Kind: kindOfEntries(entries)}
	if f.Kind != BothChanged && f.Kind != BothAdded {
		return f, nil
	}
	var ids [3]string
	for _, e := range entries {
		ids[e.Stage-gitmerge.Base] = e.Object
	}
	versions, ok, err := m.blobs(ids[0], ids[1], ids[2], tree+":"+f.Path)
	if err != nil {
		return File{}, err
	}
	if !ok {
		f.Kind = Unreadable
		return f, nil
	}
	pieces, refusal := merge.Pieces(versions[0], versions[1], versions[2])
	if refusal != "" {
		f.Kind = kindOf(refusal)
		return f, nil
	}
	ours, theirs := linesOf(versions[1]), linesOf(versions[2])
	if isNested(ours, c) || isNested(theirs, c) {
		f.Kind = Nested
		return f, nil
	}
	git, ok := marked(string(versions[3]), c, ours, theirs)
	if !ok {
		f.Kind = Unreadable
		return f, nil
	}
	here := formOf(pieces)
	f.compared = true
	f.Outside = outside(here, git)
	f.OnlyGit = len(here.boxes) == 0 && len(git.boxes) > 0
	f.OnlyHere = len(here.boxes) > 0 && len(git.boxes) == 0
	person, ok, err := m.git.Blob(c.ID + ":" + f.Path)
	if err != nil {
		return File{}, err
	}
	f.Gone = !ok
	f.settle(pieces, person, firstID)
	return f, nil
}

func linesOf(data []byte) []string { return slices.Collect(strings.Lines(string(data))) }

// kindOfEntries returns the kind of a file by the versions that it has.
func kindOfEntries(entries []gitmerge.Entry) Kind {
	var has [gitmerge.Theirs + 1]bool
	link := false
	for _, e := range entries {
		switch e.Mode {
		case "160000":
			return Submodule
		case "120000":
			link = true
		}
		if e.Stage <= gitmerge.Theirs {
			has[e.Stage] = true
		}
	}
	switch {
	case link:
		return Link
	case has[gitmerge.Ours] && has[gitmerge.Theirs] && has[gitmerge.Base]:
		return BothChanged
	case has[gitmerge.Ours] && has[gitmerge.Theirs]:
		return BothAdded
	case len(entries) == 1:
		return Part
	case has[gitmerge.Ours]:
		return TheirsDeleted
	}
	return OursDeleted
}

func kindOf(r merge.Refusal) Kind {
	switch r {
	case merge.NotText:
		return Binary
	case merge.TooLarge:
		return TooLarge
	}
	return TooDifferent
}

// blobs reads blobs; no id is an empty one.
func (m measurer) blobs(names ...string) (out [][]byte, ok bool, err error) {
	for _, name := range names {
		if name == "" {
			out = append(out, nil)
			continue
		}
		data, ok, err := m.git.Blob(name)
		if err != nil || !ok {
			return nil, false, err
		}
		out = append(out, data)
	}
	return out, true, nil
}
