package text

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// sniffBytes is how much of a file decides whether it is binary, as in git.
const sniffBytes = 8 << 10

// lfsVersions begin the pointers of Git LFS: the line of its specification, and those of its earlier versions, which
// git-lfs still reads.
var lfsVersions = []string{
	"version https://git-lfs.github.com/spec/v1", "version https://hawser.github.com/spec/v1",
	"version http://git-media.io/v/2",
}

// maxLFSPointer is the length of the longest pointer, in bytes, according to the specification.
const maxLFSPointer = 1023

// IsLFSPointer reports whether data is what a repository has in place of a file that is stored in Git LFS, or the
// beginning of that. As for git-lfs, lines of extensions may be above the version, and blank space around all of it.
func IsLFSPointer(data []byte) bool {
	if data = bytes.TrimSpace(data[:min(len(data), maxLFSPointer+1)]); len(data) > maxLFSPointer {
		return false
	}
	for line := range bytes.Lines(data) {
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 && !bytes.HasPrefix(line, []byte("ext-")) {
			return slices.Contains(lfsVersions, string(line))
		}
	}
	return false
}

// WhyBinary says in a clause why data is not text that can be edited, or returns "" if it is.
func WhyBinary(data []byte) string {
	head := data[:min(len(data), sniffBytes)]
	switch {
	case IsLFSPointer(data):
		return "it is stored in Git LFS, and only a pointer is here"
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "it is UTF-16, and only UTF-8 can be edited"
	case bytes.IndexByte(head, 0) >= 0:
		return "it has a NUL byte"
	case bytes.ContainsFunc(head, isBinaryRune) && !utf8.Valid(data):
		return "it is not text in a known encoding"
	}
	return ""
}

// isBinaryRune reports whether r is a control character that text does not have.
func isBinaryRune(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b\b", r)
}
