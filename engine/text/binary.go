package text

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// sniffBytes is how much of a file decides whether it is binary, as in git.
const sniffBytes = 8 << 10

// lfsPrefix begins the pointers of Git LFS. According to its specification, they have less than 1,024 bytes.
var lfsPrefix = []byte("version https://git-lfs.github.com/spec/v1\n")

const maxLFSPointer = 1023

// IsLFSPointer reports whether data is what a repository has in place of a file that is stored in Git LFS.
func IsLFSPointer(data []byte) bool {
	return len(data) <= maxLFSPointer && bytes.HasPrefix(data, lfsPrefix)
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
