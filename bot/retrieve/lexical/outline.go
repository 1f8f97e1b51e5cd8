package lexical

import (
	"bytes"
	"path"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Definition is a line of a file that defines a name.
type Definition struct {
	Name string
	// Line counts from 1. Text is the line, cut to 160 bytes.
	Line int
	Text string
}

// Bounds on outlines.
const (
	maxDefinitions     = 2000 // in one file
	maxDefinitionBytes = 160  // in one line of an outline
	// maxDefinitionLine is the length in bytes of the longest line that can define something. For lines twice as long,
	// package regexp changes to an algorithm that takes three times as long for each byte.
	maxDefinitionLine = 300
	// Of a file, 8 KiB and a quarter of its size are matched with a regular expression, which takes a hundred times as
	// long as the quick look at a line. Of source, seldom more than a tenth is.
	minMatched   = 8 << 10
	matchedShare = 4
)

// Outline returns what a file defines, in its order, at most 2,000 names; nil for languages that are not known. The
// file's name gives the language.
func Outline(name string, data []byte) (out []Definition) {
	ext := path.Ext(name)
	add := func(name, line []byte, number int) {
		line = line[:min(len(line), maxDefinitionLine)] // before it is copied: one line may define many names
		text := markdown.ClipBytes(string(bytes.TrimRight(line, " \t\r\n{")), maxDefinitionBytes)
		out = append(out, Definition{string(name), number, text})
	}
	if ext != ".go" {
		eachDefinition(ext, data, nil, add)
		return out
	}
	var line []byte
	rest, at := data, 0
	eachGoName(data, func(name []byte, number int) {
		for ; at < number; at++ {
			line, rest = nextLine(rest)
		}
		add(name, line, number)
	})
	return out
}

// eachDefined calls yield with the names of an outline and their lines. It takes less time than the outline does. It
// takes from left, unless nil, as many bytes as regular expressions read.
func eachDefined(ext string, data []byte, left *int, yield func(name []byte, line int)) {
	if ext == ".go" {
		eachGoName(data, yield)
		return
	}
	eachDefinition(ext, data, left, func(name, _ []byte, number int) { yield(name, number) })
}

// eachDefinition calls yield with the first 2,000 names that a file defines, the line of each, and the line's number.
// It knows the languages of the table, by their extension. It ends where too much of the file could define something,
// and when nothing is left of the bytes of several files, unless that is nil.
func eachDefinition(ext string, data []byte, budget *int, yield func(name, line []byte, number int)) {
	l := languages[ext]
	if l == nil {
		return
	}
	room := minMatched + len(data)/matchedShare
	for number, left := 1, maxDefinitions; len(data) > 0 && left > 0; number++ {
		var line []byte
		line, data = nextLine(data)
		if len(line) > maxDefinitionLine || !l.mayDefine(line) {
			continue
		}
		if room -= len(line); room < 0 {
			return
		}
		if budget != nil {
			if *budget -= len(line); *budget < 0 {
				return
			}
		}
		if name := l.matched(line); name != nil {
			yield(name, line, number)
			left--
		}
	}
}

// nextLine returns the first line of data, with its line feed, and the rest.
func nextLine(data []byte) (line, rest []byte) {
	i := bytes.IndexByte(data, '\n') + 1
	if i == 0 {
		i = len(data)
	}
	return data[:i], data[i:]
}

// HasOutline reports whether a file is in a programming language whose definitions are known.
func HasOutline(name string) bool {
	ext := path.Ext(name)
	return hasDefinitions(ext) && ext != ".md" && ext != ".rst" && ext != ".adoc"
}

// hasDefinitions reports whether the definitions of files with an extension are known.
func hasDefinitions(ext string) bool { return ext == ".go" || languages[ext] != nil }
