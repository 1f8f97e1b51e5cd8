package syntax

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// instructions are those of https://docs.docker.com/reference/dockerfile, and what is checked of their arguments.
var instructions = map[string]func(src source, i instruction) verdict{
	"ADD": checkArguments, "ARG": checkWords, "CMD": checkArguments, "COPY": checkArguments,
	"ENTRYPOINT": checkArguments, "ENV": checkWords, "EXPOSE": checkWords, "FROM": checkWords,
	"HEALTHCHECK": nil, "LABEL": checkWords, "MAINTAINER": nil, "ONBUILD": nil, "RUN": checkRun,
	"SHELL": checkArguments, "STOPSIGNAL": nil, "USER": nil, "VOLUME": checkArguments, "WORKDIR": checkWords,
}

// An instruction is one of a Dockerfile. Its arguments have a line for each line that they take in the file, with
// comments blanked, and start at an offset in the line of its name.
type instruction struct {
	name      string
	line      int
	arguments string
	// otherShell reports whether commands may be for another shell than sh.
	otherShell bool
}

// escapeDirective matches the directive that makes another character than the backslash continue a line.
var escapeDirective = regexp.MustCompile("(?i)^#\\s*escape\\s*=\\s*`")

// windowsImage matches the images of Windows, whose shell is another one.
var windowsImage = regexp.MustCompile(`(?i)windows|nanoserver`)

// parseDockerfile checks the names of instructions, here-documents, arrays, quotes, and the commands of RUN.
func parseDockerfile(src source) verdict {
	lines := strings.Split(string(src.text), "\n")
	escape := "\\"
	for _, line := range lines {
		if !strings.HasPrefix(line, "#") {
			break
		}
		if escapeDirective.MatchString(line) {
			escape = "`"
		}
	}
	otherShell := escape == "`"
	odd := verdict{outcome: valid}
	for n := 0; n < len(lines); {
		if blankOrComment(lines[n]) {
			n++
			continue
		}
		i, next := readInstruction(lines, n, escape)
		otherShell = otherShell || i.name == "SHELL" || i.name == "FROM" && windowsImage.MatchString(i.arguments)
		i.otherShell = otherShell
		check, known := instructions[i.name]
		if !known {
			return brokenAt(i.line, "unknown instruction "+i.name)
		}
		next, ok := skipHereDocuments(lines, next, i)
		if !ok {
			return brokenAt(i.line, "here-document without end")
		}
		if check != nil {
			switch v := check(src, i); {
			case v.outcome == broken:
				return v
			case v.message != "":
				odd = v
			}
		}
		n = next
	}
	return odd
}

func blankOrComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

// readInstruction reads the instruction that begins in lines[n], and returns the index of the line behind it. It leaves
// a line that ends in escape joined with the next one by a backslash, as a shell reads it.
func readInstruction(lines []string, n int, escape string) (instruction, int) {
	i := instruction{line: n + 1}
	var arguments strings.Builder
	for {
		line := strings.TrimRight(lines[n], " \t\r")
		text, continued := strings.CutSuffix(line, escape)
		switch {
		case n+1 > i.line && blankOrComment(line):
			text, continued = "", true
		case n+1 == i.line:
			text = strings.TrimSpace(text)
			end := strings.IndexAny(text, " \t")
			if end < 0 {
				end = len(text)
			}
			i.name, text = strings.ToUpper(text[:end]), text[end:]
		}
		arguments.WriteString(text)
		n++
		if !continued || n == len(lines) {
			i.arguments = arguments.String()
			return i, n
		}
		arguments.WriteString("\\\n")
	}
}

// hereDocument matches the start of a here-document, with the quote and the word that ends it.
var hereDocument = regexp.MustCompile(`(?:^|[\s0-9])<<-?(["']?)([A-Za-z_][\w.]*)`)

// skipHereDocuments returns the index of the line behind the here-documents of an instruction, and false if one of them
// does not end.
func skipHereDocuments(lines []string, next int, i instruction) (int, bool) {
	if i.name != "RUN" && i.name != "COPY" && i.name != "ADD" {
		return next, true
	}
	for _, found := range hereDocument.FindAllStringSubmatchIndex(i.arguments, -1) {
		if strings.Count(i.arguments[:found[0]], `"`)%2 == 1 || strings.Count(i.arguments[:found[0]], "'")%2 == 1 {
			continue // within quotes
		}
		word := i.arguments[found[4]:found[5]]
		for next < len(lines) && strings.Trim(lines[next], "\t\r") != word {
			next++
		}
		if next == len(lines) {
			return next, false
		}
		next++
	}
	return next, true
}

// checkArguments checks an array in the place of a command or of paths: what is no array of JSON is taken for a shell's
// command, brackets and all. A command of RUN may begin with a bracket.
func checkArguments(src source, i instruction) verdict {
	array := strings.TrimSpace(strings.ReplaceAll(flags.ReplaceAllString(i.arguments, ""), "\\\n", ""))
	isArray := strings.HasPrefix(array, `["`)
	if i.name != "RUN" {
		isArray = strings.HasPrefix(array, "[") || endOfArray.MatchString(array)
	}
	var words []string
	if isArray && json.Unmarshal([]byte(array), &words) != nil {
		return brokenAt(i.line, "the array is not valid JSON")
	}
	if i.name == "ADD" || i.name == "COPY" {
		return checkWords(src, i)
	}
	return verdict{outcome: valid}
}

var endOfArray = regexp.MustCompile(`"\s*\]$`)

// flags matches the options of an instruction.
var flags = regexp.MustCompile(`^(?:[\s\\]*--[a-z][\w-]*(?:=\S*)?)+`)

// checkWords checks that quotes and the braces of variables are closed.
func checkWords(_ source, i instruction) verdict {
	quote, braces, plain := byte(0), 0, 0
	for n := 0; n < len(i.arguments); n++ {
		switch c := i.arguments[n]; {
		case c == '\\' && quote != '\'':
			n++
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == c:
			quote = 0
		case c == '$' && quote != '\'' && strings.HasPrefix(i.arguments[n+1:], "{"):
			braces++
		case c == '{' && (n == 0 || i.arguments[n-1] != '$'):
			plain++
		case c == '}' && braces > 0:
			braces--
		case c == '}':
			plain--
		}
	}
	switch {
	case i.otherShell:
		return verdict{}
	case quote != 0:
		return brokenAt(i.line, "missing closing quote "+string(quote))
	case braces > 0:
		return brokenAt(i.line, "missing } of a variable")
	case plain < 0 && strings.Contains(i.arguments, "$"):
		return oddAt(i.line, "} without {")
	}
	return verdict{outcome: valid}
}

// checkRun checks the command of RUN, which a shell runs unless it is an array. A here-document is a script for any
// program.
func checkRun(src source, i instruction) verdict {
	if v := checkArguments(src, i); v.outcome == broken {
		return v
	}
	command := flags.ReplaceAllStringFunc(i.arguments, func(options string) string {
		return strings.Repeat("\\\n", strings.Count(options, "\n"))
	})
	if i.otherShell || strings.Contains(command, "<<") {
		return verdict{}
	}
	v := parseShell(source{path: src.path, text: bytes.TrimRight([]byte(command), "\\\n")})
	v.line += i.line - 1
	return v
}
