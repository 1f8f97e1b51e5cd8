package retrieve

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// outputReferences returns the places that tools name in what they printed, in its order, maxReferences at most: frames
// of stack traces, lines of compilers and of tests, and paths. It is read line by line, as it is: to Markdown, the
// indented lines of a log are code, and its backticks are not always in pairs.
func outputReferences(text string) []reference {
	o := output{finder: &finder{}}
	for line := range strings.Lines(text) {
		if len(o.found) >= maxReferences {
			break
		}
		o.line(strings.TrimRight(line, "\r\n"))
	}
	found := withoutPatterns(o.found[:min(len(o.found), maxReferences)])
	for i := range found {
		found[i].printed = true
		found[i].names = slices.DeleteFunc(found[i].names, isForeign)
		if found[i].reason == byName && found[i].lines != (Span{}) {
			found[i].reason = byCompiler // a path with a line is where something is wrong
		}
	}
	return slices.DeleteFunc(found, func(r reference) bool { return len(r.names) == 0 })
}

// output finds the references in what tools printed.
type output struct {
	*finder
	// head is the last path that was alone in its line, or at the head of a table: the lines behind it have numbers of
	// that file's.
	head string
	// tested is how many references were found when the last package of Go had been tested.
	tested int
}

// Lines of output that need others, or that name a place in a way of their own.
var (
	// alone matches a path that is all of a line, as ESLint and Stylelint write it, and the head of a table of PHPStan.
	alone = regexp.MustCompile(`^(?:\s{1,3}Line\s{2,})?((?:[A-Za-z]:[\\/])?[^\s:*?"<>|]+\.\w{1,8})$`)
	// below matches the lines of such a file: 12:5  error  message, or a number in the first column of a table.
	below = regexp.MustCompile(`^\s+:?(\d+)(?::\d+\s+(?:error|warning|✖|×)|\s{2,}\S)`)
	// besides matches a path with its lines as webpack writes them: ./src/a.ts 12:5-10.
	besides = regexp.MustCompile(`(\S+\.\w{1,8}) (\d+):\d+(?:-\d+(?::\d+)?)?$`)
	// onLine matches a place as PHP and shells write it: in /app/x.php on line 12, x.sh: line 12:
	onLine = regexp.MustCompile(`(\S+\.\w{1,8})(?: on line|: line) (\d+)\b`)
	// passes matches what names a file in which nothing is wrong.
	passes = regexp.MustCompile(`^\s*(?:PASS|✓|✔|√)\s`)
	// goTested matches the line behind what the tests of a package of Go printed: those name files without their folder.
	goTested = regexp.MustCompile(`^(?:FAIL|ok)\s+(\S+/\S+)\s`)
)

// schemes are what is before the path in the URL of a file; pytest separates a test from its file by two colons.
var schemes = strings.NewReplacer("##[error]", "", "file://", "", "webpack://", "", ".py::", ".py ")

// line reads one line of output.
func (o *output) line(line string) {
	o.since++
	line = line[:min(len(line), maxRefLine)]
	if r, ok := o.frame(line); ok {
		o.found = append(o.found, r)
		return
	}
	if passes.MatchString(line) {
		return
	}
	line = schemes.Replace(line)
	if r, _, ok := compilerLine(line); ok {
		o.found = append(o.found, r)
		return // what is behind is a message
	}
	if m := goTested.FindStringSubmatch(line); m != nil {
		o.inPackage(m[1])
		return
	}
	if m := alone.FindStringSubmatch(line); m != nil && looksLikePath(m[1]) {
		o.head = m[1]
	}
	if m := below.FindStringSubmatch(line); m != nil && o.head != "" {
		o.found = append(o.found, reference{reason: byCompiler, names: spellings(o.head), lines: spanOf(m[1], "")})
		return
	}
	for _, form := range []*regexp.Regexp{besides, onLine} {
		if m := form.FindStringSubmatch(line); m != nil && looksLikePath(m[1]) {
			o.found = append(o.found, reference{reason: byCompiler, names: spellings(m[1]), lines: spanOf(m[2], "")})
			return
		}
	}
	o.words(0, line, nil)
}

// inPackage says of the files that were named without a folder since the last package that they are in this one.
func (o *output) inPackage(name string) {
	for i := o.tested; i < len(o.found); i++ {
		r := &o.found[i]
		if len(r.names) > 0 && !strings.ContainsAny(r.names[0], `/\`) && path.Ext(r.names[0]) == ".go" {
			r.names = append([]string{name + "/" + r.names[0]}, r.names...)
		}
	}
	o.tested = len(o.found)
}
