package secret

import (
	"regexp"
	"strings"
)

// Hunk returns a part of a diff that others cut, as GitHub does, without the secrets in it. Where a line is one of the
// file, which is known if ok, it is as in the masked file. Of lines that are not, and may be of another version of it,
// nothing is shown if the file has secrets; else they are taken for what was cut from an unknown text.
func (f *Files) Hunk(hunk string, file []byte, ok bool) string {
	var q Quotes
	inFile := map[string]bool{}
	if ok {
		m, _, masked := f.Mask(file)
		if !masked {
			return ""
		}
		q.Know(m)
		for line := range strings.Lines(string(file)) {
			inFile[strings.TrimSpace(line)] = true
		}
	}
	lines := strings.Split(hunk, "\n")
	bodies, marks := make([]string, len(lines)), make([]string, len(lines))
	for i, line := range lines {
		marks[i], bodies[i] = hunkLine(line)
		if ok && len(q.lines) > 0 && !inFile[strings.TrimSpace(bodies[i])] && strings.TrimSpace(bodies[i]) != "" {
			bodies[i] = "[redacted: line of a file with secrets]"
		}
	}
	known := strings.Split(q.Text(strings.Join(bodies, "\n")), "\n")
	cut := strings.Split(Fragment(strings.Join(known, "\n")), "\n")
	for i := range lines {
		lines[i] = marks[i] + cut[i]
		if inFile[strings.TrimSpace(bodies[i])] {
			lines[i] = marks[i] + known[i]
		}
	}
	return strings.Join(lines, "\n")
}

// hunkHead matches the first line of a hunk up to the line of the file that git quotes in it, cut.
var hunkHead = regexp.MustCompile(`^@@ [^@]*@@ ?`)

// hunkLine returns the mark before a line of a diff, and the line.
func hunkLine(line string) (mark, body string) {
	if head := hunkHead.FindString(line); head != "" {
		return head, line[len(head):]
	}
	if line != "" && strings.IndexByte("+- ", line[0]) >= 0 {
		return line[:1], line[1:]
	}
	return "", line
}
