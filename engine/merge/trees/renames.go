package trees

import "slices"

// emptyFiles are the ids of the empty file, which is never renamed.
var emptyFiles = map[string]bool{
	"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391":                         true,
	"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813": true,
}

// renamed is a file that a side no longer has at a path, or that it has at a new path.
type renamed struct {
	path  string
	entry Entry
	// content and location are true for a source that matters: because the other side changed the file, or because it
	// added others to its directory.
	content, location bool
	// pair is the index of the destination of a source, or the reverse; -1 if there is none.
	pair  int
	print *print
	// unclear are the destinations that a source may have, if another one is as like to its own, or several are to it.
	unclear []int
	// contested is true for a destination of such a source.
	contested bool
}

// detection finds the files that a side renamed, as git does: first those whose content is the same, then similar ones
// with the same name, then the most similar ones.
type detection struct {
	*merger
	side Side
	from []renamed
	to   []renamed
	dirs dirs
}

// renames finds what a side renamed, as far as the merge depends on it.
func (m *merger) renames(s Side) *detection {
	d := &detection{merger: m, side: s, dirs: m.dirs(s)}
	matters := false
	for _, path := range m.order {
		n := m.nodes[path]
		before, after, other := n.base.Entry, n.side(s).Entry, n.side(s.other()).Entry
		switch {
		case before.exists() == after.exists():
		case after.exists():
			if !emptyFiles[after.ID] {
				d.to = append(d.to, renamed{path: path, entry: after, pair: -1})
			}
		case !emptyFiles[before.ID]:
			r := renamed{path: path, entry: before, pair: -1, content: other != before, location: d.dirs.grew(parent(path))}
			matters = matters || r.content || r.location
			d.from = append(d.from, r)
		}
	}
	if matters && len(d.to) > 0 && m.stop == nil {
		d.equal()
		d.guess()
		d.named()
		d.similar()
	}
	return d
}

func (d *detection) join(from, to int) {
	d.from[from].pair, d.to[to].pair = to, from
	d.dirs.count(d.from[from].path, d.to[to].path)
}

// content is what equal files have in common.
type content struct {
	id   string
	mode Mode
}

func (e Entry) content() content {
	if e.file() {
		return content{id: e.ID}
	}
	return content{e.ID, e.Mode}
}

// maxAlternatives is how many destinations of a source are named, if it is unclear which of them it has.
const maxAlternatives = 100

// equal finds the sources of destinations with the same content: one with the same name, or else the first. With
// several of either, git's choice depends on the order in which it reads directories, unless each has the name of one
// other.
func (d *detection) equal() {
	from, to := map[content][]int{}, map[content][]int{}
	for j, r := range d.to {
		to[r.entry.content()] = append(to[r.entry.content()], j)
	}
	for i, r := range d.from {
		if key := r.entry.content(); len(to[key]) > 0 {
			from[key] = append(from[key], i)
		}
	}
	for _, r := range d.to {
		key := r.entry.content()
		if len(from[key]) > 0 {
			d.among(from[key], to[key])
			delete(from, key)
		}
	}
}

// among pairs sources and destinations with the same content.
func (d *detection) among(from, to []int) {
	names := make(map[string][]int, len(from))
	for _, i := range from {
		names[base(d.from[i].path)] = append(names[base(d.from[i].path)], i)
	}
	clear := len(from) == 1 && len(to) == 1 || len(names) == len(from)
	var rest []int
	for _, j := range to {
		list := names[base(d.to[j].path)]
		if len(list) == 0 {
			rest = append(rest, j)
			continue
		}
		names[base(d.to[j].path)] = list[1:]
		d.join(list[0], j)
	}
	clear = clear && (len(rest) == 0 || len(from) == 1 && len(to) == 1)
	for _, i := range from {
		if d.from[i].pair < 0 && len(rest) > 0 {
			d.join(i, rest[0])
			rest = rest[1:]
		}
	}
	if clear {
		return
	}
	for _, j := range to {
		d.to[j].contested = true
	}
	to = to[:min(len(to), maxAlternatives)]
	for _, i := range from {
		d.from[i].unclear = to
		for _, j := range to[:min(len(to), maxCandidates)] {
			d.dirs.count(d.from[i].path, d.to[j].path)
		}
	}
}

