package tree

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine/text"
)

// Bounds of a path: what Linux and git support.
const (
	maxPathBytes = 4096
	maxNameBytes = 255
	// maxPathNames is far deeper than any project, and less than what git checks out (core.maxTreeDepth).
	maxPathNames = 256
)

// Clean cleans a relative path. If it must not be used, it returns why instead: why is empty if clean is safe to
// read and write inside a tree, on any system that may check it out. It does not know of links and submodules.
func Clean(name string) (clean, why string) {
	switch {
	case name == "":
		return "", "the path is empty"
	case len(name) > maxPathBytes:
		return "", fmt.Sprintf("the path is longer than %d bytes", maxPathBytes)
	case !utf8.ValidString(name):
		return "", "the path is not valid UTF-8"
	case name[0] == '/':
		return "", "the path is absolute"
	case strings.ContainsRune(name, '\\'):
		return "", "the path has a backslash"
	case strings.IndexFunc(name, isHiddenRune) >= 0:
		return "", "the path has a control character"
	case strings.HasSuffix(name, "/"):
		return "", "the path names a folder"
	}
	parts := make([]string, 0, strings.Count(name, "/")+1)
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." {
			continue
		}
		if why := unsafeName(part); why != "" {
			return "", why
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return "", "the path names a folder"
	}
	if len(parts) > maxPathNames {
		return "", fmt.Sprintf("the path is more than %d folders deep", maxPathNames)
	}
	clean = strings.Join(parts, "/")
	// These may be the first component only after cleaning.
	switch {
	case len(clean) > 1 && clean[1] == ':' && text.IsLetter(clean[0]):
		return "", "the path names a drive"
	case parts[0] == "~":
		return "", "the path leads to a home folder"
	}
	return clean, ""
}

// unsafeName says why a component of a path must not be used, or returns "" if it may.
func unsafeName(part string) string {
	switch {
	case len(part) > maxNameBytes:
		return fmt.Sprintf("a name in the path is longer than %d bytes", maxNameBytes)
	case part == "..":
		return "the path leads upwards with \"..\""
	case isDotGit(part):
		return "the path leads into git's own folder"
	case isWindowsDevice(part):
		return "the path has the name of a Windows device"
	}
	return ""
}

// isDotGit reports whether a file system could take a name for ".git": case is ignored, NTFS also knows it as "git~1"
// and drops trailing dots and spaces and anything after a colon, and HFS+ drops ignorable code points (see
// is_hfs_dotgit and is_ntfs_dotgit in git).
func isDotGit(part string) bool {
	part = strings.Map(func(r rune) rune {
		if isHFSIgnorable(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, part)
	if i := strings.IndexByte(part, ':'); i >= 0 {
		part = part[:i]
	}
	part = strings.TrimRight(part, ". ")
	return part == ".git" || part == "git~1"
}

// isHFSIgnorable reports whether HFS+ ignores r when it compares names, as listed in git.
func isHFSIgnorable(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff
}

// isHiddenRune reports whether r must not be in a name: a control character, a separator of lines or paragraphs, or
// one that changes the direction of the text around it. Other invisible characters may be, unlike in comments (see
// bot/markdown): repositories have names with joined emoji and soft hyphens, and their files can be edited.
func isHiddenRune(r rune) bool {
	return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// isWindowsDevice reports whether a name is reserved for a device on Windows, with any extension.
func isWindowsDevice(part string) bool {
	stem, _, _ := strings.Cut(part, ".")
	stem = strings.ToLower(strings.TrimRight(stem, " "))
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	port, ok := strings.CutPrefix(stem, "com")
	if !ok {
		port, ok = strings.CutPrefix(stem, "lpt")
	}
	return ok && strings.Contains(" 1 2 3 4 5 6 7 8 9 ¹ ² ³ ", " "+port+" ")
}
