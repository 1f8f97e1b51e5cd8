package engine

import (
	"errors"
	"fmt"
	"slices"
)

// open returns the file in work, reading it the first time.
func (r *applier) open(found resolved) (*file, error) {
	if f := r.files[found.path]; f != nil {
		return f, nil
	}
	f := &file{path: found.path, text: &text{}}
	if found.exists {
		data, err := r.tree.ReadFile(found.path)
		if err != nil && !errors.Is(err, ErrTooLarge) {
			return nil, fmt.Errorf("reading %s: %w", found.path, err)
		}
		if why := notText(data); err != nil || len(data) > r.opts.Limits.FileBytes {
			f.refusal = r.tooLarge()
		} else if why != "" {
			f.refusal = &refusal{BinaryFile, "Cannot edit binary file: " + why}
		} else {
			f.text, f.before = newText(data), data
		}
	}
	r.files[found.path] = f
	return f, nil
}

func (r *applier) tooLarge() *refusal {
	return &refusal{TooLarge, fmt.Sprintf("The file is too large: at most %d bytes are edited", r.opts.Limits.FileBytes)}
}

// edit applies one block to the file that it means.
func (r *applier) edit(b Block, found resolved, res *Result) error {
	f, err := r.open(found)
	if err != nil {
		return err
	}
	switch {
	case f.refusal != nil:
		res.fail(*f.refusal)
	case b.Create:
		r.create(f, b, found, res)
	case slices.Equal(b.Find, b.Replace) && len(b.Splits) < 2:
		res.skip(NoChange)
	default:
		r.fit(f, b, found, res)
	}
	return nil
}

// create puts a whole new file, or fills one that has nothing in it.
func (r *applier) create(f *file, b Block, found resolved, res *Result) {
	put := b.Replace
	for len(put) > 0 && isBlank(put[len(put)-1]) {
		put = put[:len(put)-1]
	}
	switch {
	case len(f.text.lines) > 0 && sameLines(f.text, put):
		res.skip(AlreadyApplied)
	case len(f.text.lines) > 0:
		res.fail(refusal{FileExists, found.path + " exists and is not empty; to change it, name the lines to find"})
	case len(put) == 0 && (found.exists || b.Format != FormatSection):
		res.skip(NoChange)
	case hasPlaceholder(nil, put):
		res.fail(*placeholder)
	default:
		r.do(f, []edit{{0, 0, put}}, res)
		r.resolve.fresh[found.path] = true
	}
}

func sameLines(t *text, put []string) bool {
	return slices.EqualFunc(t.lines, put, func(l line, s string) bool { return trimTrailing(l.text) == trimTrailing(s) })
}

// fit finds the block's place and applies it there.
func (r *applier) fit(f *file, b Block, found resolved, res *Result) {
	s := settle(f.text, b, r.opts.DisabledLevels)
	res.Level = s.level
	if s.place.doubt == "" && len(s.place.edits) > 0 {
		s.place.doubt = foreignIndent(s.place)
	}
	switch {
	case s.reason == NotFound && s.fit.putStands():
		res.skip(AlreadyApplied)
		start := occurrences(f.text.lineKeys(keyTrailing), keysOf(keyTrailing, s.fit.put))[0]
		f.stands = append(f.stands, stand{len(r.results), start})
	case s.reason != "":
		r.explain(f, b, s, res)
	case found.guessed && s.level != LevelExact:
		res.fail(refusal{FileNotFound, r.resolve.notFound(b.Path)})
		res.Path = b.Path
	case s.level > r.allowed(found.path):
		res.fail(refusal{Stale, r.stale(found.path)})
	case s.place.doubt != "":
		res.fail(refusal{Ambiguous, "Edit location is ambiguous: " + s.place.doubt})
		res.Line = s.place.first() + 1
	case hasPlaceholder(s.fit.find, s.fit.put) && s.level != LevelEllipsis:
		res.fail(*placeholder)
	case len(s.place.edits) == 0, standsAt(s.place, s.level):
		res.skip(AlreadyApplied)
		f.stands = append(f.stands, stand{len(r.results), s.place.first()})
	case f.text.ascii && !allASCII(s.place.edits):
		res.fail(refusal{BinaryFile, "Cannot edit binary file: it is not UTF-8, so that only ASCII can be put into it"})
	default:
		r.do(f, s.place.edits, res)
	}
}

// allowed is the loosest level that may match a path. A file that this reply made is known to it.
func (r *applier) allowed(path string) Level {
	if r.opts.Shown == nil || r.resolve.fresh[path] {
		return LevelFuzzyContext
	}
	switch r.opts.Shown(path) {
	case ShownChanged:
		return LevelTrailingSpace
	case ShownUnknown:
		return LevelBlankLines
	default:
		return LevelFuzzyContext
	}
}

func (r *applier) stale(path string) string {
	if r.opts.Shown(path) == ShownUnknown {
		return sentenceStaleUnknown
	}
	return sentences[Stale]
}

func allASCII(edits []edit) bool {
	for _, e := range edits {
		if slices.ContainsFunc(e.put, func(s string) bool { return !isASCII(s) }) {
			return false
		}
	}
	return true
}

// do makes the edits, unless the file grows too large by them, and moves what stands below them.
func (r *applier) do(f *file, edits []edit, res *Result) {
	size := f.text.size()
	for _, e := range edits {
		for _, s := range e.put {
			size += len(s) + 1
		}
	}
	if size > r.opts.Limits.FileBytes {
		res.fail(*r.tooLarge())
		return
	}
	res.Edit = f.text.change(edits)
	for _, e := range slices.Backward(edits) {
		f.text.splice(e.from, e.to, e.put)
		for i := range f.stands {
			f.stands[i].line = e.move(f.stands[i].line)
		}
	}
	f.dirty = true
	f.stands = append(f.stands, stand{len(r.results), edits[0].from})
	res.Status, res.Reason = Applied, ""
}

// move returns where a line is after the edit.
func (e edit) move(line int) int {
	switch {
	case line >= e.to:
		return line + len(e.put) - (e.to - e.from)
	case line > e.from:
		return min(line, e.from+len(e.put))
	}
	return line
}
