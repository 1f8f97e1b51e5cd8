// Package caution finds in the files of a commit what is legal and deserves a look before it is merged: files that run
// by themselves, new dependencies, deleted tests, lowered checks, new hosts and obfuscated text. It is pure.
//
// Each kind is a rule about what the commit adds or takes away. What was in the changed files before, at whatever
// place, is not reported. The texts are of unknown origin: the work is linear in their length and bounded, and what is
// beyond the bounds is reported as such.
package caution

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/meter"
)

// File is a file that a commit changes.
type File struct {
	Path string
	// Before and After are its texts; nil where it does not exist.
	Before, After []byte
	// Executable reports whether it is executable after the commit, WasExecutable whether it was.
	Executable, WasExecutable bool
}

// Kind is what a caution is about. Its values are recorded.
type Kind string

// The kinds.
const (
	// Obfuscated is text that hides from a reader what it does.
	Obfuscated Kind = "obfuscated"
	// Runs is a file that builds, tests, CI or tools run.
	Runs Kind = "runs"
	// Executable is a file that becomes executable.
	Executable Kind = "executable"
	// Obeyed is a file that programs obey without being asked; What says how, as a clause.
	Obeyed Kind = "obeyed"
	// Instructions is a file that tells AI tools what to do.
	Instructions Kind = "instructions"
	// LoweredCheck is a check that is turned off or lowered; What is the text that does so.
	LoweredCheck Kind = "check"
	// DeletedTest is a test that is gone or no longer runs; What is its name, or the text that skips it.
	DeletedTest Kind = "test"
	// Dependency is a package that was not named before; What is its name.
	Dependency Kind = "dependency"
	// Source is another place that packages come from; What is the package or the place.
	Source Kind = "source"
	// Host is a host that no changed file named before; What is its name.
	Host Kind = "host"
	// Unexamined is a file that was not examined, because that is too much work.
	Unexamined Kind = "unexamined"
)

// Kinds returns all kinds, what matters most first.
func Kinds() []Kind {
	return []Kind{Obfuscated, Runs, Executable, Obeyed, Instructions, LoweredCheck, DeletedTest, Source, Dependency, Host,
		Unexamined}
}

// Caution is one thing that deserves a look.
type Caution struct {
	Kind Kind
	Path string
	// Line is the line in the new text, from 1; 0 if there is none.
	Line int
	// What is a name or a piece of text, of at most 60 bytes, that may be anybody's; empty for the file as a whole.
	What string
	// More is how many further cautions of the kind are left out; only the last one of its kind has any.
	More int
}

// Work is how much work Find is worth, in units of package meter.
const Work = 50_000_000

const (
	// maxRead bounds what is read of all files together, in bytes.
	maxRead = 8 << 20
	// maxOfKind bounds the cautions of one kind, so that many of one kind hide no other.
	maxOfKind = 20
	// maxWhat bounds a name, in bytes.
	maxWhat = 60
)

// rules are the rules, each of which adds what it finds.
var rules = []struct {
	name string
	find func(s *search)
}{
	{"runs", (*search).runs}, {"scripts", (*search).scripts}, {"obeyed", (*search).obeyed},
	{"dependencies", (*search).dependencies}, {"tests", (*search).tests}, {"skips", (*search).skips},
	{"suppressions", (*search).suppressions}, {"verification", (*search).verification},
	{"steps", (*search).steps}, {"settings", (*search).settings}, {"thresholds", (*search).thresholds},
	{"exceptions", (*search).exceptions},
	{"hosts", (*search).hosts}, {"decoded", (*search).decoded}, {"escapes", (*search).escapes},
	{"long lines", (*search).longLines},
}

// Rules returns the names of the rules, for measurements.
func Rules() (names []string) {
	for _, r := range rules {
		names = append(names, r.name)
	}
	return names
}

// Find returns the cautions of a commit that changes files: sorted by kind, as Kinds has them, and within a kind in the
// order of the files. w may end the search; what was not examined by then is reported as Unexamined.
func Find(w *meter.Work, files []File) []Caution { return Ablated(w, files, "") }

// Ablated is Find without the rule of a name, for measurements.
func Ablated(w *meter.Work, files []File, without string) []Caution {
	s := newSearch(w, files)
	for _, r := range rules {
		if r.name != without {
			r.find(s)
		}
	}
	return s.bounded()
}

// add adds a caution, unless there is the same one in the same file.
func (s *search) add(kind Kind, f *file, line int, what string) {
	c := Caution{Kind: kind, Path: f.Path, Line: line, What: clipLine(what)}
	same := func(o Caution) bool { return o.Kind == c.Kind && o.Path == c.Path && o.What == c.What }
	if of := s.found[kind]; slices.ContainsFunc(of[:min(len(of), maxOfKind)], same) {
		return
	}
	if len(s.found[kind]) < maxOfKind {
		s.found[kind] = append(s.found[kind], c)
	} else {
		s.found[kind][maxOfKind-1].More++
	}
}

func (s *search) bounded() (out []Caution) {
	for _, f := range s.files {
		if f.skipped || f.unread || f.hasEndlessLine() {
			s.add(Unexamined, f, 0, "")
		}
	}
	for _, k := range Kinds() {
		for _, c := range s.found[k] {
			c.What = clip(secret.Redacted(c.What)) // in this order: no rule knows a secret by a part of it
			out = append(out, c)
		}
	}
	return out
}

// clip cuts a name to what is kept of it.
func clip(what string) string {
	if len(what) <= maxWhat {
		return what
	}
	cut := maxWhat - len("…")
	for cut > 0 && what[cut]&0xc0 == 0x80 {
		cut--
	}
	return what[:cut] + "…"
}
