package patch

import (
	"slices"
	"strconv"
	"strings"
)

// noFile is the name that a diff has for a file that is not there.
const noFile = "/dev/null"

// header is what a diff says of a file before its hunks.
type header struct {
	from, to           string // the names as written, after --- and +++; empty without
	gitFrom, gitTo     string // those after diff --git
	renameFrom, rename string
	created, removed   bool
	// stated is set if lines of git say that the file is removed or renamed, so that no hunk is needed.
	stated bool
	// problem is why no hunk of the file can be read, such as for a binary file; minor is one that loses no content.
	problem, minor string
}

// startsUnified reports whether a diff of a file begins at the next line.
func (r *reader) startsUnified() bool {
	s := r.line(0)
	return strings.HasPrefix(s, "diff --git ") ||
		strings.HasPrefix(s, "--- ") && strings.HasPrefix(r.line(1), "+++ ") ||
		strings.HasPrefix(s, "Index: ") && strings.HasPrefix(r.line(1), "====")
}

// readUnifiedHeader reads the lines before the first hunk of a file.
func (r *reader) readUnifiedHeader() (h header) {
	first := r.n
	for r.more() && (r.n == first || !strings.HasPrefix(r.line(0), "diff --git ")) {
		s := r.line(0)
		if strings.HasPrefix(s, "--- ") && strings.HasPrefix(r.line(1), "+++ ") {
			h.from, h.to = fileName(s[4:]), fileName(r.line(1)[4:])
			r.n += 2
			break
		}
		if !h.readLine(s) {
			break
		}
		r.n++
	}
	h.created = h.created || h.from == noFile
	h.removed = h.removed || h.to == noFile
	return h
}

// readLine reads a line of the header as git writes it. It reports whether it is one.
func (h *header) readLine(s string) bool {
	word, rest, _ := strings.Cut(s, " ")
	switch word {
	case "diff":
		h.gitFrom, h.gitTo = gitNames(strings.TrimPrefix(rest, "--git "))
	case "index", "similarity", "dissimilarity", "Index:":
	case "old", "new", "deleted":
		if !strings.HasPrefix(rest, "mode ") && !strings.HasPrefix(rest, "file mode ") {
			return false
		}
		h.readMode(word, rest)
	case "rename":
		if name, ok := strings.CutPrefix(rest, "from "); ok {
			h.renameFrom = fileName(name)
		} else if name, ok := strings.CutPrefix(rest, "to "); ok {
			h.rename, h.stated = fileName(name), h.renameFrom != ""
		}
	case "copy":
		h.problem = "copies a file, which is not read"
	case "Binary", "GIT":
		h.problem = "changes a binary file, which is not read"
	default:
		return strings.HasPrefix(s, "=====")
	}
	return true
}

func (h *header) readMode(word, rest string) {
	_, mode, _ := strings.Cut(rest, "mode ")
	if word == "new" && !isRegular(mode) {
		h.problem = "makes " + kindOfMode(mode) + ", which is not done: only files are made"
	}
	switch {
	case word == "new" && strings.HasPrefix(rest, "file"):
		h.created = true
		if mode = strings.TrimSpace(mode); mode != "100644" && mode != "" {
			h.minor = "makes a file of mode " + mode + "; the file gets mode 100644"
		}
	case word == "deleted":
		h.removed, h.stated = true, true
	default:
		h.minor = "changes the mode of a file, which is not done"
	}
}

// These are the bits of git's modes that say what an entry of a tree is.
const (
	typeBits      = 0o170000
	typeRegular   = 0o100000
	typeLink      = 0o120000
	typeSubmodule = 0o160000
)

// typeOfMode returns the type bits of a mode as git writes it. What is no number, or has no type bits, is a regular
// file's: models write 644 or rw-r--r--, too.
func typeOfMode(mode string) uint64 {
	mode, _, _ = strings.Cut(strings.TrimSpace(mode), " ")
	n, err := strconv.ParseUint(mode, 8, 32)
	if err != nil || n&^0o7777 == 0 {
		return typeRegular
	}
	return n & typeBits
}

// isRegular reports whether a mode is that of a regular file, executable or not.
func isRegular(mode string) bool { return typeOfMode(mode) == typeRegular }

// kindOfMode names what has a mode that is not a regular file's.
func kindOfMode(mode string) string {
	switch typeOfMode(mode) {
	case typeLink:
		return "a symbolic link"
	case typeSubmodule:
		return "a submodule"
	}
	return "an entry of mode " + strings.TrimSpace(mode)
}

// names returns the readings of the path, the likeliest first.
func (h *header) names() (names []string) {
	from, to := h.from, h.to
	if from == "" && to == "" {
		from, to = h.gitFrom, h.gitTo
	}
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch stripped, ok := cutPrefixes(from, to); {
	case h.renameFrom != "":
		add(h.renameFrom)
		add(h.rename) // if the file is renamed already
	case ok:
		add(stripped)
	case from == to:
		add(to)
	case from == noFile || from == "":
		add(strings.TrimPrefix(to, "b/"))
		add(to)
	case to == noFile || to == "":
		add(strings.TrimPrefix(from, "a/"))
		add(from)
	default: // a file that is renamed, or one and its copy
		from, to = withoutPrefixes(from, to)
		if !isCopyOf(from, to) && !isCopyOf(to, from) {
			h.rename = to
		}
		add(from)
		add(to)
	}
	return names
}

// isCopyOf reports whether a name is that of a copy of a file, such as a.py.orig or a.py~.
func isCopyOf(name, file string) bool {
	rest, ok := strings.CutPrefix(name, file)
	return ok && (rest == "~" || strings.HasPrefix(rest, "."))
}

// withoutPrefixes returns two names without the prefixes a/ and b/, if both have them.
func withoutPrefixes(from, to string) (string, string) {
	if strings.HasPrefix(from, "a/") && strings.HasPrefix(to, "b/") {
		return from[2:], to[2:]
	}
	return from, to
}

// cutPrefixes returns the path without the prefixes a/ and b/ that git writes, or any other two of one letter, if both
// names are of one file.
func cutPrefixes(from, to string) (string, bool) {
	if len(from) > 2 && len(to) > 2 && from[1] == '/' && to[1] == '/' && from[0] != to[0] && from[2:] == to[2:] {
		return from[2:], true
	}
	return "", false
}

// fileName reads a name after --- or +++: without the time after a tab, and without quotes.
func fileName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	s = strings.TrimSpace(s)
	if len(s) > 1 && s[0] == '"' {
		if unquoted, err := strconv.Unquote(s); err == nil {
			return unquoted
		}
	}
	return strings.Trim(s, "`")
}

// gitNames reads the two names after diff --git, which are separated by a space, and may have some. Of one file they
// are the same but for their prefixes.
func gitNames(s string) (from, to string) {
	s = strings.TrimSpace(s)
	if mid := len(s) / 2; len(s)%2 == 1 && s[mid] == ' ' {
		if _, same := cutPrefixes(s[:mid], s[mid+1:]); same || s[:mid] == s[mid+1:] {
			return s[:mid], s[mid+1:]
		}
	}
	if i := strings.LastIndex(s, " b/"); i >= 0 {
		return fileName(s[:i]), fileName(s[i+1:])
	}
	from, to, _ = strings.Cut(s, " ")
	return fileName(from), fileName(to)
}
