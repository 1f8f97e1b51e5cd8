package caution

import (
	"bytes"
	"encoding/json"
	"path"
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
		if f.size() > maxManifest {
			f.unread = true
			continue
		}
		had := map[command]bool{}
		for _, c := range read(f.Before) {
			had[c] = true
		}
		told := map[string]bool{}
		for _, c := range read(f.After) {
			if !had[c] && !told[c.name] {
				told[c.name] = true
				line := 0
				if len(s.found[Runs]) < maxOfKind {
					line = s.lineOf(f, c.name)
				}
				s.add(Runs, f, line, c.name)
			}
		}
	}
}

// command is a command that a file names.
type command struct{ name, does string }

// commandFiles say how the commands of a file are read, by patterns of its name in lower case.
var commandFiles = []struct {
	names []string
	read  func([]byte) []command
}{
	{[]string{"package.json", "composer.json"}, jsonCommands},
	{[]string{"pyproject.toml", "setup.cfg", "mypy.ini", "cargo.toml", ".rubocop.yml", "pytest.ini"}, lineCommands},
	{[]string{".eslintrc", ".eslintrc.json", ".eslintrc.y*ml"}, listed("extends|plugins|parser|processor")},
	{[]string{".stylelintrc", ".stylelintrc.json", ".stylelintrc.y*ml"}, listed("extends|plugins|processors")},
	{[]string{".prettierrc", ".prettierrc.json*", ".prettierrc.y*ml", "tsconfig*.json"}, listed("plugins")},
	{[]string{".babelrc", ".babelrc.json"}, listed("extends|plugins|presets")},
	{[]string{".mocharc.json*", ".mocharc.y*ml"}, listed("extends|require|import|loader")},
	{[]string{".markdownlint*"}, listed("customRules|markdownItPlugins|outputFormatters")},
	{[]string{"mkdocs.yml"}, listed("hooks|plugins")},
	{[]string{"deno.json", "deno.jsonc"}, listed("tasks")},
	{[]string{"*.csproj", "*.fsproj", "*.vbproj", "*.vcxproj", "*.props"}, projectCommands},
}

// commandsIn returns what reads the commands of a file of a name; nil if it has none.
func commandsIn(name string) func([]byte) []command {
	for _, c := range commandFiles {
		for _, pattern := range c.names {
			if ok, _ := path.Match(pattern, name); ok {
				return c.read
			}
		}
	}
	return nil
}

// jsonSections are the members of package.json and composer.json whose values are commands, jsonPrograms those, in
// other members or the file itself, whose value names programs.
var (
	jsonSections = []string{"scripts", "lint-staged"}
	jsonPrograms = []struct{ in, key string }{
		{"", "bin"}, {"", "simple-git-hooks"}, {"", "husky"}, {"jest", "globalSetup"}, {"jest", "globalTeardown"},
		{"jest", "setupFiles"}, {"jest", "setupFilesAfterEnv"}, {"jest", "transform"}, {"jest", "reporters"},
		{"pnpm", "patchedDependencies"}, {"pnpm", "onlyBuiltDependencies"}, {"eslintConfig", "extends"},
		{"eslintConfig", "plugins"}, {"prettier", "plugins"}, {"babel", "plugins"}, {"babel", "presets"},
	}
)

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
	for _, p := range jsonPrograms {
		members := all
		if p.in != "" {
			members = nil
			_ = json.Unmarshal(all[p.in], &members) // a path of a file of settings has no members
		}
		var plain bytes.Buffer
		if value := members[p.key]; value != nil && json.Compact(&plain, value) == nil {
			out = append(out, command{p.key, plain.String()})
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
