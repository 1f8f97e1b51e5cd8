package conflicts

import "fmt"

// LeftOut is why a merge is not measured.
type LeftOut string

// The reasons.
const (
	// Octopus: it has more than two parents.
	Octopus LeftOut = "more than two parents"
	// Repeated: a newer merge has the same parents.
	Repeated LeftOut = "the same parents again"
	// Unrelated: its parents have no common ancestor.
	Unrelated LeftOut = "unrelated parents"
	// NotMerged: git failed, for example because the repository lacks an object.
	NotMerged LeftOut = "git failed"
)

// Figures count what was measured.
type Figures struct {
	Merges  int
	LeftOut map[LeftOut]int
	// Several counts the merges whose parents have several merge bases; in these, files that git merged cleanly are not
	// compared.
	Several int
	// InConflict counts the merges that git cannot make.
	InConflict int
	Files      map[Kind]int
	// Compared counts the files whose text was compared with git's, Other those that are not as git has them.
	Compared, Other int
	// Outside counts bytes; OnlyGit and OnlyHere files.
	Outside, OnlyGit, OnlyHere int
	// Hunks counts conflicts in texts, by the kind of the file.
	Hunks map[Kind]int
	// Gone and NotLocated count those whose place is not in the person's file, because the file is gone or otherwise.
	Gone, NotLocated int
	// Unsettled counts those in whose place the person left conflict markers.
	Unsettled int
	// Classes counts the others.
	Classes map[Class]int
	// NotExact counts those of them that no choice settles byte for byte.
	NotExact int
	Replies  map[Reply]int
}

func newFigures() Figures {
	return Figures{
		LeftOut: map[LeftOut]int{}, Files: map[Kind]int{}, Hunks: map[Kind]int{}, Classes: map[Class]int{},
		Replies: map[Reply]int{},
	}
}

func (f *Figures) add(m measured) {
	if m.leftOut != "" {
		f.LeftOut[m.leftOut]++
		return
	}
	f.Merges++
	if m.several {
		f.Several++
	}
	inConflict := 0
	for _, file := range m.files {
		f.Files[file.Kind]++
		if !file.clean {
			inConflict = 1
		}
		f.Compared += count(file.compared)
		f.Outside += file.Outside
		f.Other += count(file.Outside > 0)
		f.OnlyGit += count(file.OnlyGit)
		f.OnlyHere += count(file.OnlyHere)
		for _, c := range file.Conflicts {
			f.addConflict(file, c)
		}
	}
	f.InConflict += inConflict
}

func (f *Figures) addConflict(file File, c Conflict) {
	f.Hunks[file.Kind]++
	switch {
	case file.Gone:
		f.Gone++
	case !c.Located:
		f.NotLocated++
	case c.Unsettled:
		f.Unsettled++
	default:
		f.Classes[c.Class]++
		f.NotExact += count(!c.Exact)
	}
	if c.Reply != "" {
		f.Replies[c.Reply]++
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// merge adds other figures.
func (f *Figures) merge(other Figures) {
	f.Merges += other.Merges
	f.Several += other.Several
	f.InConflict += other.InConflict
	f.Compared += other.Compared
	f.Other += other.Other
	f.Outside += other.Outside
	f.OnlyGit += other.OnlyGit
	f.OnlyHere += other.OnlyHere
	f.Gone += other.Gone
	f.NotLocated += other.NotLocated
	f.Unsettled += other.Unsettled
	f.NotExact += other.NotExact
	addCounts(f.LeftOut, other.LeftOut)
	addCounts(f.Files, other.Files)
	addCounts(f.Hunks, other.Hunks)
	addCounts(f.Classes, other.Classes)
	addCounts(f.Replies, other.Replies)
}

func addCounts[K comparable](to, from map[K]int) {
	for key, n := range from {
		to[key] += n
	}
}

func total[K comparable](counts map[K]int) int {
	n := 0
	for _, some := range counts {
		n += some
	}
	return n
}

// Settled returns how many conflicts it is known of how the person settled them.
func (f Figures) Settled() int { return total(f.Classes) }

// choices returns the percentage of settled conflicts that are so without a new line.
func (f Figures) choices() float64 { return percent(f.Settled()-f.Classes[New], f.Settled()) }

// String returns the figures in one line. No rule settles a conflict without a model, so none is wrong.
func (f Figures) String() string {
	return fmt.Sprintf("merges=%d hunks=%d outside=%d choices=%.1f settled=%.1f wrong=%d", f.Merges, total(f.Hunks),
		f.Outside, f.choices(), 0.0, 0)
}

// percent returns 100 times a share; 0 of nothing.
func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