// named finds similar files with the same name: the only ones with that name, or ones in the directory to which most
// files of their directory were renamed.
func (d *detection) named() {
	const several = -1
	unique := func(list []renamed) map[string]int {
		out := make(map[string]int, len(list))
		for i, r := range list {
			if r.pair >= 0 && len(r.unclear) == 0 {
				continue
			}
			if _, ok := out[base(r.path)]; ok {
				i = several
			}
			out[base(r.path)] = i
		}
		return out
	}
	from, to := unique(d.from), unique(d.to)
	places := make(map[string]int, len(d.to))
	for j, r := range d.to {
		if r.pair < 0 {
			places[r.path] = j
		}
	}
	for i, r := range d.from {
		j, ok := to[base(r.path)]
		if !ok || r.pair >= 0 && len(r.unclear) == 0 || !r.content && !r.location {
			continue
		}
		if j == several || from[base(r.path)] == several {
			dir, known := d.dirs.guess[parent(r.path)]
			if j, ok = places[dir+"/"+base(r.path)]; !known || !ok {
				continue
			}
		}
		if d.to[j].pair >= 0 || d.score(i, j, minNamed) < minNamed {
			continue
		}
		if len(r.unclear) > 0 {
			d.doubt(candidate{from: i, to: j})
		}
		if r.pair < 0 {
			d.join(i, j)
		}
	}
}

// score returns the similarity of a source and a destination, or 0 if it is less than least.
func (d *detection) score(i, j, least int) int {
	a, b := &d.from[i], &d.to[j]
	if !a.entry.file() || !b.entry.file() {
		return 0
	}
	for _, r := range []*renamed{a, b} {
		if r.print != nil {
			continue
		}
		data, ok := d.read(r.entry.ID, &d.left.renameBytes, TooManyRenames)
		r.print = &print{}
		if ok {
			*r.print = printOf(data)
			d.work.SpendEachByte(len(data))
			if d.left.renameBytes -= r.print.bytes(); d.left.renameBytes < 0 {
				d.refuse(TooManyRenames)
			}
		}
	}
	if d.spend(1); a.print.size == 0 || b.print.size == 0 || d.stop != nil {
		return 0
	}
	s, steps := score(*a.print, *b.print, least)
	d.spend(steps / stepsPerUnit)
	return s
}

// stepsPerUnit is how many steps of a comparison take as long as one unit of work.
const stepsPerUnit = 8

// maxCandidates is how many sources are considered for a destination, as in git.
const maxCandidates = 4

// candidate is a source that a destination may have.
type candidate struct {
	from, to, score int
	sameName        bool
}

// compare orders candidates, the best first.
func (c candidate) compare(o candidate) int {
	switch {
	case c.score != o.score:
		return o.score - c.score
	case c.sameName == o.sameName:
		return 0
	case c.sameName:
		return -1
	}
	return 1
}

// similar finds the most similar sources of the destinations that have none yet.
func (d *detection) similar() {
	var sources []int
	for i, r := range d.from {
		if r.pair < 0 && (r.content || r.location) {
			sources = append(sources, i)
		}
	}
	sources = d.dirs.needed(d.from, sources)
	var all []candidate
	for j := range d.to {
		if d.to[j].pair >= 0 {
			continue
		}
		var best [maxCandidates]candidate
		for _, i := range sources {
			c := candidate{i, j, d.score(i, j, minScore), base(d.from[i].path) == base(d.to[j].path)}
			if d.stop != nil {
				return
			}
			worst := 0
			for k := range best {
				if best[k].compare(best[worst]) > 0 {
					worst = k
				}
			}
			if c.score >= minScore && c.compare(best[worst]) < 0 {
				best[worst] = c
			}
		}
		d.to[j].print = nil // so that not all are in memory
		for _, c := range best {
			if c.score > 0 {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, candidate.compare)
	d.pair(all)
}

// pair takes the best candidates. Where one is as good as another, git's choice depends on the order in which it reads
// directories, and with it what becomes of worse candidates for the same files.
func (d *detection) pair(all []candidate) {
	for k, c := range all {
		if !d.open(c) {
			continue
		}
		unclear := d.to[c.to].contested || len(d.from[c.from].unclear) > 0
		for _, o := range all[k+1:] {
			if o.compare(c) != 0 {
				break
			}
			if d.spend(1); d.stop != nil {
				return
			}
			if (o.from == c.from || o.to == c.to) && d.open(o) {
				unclear = true
				d.doubt(o)
			}
		}
		if unclear {
			d.doubt(c)
		}
		if d.from[c.from].pair < 0 && d.to[c.to].pair < 0 {
			d.join(c.from, c.to)
		}
	}
}

// open reports whether neither file of a candidate has another one for certain.
func (d *detection) open(c candidate) bool {
	from, to := d.from[c.from], d.to[c.to]
	return (from.pair < 0 || len(from.unclear) > 0) && (to.pair < 0 || to.contested)
}

// doubt notes that the files of a candidate may be one, or not.
func (d *detection) doubt(c candidate) {
	d.to[c.to].contested = true
	if list := d.from[c.from].unclear; len(list) < maxAlternatives && !slices.Contains(list, c.to) {
		d.from[c.from].unclear = append(slices.Clone(list), c.to)
	}
}
