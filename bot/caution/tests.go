package caution

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// declaration says how tests are declared in files of some endings: by a match of name, in the file of a test unless
// anywhere, and only behind a line that mark matches, if it is not nil. The groups of name are the name.
type declaration struct {
	endings    string
	mark, name *regexp.Regexp
	anywhere   bool
}

var declarations = []declaration{
	{".go", nil, regexp.MustCompile(`^func ((?:Test|Fuzz|Benchmark|Example)\w*)\(`), false},
	{".py", nil, regexp.MustCompile(`^\s*(?:async )?def (test\w*)\s*\(`), false},
	{".rs", regexp.MustCompile(`^\s*#\[(?:\w+::)*(?:test|rstest|test_case)\b`), regexp.MustCompile(`\bfn (\w+)`), true},
	{".java .kt .kts .scala", regexp.MustCompile(`@(?:\w*Test|TestFactory)\b`),
		regexp.MustCompile("(?:\\b(?:fun|def)\\s+(?:`([^`]+)`|(\\w+))|\\b[\\w<>\\[\\]]+\\s+(\\w+))\\s*\\("), false},
	{".scala", nil, regexp.MustCompile(`^\s*test\("([^"]*)"`), false},
	{".js .ts .jsx .tsx .mjs .cjs .mts .svelte .vue", nil, regexp.MustCompile(
		"\\b(?:it|test)(?:\\.\\w+)*\\s*\\(\\s*(?:'([^']*)'|\"([^\"]*)\"|`([^`]*)`)"), false},
	{".rb", nil, regexp.MustCompile(`^\s*(?:def (test_\w+)|(?:it|specify|test)[\s(]+(?:'([^']*)'|"([^"]*)"))`), false},
	{".exs", nil, regexp.MustCompile(`^\s*(?:test|property) "([^"]*)"`), false},
	{".php", nil, regexp.MustCompile(`\bfunction (test\w+)\s*\(`), false},
}

// maxBody bounds the lines of a test that are looked at, and maxMark those between its mark and its name.
const maxBody, maxMark = 200, 30

// testCase is a declared test: its name, and its lines from one to another, from 0.
type testCase struct {
	name     string
	from, to int
}

// testsIn returns the tests that lines of a file declare.
func (s *search) testsIn(f *file, lines []string) (out []testCase) {
	ending := path.Ext(f.name)
	for _, d := range declarations {
		if ending == "" || !strings.Contains(d.endings+" ", ending+" ") || !d.anywhere && !f.test {
			continue
		}
		marked := -maxMark - 1
		for i, line := range s.pass(f, lines) {
			if d.mark != nil && d.mark.MatchString(line) {
				marked = i
			}
			if d.mark != nil && i-marked > maxMark {
				continue
			}
			if m := d.name.FindStringSubmatch(line); m != nil && !isCommentLine(line) {
				if d.mark == nil || !strings.HasPrefix(strings.TrimSpace(line), "@") || i == marked {
					out = append(out, testCase{joined(m[1:]), i, 0})
					marked = -maxMark - 1
				}
			}
		}
	}
	for i := range out {
		out[i].to = len(lines)
		if i+1 < len(out) && out[i+1].from > out[i].from {
			out[i].to = out[i+1].from
		}
		out[i].to = min(out[i].to, out[i].from+maxBody)
	}
	return out
}

// testsNow returns the tests that the new text of a file declares, in order.
func (f *file) testsNow(s *search) []testCase {
	if f.tests == nil {
		f.tests = append([]testCase{}, s.testsIn(f, f.after)...)
		slices.SortStableFunc(f.tests, func(a, b testCase) int { return a.from - b.from })
	}
	return f.tests
}

// tests reports tests that are gone: the changed files have fewer of the name than before, and most lines of it are in
// none.
func (s *search) tests() {
	more := map[string]int{}
	had := make([][]testCase, len(s.files))
	for n, f := range s.files {
		had[n] = s.testsIn(f, f.before)
		for _, t := range had[n] {
			more[t.name]--
		}
		for _, t := range f.testsNow(s) {
			more[t.name]++
		}
	}
	missing := func(t testCase) bool { return more[t.name] < 0 }
	for n, f := range s.files {
		if f.deleted() && f.test && f.isSource() && f.isGone(0, len(f.before)) &&
			(len(had[n]) == 0 && hasTestName(f.Path) || slices.ContainsFunc(had[n], missing)) {
			s.add(DeletedTest, f, 0, "")
			continue
		}
		for _, t := range had[n] {
			if missing(t) && f.isGone(t.from, t.to) {
				more[t.name]++
				s.add(DeletedTest, f, 0, t.name)
			}
		}
	}
}

// isGone reports whether most lines of the text before are gone, from one place to another, of those that have letters.
func (f *file) isGone(from, to int) bool {
	all, lost := 0, 0
	for i := from; i < to; i++ {
		if len(strings.TrimSpace(f.before[i])) < 4 {
			continue
		}
		all++
		if _, gone := slices.BinarySearch(f.removed, i); gone {
			lost++
		}
	}
	return 2*lost > all
}

// skipping matches what keeps a test from being run.
var skipping = anyOf("", "",
	form{"skip", `\bt\.Skip(?:f|Now)?\(|\.skipTest\(|\bmarkTestSkipped\(|@(?:module)?tag :?skip`},
	form{"skip", `\b(?:pytest|unittest)\.(?:mark\.)?(?:skip|skipif|skipIf|skipUnless)\b`},
	form{"xfail", `\bpytest\.(?:mark\.)?xfail\b`}, form{".skip", `\b(?:it|test|describe|context|suite)\.skip\b`},
	form{"xit", `\bxit\s*[( ]`}, form{"xdescribe", `\bxdescribe\s*[( ]`}, form{"@ignore", `@Ignore\b`},
	form{"@disabled", `@Disabled\w*`}, form{"#[ignore", `#\[ignore\b`},
	form{"skip", `^\s*skip: true\b|^\s*skip\b(?: ['"]|$)`})

// focusing matches what keeps all other tests from being run.
var focusing = anyOf("", "", form{".only", `\b(?:it|test|describe|context|suite)\.only\b`})

// skips reports tests that are no longer run: those that were there and are skipped now, and all others, if some keep
// them from being run. A new test may be skipped.
func (s *search) skips() {
	in := func(f *file) bool { return f.test || path.Ext(f.name) == ".rs" }
	code := func(v view) string { return v.code }
	s.directives(directive{kind: DeletedTest, matches: focusing, in: in, where: code})
	known := map[string]bool{}
	for _, f := range s.files {
		if in(f) {
			for _, t := range s.testsIn(f, f.before) {
				known[t.name] = true
			}
		}
	}
	s.directives(directive{kind: DeletedTest, matches: skipping, in: in, where: code, unless: func(f *file, i int) bool {
		tests := f.testsNow(s)
		n, inside := slices.BinarySearchFunc(tests, i, func(t testCase, i int) int { return t.from - i })
		if n < len(tests) && tests[n].from-i < decorators && isDecorator(f.after[i]) {
			inside = true
		} else if n > 0 && !inside {
			n, inside = n-1, i < tests[n-1].to
		}
		return inside && !known[tests[n].name]
	}})
}

// decorators is how many lines above the name of a test may skip it.
const decorators = 8

// isDecorator reports whether a line is about what is declared below it.
func isDecorator(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "@") || strings.HasPrefix(line, "#[") || strings.HasPrefix(line, "[")
}
