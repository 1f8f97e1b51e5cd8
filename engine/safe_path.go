package engine

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a path: what Linux and git's own tooling can hold.
const (
	maxPathBytes = 4096
	maxNameBytes = 255
	// maxPathNames is far deeper than any project is, and within what git checks out (core.maxTreeDepth).
	maxPathNames = 256
)

// safePath cleans a relative path and says why it must not be touched, if it must not: why is empty exactly when clean is
// safe to read and write inside any tree, on any system that may check it out. It looks at the name alone; links and
// submodules on the way are the Tree's to tell.
func safePath(name string) (clean, why string) {
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
		return "", "the path holds a backslash"
	case strings.IndexFunc(name, isHiddenRune) >= 0:
		return "", "the path holds a control character"
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
	// What comes to stand first by the cleaning counts too.
	switch {
	case len(clean) > 1 && clean[1] == ':' && isLetter(clean[0]):
		return "", "the path names a drive"
	case parts[0] == "~":
		return "", "the path leads to a home folder"
	}
	return clean, ""
}

// unsafeName says why one component of a path is refused, or nothing.
func unsafeName(part string) string {
	switch {
	case len(part) > maxNameBytes:
		return fmt.Sprintf("a name in the path is longer than %d bytes", maxNameBytes)
	case part == "..":
		return "the path leads upwards with \"..\""
	case isDotGit(part):
		return "the path leads into git's own folder"
	case isWindowsDevice(part):
		return "the path holds the name of a Windows device"
	}
	return ""
}

// isDotGit reports a name that some file system takes for ".git": case is ignored, NTFS knows it as "git~1" and drops
// trailing dots, blanks and whatever follows a colon, HFS+ drops ignorable code points (git's is_hfs_dotgit, is_ntfs_dotgit).
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

// isIgnorable holds for the code points that HFS+ leaves out when it compares names, as git lists them.
func isHFSIgnorable(r rune) bool {
	return r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff
}

// isHiddenRune holds for characters that cannot be seen in a name, or that turn the text around them.
func isHiddenRune(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r == 0x2029
}

// isDevice reports the names that Windows keeps for devices, with any extension.
func isWindowsDevice(part string) bool {
	stem, _, _ := strings.Cut(part, ".")
	stem = strings.ToLower(strings.TrimRight(stem, " "))
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	if len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") {
		return stem[3] >= '1' && stem[3] <= '9'
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
