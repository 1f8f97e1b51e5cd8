package caution

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// scripts reports commands that package managers and tools run, in files that say other things too.
func (s *search) scripts() {
	for _, f := range s.files {
		read := commandsIn(f.name)
		if read == nil || f.deleted() || f.skipped {
			continue
		}
		had := map[string]string{}
		for _, c := range read(f.Before) {
			had[c.name] = c.does
		}
		for _, c := range read(f.After) {
			if had[c.name] != c.does {
				s.add(Runs, f, s.lineOf(f, c.name), c.name)
			}
		}
	}
}

// command is a command that a file names.
type command struct{ name, does string }

// commandsIn returns what reads the commands of a file of a name; nil if it has none.
func commandsIn(name string) func([]byte) []command {
	switch name {
	case "package.json", "composer.json":
		return jsonCommands
	case "pyproject.toml", "setup.cfg", "mypy.ini", "cargo.toml", ".rubocop.yml", "pytest.ini":
		return lineCommands
	}
	return nil
}

// jsonSections are the members of package.json and composer.json whose values are commands.
var jsonSections = []string{"scripts", "lint-staged"}

// jsonCommands reads the commands of JSON. Of what cannot be read, the text is one command: nobody knows what a tool
// makes of it.
func jsonCommands(data []byte) (out []command) {
	if len(data) == 0 {
		return nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return []command{{"", string(data)}}
	}
	for _, section := range jsonSections {
		var members map[string]json.RawMessage
		if json.Unmarshal(all[section], &members) != nil {
			if text := string(all[section]); text != "" {
				out = append(out, command{section, text})
			}
			continue
		}
		for name, value := range members {
			out = append(out, command{name, string(value)})
		}
	}
	slices.SortFunc(out, func(a, b command) int { return strings.Compare(a.name, b.name) })
	return out
}

// loads matches settings that name programs to load or to run.
var loads = regexp.MustCompile(`^\s*["']?(build-backend|backend-path|build|plugins|load-plugins|addopts|` +
	`require)["']?\s*[:=]\s*(.*)$`)

// lineCommands reads the settings of a file, a line each, that name programs, and the tasks in its sections of those.
func lineCommands(data []byte) (out []command) {
	section := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(clipLine(line), "\r\n")
		if strings.HasPrefix(line, "[") {
			section = line
		}
		key, value, ok := strings.Cut(line, "=")
		switch m := loads.FindStringSubmatch(line); {
		case m != nil:
			out = append(out, command{m[1], strings.TrimSpace(m[2])})
		case ok && taskSection.MatchString(section):
			out = append(out, command{strings.TrimSpace(key), strings.TrimSpace(value)})
		}
	}
	return out
}

// taskSection matches the heading of a section of TOML whose values are commands.
var taskSection = regexp.MustCompile(`^\[tool\.(poe\.tasks|pdm\.scripts|taskipy\.tasks|hatch\.envs\.[^\]]*scripts)`)

// lineOf returns the first new line that has a word, from 1; 0 if none has.
func (s *search) lineOf(f *file, word string) int {
	if word == "" {
		return 0
	}
	for _, i := range f.added {
		if s.work.SpendBytes(len(f.after[i])); strings.Contains(f.after[i], word) {
			return i + 1
		}
	}
	return 0
}
