package syntax

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// definition is the head of a function, method or type.
type definition struct {
	// scope and head tell definitions of one file apart: two with the same are one too many.
	scope, head string
	name        string
	line        int
}

// redefinitions finds definitions that after has twice in one scope and before had once: an edit inserted what was
// there. It compares whole heads, so that overloads are none. A new file has none.
func redefinitions(before, after splitFile) []Problem {
	list := definers[after.language]
	if list == nil || before.isNil {
		return nil
	}
	if after.isScript() && !repeatsHead(before, after) {
		return nil
	}
	edited, ok := list(after)
	twice := repeated(edited)
	if !ok || len(twice) == 0 {
		return nil
	}
	old, ok := list(before)
	if !ok {
		return nil
	}
	had := map[string]int{}
	for _, d := range old {
		had[d.head]++
	}
	var problems []Problem
	for _, r := range twice {
		if r.total > had[r.head] && len(problems) < maxForeign {
			problems = append(problems, Problem{Redefined, r.line,
				fmt.Sprintf("%s is defined twice, here and in line %d", r.name, r.first)})
		}
	}
	return problems
}

// isScript reports whether a file has a parser, so that its tokens are needed for its definitions alone.
func (f splitFile) isScript() bool {
	return f.language == "JavaScript" || f.language == "TypeScript" || f.language == "TSX"
}

// repeatsHead reports whether a line of after that could be the head of a definition, or its first line, is there
// twice, and more often than before. Blanks do not count. That takes a small part of the time that splitting the file
// does.
func repeatsHead(before, after splitFile) bool {
	after.work.SpendEachByte(2 * (len(before.text) + len(after.text)))
	had := headLinesOf(before.text)
	for line, n := range headLinesOf(after.text) {
		if n > 1 && n > had[line] {
			return true
		}
	}
	return false
}

// headLinesOf counts the lines of a script with which a definition may begin.
func headLinesOf(text []byte) map[string]int {
	times := map[string]int{}
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if !bytes.HasSuffix(line, []byte(";")) && (bytes.ContainsAny(line, "({") || bytes.Contains(line, []byte("class"))) {
			times[strings.Join(strings.Fields(string(line)), "")]++
		}
	}
	return times
}

// repetition is a definition that is not the first of its scope with its head.
type repetition struct {
	definition
	// first is the line of the first one; total counts the definitions of the file with its head, in all scopes.
	first, total int
}

func repeated(list []definition) []repetition {
	first, total := map[[2]string]int{}, map[string]int{}
	var twice []repetition
	for _, d := range list {
		total[d.head]++
		key := [2]string{d.scope, d.head}
		if line, ok := first[key]; ok {
			twice = append(twice, repetition{definition: d, first: line})
		} else {
			first[key] = d.line
		}
	}
	for i := range twice {
		twice[i].total = total[twice[i].head]
	}
	return twice
}

// definers list the definitions of a file by language. They report whether the whole file could be read.
var definers = map[lexer.Language]func(splitFile) ([]definition, bool){
	"C":               bracedDefinitions,
	"C#":              bracedDefinitions,
	"C++":             bracedDefinitions,
	"Elixir":          indentedDefinitions,
	"Go":              goDefinitions,
	"Java":            bracedDefinitions,
	"JavaScript":      bracedDefinitions,
	"Kotlin":          bracedDefinitions,
	"Lua":             indentedDefinitions,
	"PHP":             bracedDefinitions,
	"Perl":            bracedDefinitions,
	"Protocol Buffer": bracedDefinitions,
	"Python":          indentedDefinitions,
	"Ruby":            indentedDefinitions,
	"Rust":            bracedDefinitions,
	"Scala":           bracedDefinitions,
	"Swift":           bracedDefinitions,
	"TSX":             bracedDefinitions,
	"TypeScript":      bracedDefinitions,
}

// isDefinitionWord has the words of a head before the name of what it defines.
var definitionWords = strings.Fields("def class module function func fun fn sub struct enum interface trait record " +
	"object protocol type message service defp defmacro defmodule")

// nameOf returns the name that a head defines, for messages.
func nameOf(words []string) string {
	for i, w := range words[:max(0, len(words)-1)] {
		for _, d := range definitionWords {
			if w == d {
				return words[i+1]
			}
		}
	}
	for i, w := range words {
		if w == "(" && i > 0 {
			return words[i-1]
		}
	}
	return strings.Join(words[:min(len(words), 4)], " ")
}
