package caution

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// condaKey matches a key of an environment of conda, condaItem an item of a list of it.
var (
	condaKey  = regexp.MustCompile(`^\s*(?:- )?(channels|dependencies|pip|\w+):\s*(?:#.*)?$`)
	condaItem = regexp.MustCompile(`^\s*-\s+["']?([^\s"'#]+)`)
)

// condaPackages reads an environment of conda; a channel is a registry.
func condaPackages(data []byte) packages {
	out, key := packages{}, ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(clipLine(line), "\r\n")
		if m := condaKey.FindStringSubmatch(line); m != nil {
			key = m[1]
			continue
		}
		m := condaItem.FindStringSubmatch(line)
		switch {
		case m == nil:
		case key == "channels":
			out.registry(m[1])
		case key == "dependencies", key == "pip":
			out.requirement(m[1][strings.LastIndex(m[1], ":")+1:])
		}
	}
	return out
}

// scriptStart is the first line of what a script of Python requires, in comments: see PEP 723.
const scriptStart = "# /// script"

// scriptPackages reads the requirements of a script of Python.
func scriptPackages(data []byte) packages {
	out := packages{}
	_, rest, _ := bytes.Cut(data, []byte(scriptStart))
	var text strings.Builder
	for line := range strings.Lines(string(rest[:min(len(rest), maxSetup)])) {
		if line = strings.TrimRight(line, "\r\n"); line == "# ///" {
			break
		}
		text.WriteString(strings.TrimPrefix(line, "#") + "\n")
	}
	var header struct {
		Dependencies []string
	}
	if toml.Unmarshal([]byte(text.String()), &header) == nil {
		for _, text := range header.Dependencies {
			out.requirement(text)
		}
	}
	return out
}
