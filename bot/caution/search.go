package caution

import (
	"bytes"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/generated"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax/lexer"
)

// search is one call of Find.
type search struct {
	work  *meter.Work
	files []*file
	found map[Kind][]Caution
}

// file is a file of the search.
type file struct {
	File
	name     string // without folders, in lower case
	language lexer.Language
	// test and prose report whether it is a test or text for people.
	test, prose bool
	// skipped reports that its texts were not read, because they or all together are too long; unread that a rule did
	// not come to its end.
	skipped, unread bool
	before, after   []string
	// added are the lines of after that no changed file had, removed those of before that none has: by their places, from
	// 0.
	added, removed []int
	// tests are the tests of after; nil until they are needed.
	tests  []testCase
	views  []view
	viewed bool
}

func newSearch(w *meter.Work, files []File) *search {
	s := &search{work: w, found: map[Kind][]Caution{}}
	for _, in := range files {
		name := strings.ToLower(path.Base(in.Path))
		s.files = append(s.files, &file{File: in, name: name, prose: isProse(name), test: isTest(in.Path)})
	}
	room := maxRead
	bySize := slices.SortedStableFunc(slices.Values(s.files), func(a, b *file) int { return a.size() - b.size() })
	for _, f := range bySize { // so that large files hide no small one
		switch size := f.size(); {
		case isBinary(f.Before) || isBinary(f.After):
		case size > room || !w.Affords(size):
			f.skipped = true
		default:
			room -= size
			w.SpendEachByte(size)
			some := f.After
			if f.deleted() {
				some = f.Before
			}
			f.language = lexer.Detect(f.Path, some)
			f.before, f.after = lines(f.Before), lines(f.After)
		}
	}
	s.match()
	return s
}

func lines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// isBinary reports whether a file is no text. A file with one odd byte is text.
func isBinary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 }

// match finds out which lines are new and which are gone: by a diff of each file, but lines that are in another place
// of any changed file, apart from the blanks around them, are neither. So neither moving nor indenting a line makes it
// new.
func (s *search) match() {
	left := map[string]int{} // the lines that are gone from their place
	for _, f := range s.files {
		for _, h := range text.Diff(s.work, f.before, f.after) {
			for i := h.From; i < h.To; i++ {
				if !text.IsBlank(f.before[i]) {
					left[strings.TrimSpace(f.before[i])]++
					f.removed = append(f.removed, i)
				}
			}
			for i := h.NewFrom; i < h.NewTo; i++ {
				if !text.IsBlank(f.after[i]) {
					f.added = append(f.added, i)
				}
			}
		}
	}
	moved := map[string]int{}
	for _, f := range s.files {
		f.added = slices.DeleteFunc(f.added, func(i int) bool { return take(left, moved, f.after[i]) })
	}
	for _, f := range s.files {
		f.removed = slices.DeleteFunc(f.removed, func(i int) bool { return take(moved, nil, f.before[i]) })
	}
}

// maxLine bounds how much of a line is compared with expressions, in bytes. Longer lines of code are not examined to
// their end.
const maxLine = 4000

func clipLine(line string) string { return line[:min(len(line), maxLine)] }

// affords spends what it takes to compare a line with expressions. If the work is used up, the file is not examined to
// its end.
func (s *search) affords(f *file, line string) bool {
	s.work.Spend(len(line) + 1)
	f.unread = f.unread || s.work.UsedUp()
	return !f.unread
}

// fresh are the new lines of a file, by their places from 0, and gone the lines that are gone, each as far as it is
// compared with expressions.
func (s *search) fresh(f *file) iter.Seq2[int, string] { return s.some(f, f.after, f.added) }
func (s *search) gone(f *file) iter.Seq2[int, string]  { return s.some(f, f.before, f.removed) }

func (s *search) some(f *file, of []string, at []int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for _, i := range at {
			if line := clipLine(of[i]); !s.affords(f, line) || !yield(i, line) {
				return
			}
		}
	}
}

// pass are all lines of a text of a file, in the same way.
func (s *search) pass(f *file, of []string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, line := range of {
			if line = clipLine(line); !s.affords(f, line) || !yield(i, line) {
				return
			}
		}
	}
}

// take takes a line from those of a count, and gives it to another one.
func take(from, to map[string]int, line string) bool {
	line = strings.TrimSpace(line)
	if from[line] == 0 {
		return false
	}
	from[line]--
	if to != nil {
		to[line]++
	}
	return true
}

// isLock reports whether a tool writes the file from others.
func (f *file) isLock() bool {
	_, lock := generated.Command(f.Path)
	return lock
}

// size is the length of both texts, in bytes.
func (f *file) size() int { return len(f.Before) + len(f.After) }

// deleted reports whether the commit deletes the file.
func (f *file) deleted() bool { return f.After == nil }

// proseEndings are endings of text for people.
var proseEndings = []string{".md", ".markdown", ".mdx", ".rst", ".adoc", ".txt", ".tex", ".sty", ".po", ".pot", ".svg"}

// isProse reports whether the name of a file, in lower case, is that of text for people.
func isProse(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return slices.Contains(proseEndings, path.Ext(name)) && !isRequirements(name) && name != "cmakelists.txt" ||
		slices.Contains([]string{"license", "licence", "notice", "copying", "authors", "changelog", "changes"}, stem)
}

// testFolders are folders of tests, in lower case.
var testFolders = []string{"test", "tests", "__tests__", "spec", "specs", "testing", "testdata", "test-data",
	"fixtures"}

// testEndings are endings of the names of tests, without their extension.
var testEndings = []string{"_test", "_tests", ".test", ".spec", "_spec", "-test", "-spec"}

// isTest reports whether a file is one of tests.
func isTest(name string) bool {
	folders := strings.Split(strings.ToLower(path.Dir(name)), "/")
	return slices.ContainsFunc(folders, func(f string) bool { return slices.Contains(testFolders, f) }) ||
		hasTestName(name)
}

// hasTestName reports whether a file is one of tests by its own name, without its folders.
func hasTestName(name string) bool {
	base := path.Base(name)
	stem := strings.TrimSuffix(base, path.Ext(base))
	return slices.ContainsFunc(testEndings, func(e string) bool { return strings.HasSuffix(strings.ToLower(stem), e) }) ||
		strings.HasPrefix(stem, "test_") ||
		slices.ContainsFunc([]string{"Test", "Tests", "TestCase", "IT", "Spec", "Suite"},
			func(e string) bool { return strings.HasSuffix(stem, e) && stem != e })
}
