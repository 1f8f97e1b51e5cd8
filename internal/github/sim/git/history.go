package git

import (
	"math"
	"slices"
	"time"
)

// Filter selects commits. The zero value selects all.
type Filter struct {
	// Not are commits that are left out, with their whole history.
	Not []string
	// Author is an e-mail address.
	Author string
	// Since and Until are compared with the committer's time.
	Since, Until time.Time
	// Path is a file or folder that the commit changes.
	Path string
	// Max is how many there are at most; 0 means all.
	Max int
}

// Log returns the selected commits of the history of a commit, itself included, newest first.
func (o *Objects) Log(id string, f Filter) ([]Commit, error) {
	w := walk{objects: o, seen: map[string]*visit{}}
	for _, not := range f.Not {
		if err := w.push(not, true); err != nil {
			return nil, err
		}
	}
	if err := w.push(id, false); err != nil {
		return nil, err
	}
	var found []*visit
	last := int64(math.MaxInt64)
	for slop := maxSlop; slop > 0; {
		v := w.next.pop()
		if v == nil {
			break
		}
		if v.excluded {
			if err := w.exclude(v); err != nil {
				return nil, err
			}
			slop = w.slop(slop, last)
			continue
		}
		last = v.when()
		if !f.Since.IsZero() && v.when() < f.Since.Unix() {
			continue
		}
		parents, changed, err := o.follow(v.commit, f.Path)
		if err != nil {
			return nil, err
		}
		for _, p := range parents {
			if err := w.push(p, false); err != nil {
				return nil, err
			}
		}
		if changed && f.selects(v) {
			found = append(found, v)
		}
		if len(f.Not) == 0 && f.Max > 0 && len(found) == f.Max { // nothing is excluded later
			break
		}
	}
	var list []Commit
	for _, v := range found {
		if !v.excluded && (f.Max == 0 || len(list) < f.Max) {
			list = append(list, v.commit)
		}
	}
	return list, nil
}

func (f Filter) selects(v *visit) bool {
	return (f.Author == "" || v.commit.Author.Email == f.Author) && (f.Until.IsZero() || v.when() <= f.Until.Unix())
}

// follow returns the parents that lead to the history of a path, and whether the commit changes it. As in git, a merge
// with the path of one parent leads to that parent alone.
func (o *Objects) follow(c Commit, path string) (parents []string, changed bool, err error) {
	if path == "" {
		return c.Parents, true, nil
	}
	now, err := o.idAt(c.Tree, path)
	if err != nil {
		return nil, false, err
	}
	for _, p := range c.Parents {
		before, err := o.idAt(p, path)
		if err != nil {
			return nil, false, err
		}
		if before == now {
			return []string{p}, false, nil
		}
	}
	return c.Parents, len(c.Parents) > 0 || now != "", nil
}

// maxSlop is how many excluded commits are visited behind the last other one, as in git: times of commits can be wrong.
const maxSlop = 5

// walk visits commits, those with the newest time of their committer first.
type walk struct {
	objects *Objects
	seen    map[string]*visit
	next    queue
}

func (w *walk) push(id string, excluded bool) error {
	if v := w.seen[id]; v != nil {
		if excluded && !v.excluded {
			v.excluded = true
			if !slices.Contains(w.next, v) { // its parents were pushed
				return w.exclude(v)
			}
		}
		return nil
	}
	c, err := w.objects.Commit(id)
	if err != nil {
		return err
	}
	v := &visit{commit: c, excluded: excluded}
	w.seen[id] = v
	w.next.push(v)
	return nil
}

// exclude excludes the parents of a commit too.
func (w *walk) exclude(v *visit) error {
	for _, p := range v.commit.Parents {
		if err := w.push(p, true); err != nil {
			return err
		}
	}
	return nil
}

// slop returns how many more excluded commits are to be visited; last is the time of the last other one.
func (w *walk) slop(left int, last int64) int {
	switch {
	case len(w.next) == 0:
		return 0
	case last <= w.next[0].when(),
		slices.ContainsFunc(w.next, func(v *visit) bool { return !v.excluded }):
		return maxSlop
	}
	return left - 1
}
