package retrieve

import (
	"path"
	"regexp"
	"strings"
)

// frameForms are how languages write a frame of a stack trace. hint is in every line of the form, so that most lines
// cost no regular expression.
var frameForms = []struct {
	name, hint string
	pattern    *regexp.Regexp // file and line
	innerLast  bool           // the innermost frame comes last
}{
	{"python", `File "`, regexp.MustCompile(`^\s*File "([^"]+)", line (\d+)`), true},
	{"go", ".go:", regexp.MustCompile(`^\s+(\S.*\.go):(\d+)(?: \+0x[0-9a-f]+)?\s*$`), false},
	{"csharp", ":line ", regexp.MustCompile(`^\s*at .+ in (.+):line (\d+)\s*$`), false},
	{"c", "#", regexp.MustCompile(`^\s*#\d+\s+(?:0x[0-9a-f]+ in )?\S.*?\s(?:at )?(\S+\.\w+):(\d+)(?::\d+)?\s*$`), false},
	{"php", "#", regexp.MustCompile(`^\s*#\d+ (\S.*?\.php)\((\d+)\): `), false},
	{"rust", "panicked at ", regexp.MustCompile(`panicked at (?:'.*', )?(\S+\.rs):(\d+):\d+`), false},
	{"ruby", ":in ", regexp.MustCompile(
		"^\\s*(?:\\d+: |# )?(?:from )?(\\S.*\\.(?:rb|erb|rake|haml)):(\\d+):in [`'\"]"), false},
	{"javascript", "at ", regexp.MustCompile(
		`^\s*at (?:.*\()?((?:file://|webpack://|webpack-internal:///)?[^()]*?):(\d+):\d+\)?\s*$`), false},
	{"javascript", "@", regexp.MustCompile(`^\s*[^\s@]*@((?:https?|file)://\S+?):(\d+):\d+\s*$`), false},
}

// jvmFrame matches a frame of Java, Kotlin, Scala or Groovy: class and method, file, line. The package is the folder.
var jvmFrame = regexp.MustCompile(
	`^\s*at (?:[\w.@-]*/+)*([\w$.<>-]+)\(([\w$-]+\.(?:java|kt|kts|scala|groovy)):(\d+)\)`)

// stackFrame reads a line of a stack trace, and returns the form it has.
func stackFrame(line string) (form string, r reference, ok bool) {
	if strings.Contains(line, "at ") {
		if m := jvmFrame.FindStringSubmatch(line); m != nil {
			return "jvm", reference{reason: byFrame, names: []string{jvmPath(m[1], m[2]), m[2]}, lines: spanOf(m[3], "")}, true
		}
	}
	for _, f := range frameForms {
		if !strings.Contains(line, f.hint) {
			continue
		}
		m := f.pattern.FindStringSubmatch(line)
		if m == nil || m[1] == "" {
			continue
		}
		r = reference{reason: byFrame, names: framePath(m[1]), lines: spanOf(m[2], ""), innerLast: f.innerLast}
		return f.name, r, true
	}
	return "", r, false
}

// jvmPath returns where the file of a class is below a source folder: com/acme/App.java for com.acme.App$Inner.run.
func jvmPath(method, file string) string {
	parts := strings.Split(method, ".")
	if len(parts) < 3 {
		return file
	}
	return strings.Join(parts[:len(parts)-2], "/") + "/" + file
}

// framePath returns the readings of a path that a runtime printed, none for one outside of the repository.
func framePath(name string) []string {
	if isForeign(name) {
		return nil
	}
	if _, rest, ok := strings.Cut(name, "://"); ok {
		name, _, _ = strings.Cut(rest, "?")
	}
	return spellings(strings.TrimSpace(name))
}

// The line of a compiler: path:12:5: message, path(12,5): message, path:[12,5] message, --> path:12:5, path:12:5 -
// error.
var (
	compilerPath    = `((?:[A-Za-z]:[\\/])?[^\s:()\[\]"'<>|*` + "`" + `]+)`
	compilerMessage = regexp.MustCompile(`^\s*(?:\[?(?:error|warning|Error|ERROR|WARN|WARNING)\]?:?\s+)?(?:vet: )?` +
		compilerPath + `(?::(\d+)(?::\d+)?(?::\s|\s-\s(?:error|warning))|\((\d+)(?:,\d+)*\)\s?:|:\[(\d+),\d+\])`)
	compilerArrow = regexp.MustCompile(`^\s*(?:-->|╭─\[|at)\s*` + compilerPath + `:(\d+):\d+`)
)

// compilerLine reads a line in which a compiler, linter or test tool says where something is wrong, and returns where
// that ends: what follows may be somebody's own words.
func compilerLine(line string) (r reference, end int, ok bool) {
	if !strings.ContainsAny(line, ":(") {
		return r, 0, false
	}
	m := compilerMessage.FindStringSubmatch(line)
	if m == nil {
		m = compilerArrow.FindStringSubmatch(line)
	}
	if m == nil || !looksLikePath(m[1]) || path.Ext(m[1]) == "" {
		return r, 0, false
	}
	r = reference{reason: byCompiler, names: spellings(m[1]), lines: spanOf(strings.Join(m[2:], ""), "")}
	return r, len(m[0]), true
}
