package caution

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// linters are the names of files with the settings of linters and tests, in lower case.
var linters = []string{
	".eslintrc*", "eslint.config.*", "biome.json*", ".rubocop*.yml", "setup.cfg", "tox.ini", ".flake8", "ruff.toml",
	".ruff.toml", "pyproject.toml", "mypy.ini", ".mypy.ini", ".pylintrc", "pylintrc", ".golangci.y*ml", "tsconfig*.json",
	"phpstan*.neon*", "psalm*.xml", "phpcs*.xml*", ".credo.exs", "clippy.toml", ".clippy.toml", "codecov.yml",
	".codecov.yml",
	"checkstyle*.xml", "*suppressions*.xml", "detekt*.yml", ".coveragerc", "jest.config.*", "vitest.config.*",
	"package.json", ".stylelintrc*", "sonar-project.properties", "deny.toml", "lint.xml", "pytest.ini",
}

func isLinter(f *file) bool {
	named := func(pattern string) bool { ok, _ := path.Match(pattern, f.name); return ok }
	return slices.ContainsFunc(linters, named)
}

// settingKey matches the beginning of a setting: its key, and what is behind it on the line.
var settingKey = regexp.MustCompile(`^\s*["']?([A-Za-z][\w./@-]*)["']?\s*(?:=>|[:=])\s*(.*)$`)

// turnedOff matches the key of a list of what is not checked.
var turnedOff = regexp.MustCompile(`(?i)^(?:extend-|per-file-|lint\.)?(?:disabled?|ignore[sd]?|ignoreErrors|` +
	`ignorePatterns|ignore[_-]errors|ignore-patterns|excludes?|excludes_analyse|omit|suppress|skips?|` +
	`ignore_missing_imports|disable_error_code|exclude-rules|exclude_lines)$`)

// off matches a setting that turns a check off; the key is before it.
var off = regexp.MustCompile(`(?i)^(?:\[?\s*["']off["']|\[?\s*0\s*[,\]}]|["']?off["']?\s*,?$)`)

// strict matches a key of a check, by its own name, that is false when it is off.
var strict = regexp.MustCompile(`^(?:strict\w*|no[A-Z]\w*|[Ee]nabled|check_\w+|disallow_\w+|warn_\w+|` +
	`exactOptional\w*|useUnknown\w*|checkJs)$`)

// ofLinter matches the heading of a section of a file that has more than the settings of linters.
var ofLinter = regexp.MustCompile(`ruff|mypy|pylint|flake8|coverage|pytest|pyright|bandit|basedpyright`)

// settings reports checks that the settings of a linter no longer make: what is added to a list of what is ignored, and
// what is turned off.
func (s *search) settings() {
	for _, f := range s.files {
		if !isLinter(f) || f.deleted() || f.Before == nil {
			continue
		}
		had := map[string]bool{}
		for _, line := range s.gone(f) {
			for _, word := range words.FindAllString(line, -1) {
				had[word] = true
			}
		}
		mixed := f.name == "pyproject.toml" || f.name == "setup.cfg"
		key, next, linter := "", 0, !mixed
		for i, line := range f.after {
			if next == len(f.added) {
				break
			}
			if line = clipLine(line); !s.affords(f, line) {
				break
			}
			m := settingKey.FindStringSubmatch(line)
			item := m == nil || strings.HasPrefix(strings.TrimSpace(line), "- ")
			switch {
			case !item:
				key = m[1]
			case strings.HasPrefix(line, "["):
				key, linter = "", !mixed || ofLinter.MatchString(line)
			}
			if i != f.added[next] {
				continue
			}
			next++
			value := strings.TrimSpace(line)
			if !item {
				value = m[2]
			}
			if linter && !isCommentLine(line) && turnsOff(key, value, item, had) {
				s.add(LoweredCheck, f, i+1, strings.TrimSpace(line))
			}
		}
	}
}

// words match what is listed in a setting.
var words = regexp.MustCompile(`[A-Za-z][\w./*-]*`)

// turnsOff reports whether a key with a value, or an item of its list, turns a check off. had are the words that were
// in the settings before, in lines that are gone.
func turnsOff(key, value string, item bool, had map[string]bool) bool {
	if turnedOff.MatchString(key) {
		return slices.ContainsFunc(words.FindAllString(value, -1), func(word string) bool {
			return !had[word] && !strings.EqualFold(word, "false") && !strings.EqualFold(word, "none")
		})
	}
	return !item && (off.MatchString(value) || strict.MatchString(key) && hasValue(value, "false"))
}

func hasValue(text, value string) bool {
	return strings.EqualFold(strings.Trim(text, " ,;\"'"), value)
}

// limit matches a number that a check holds something to. The first groups are the name, the last one the number.
var limit = regexp.MustCompile(`(?i)\b(fail[-_]under|cov-fail-under|coverage[-_]?threshold|min(?:imum)?[-_]?coverage|` +
	`minimum|minCoverage|statements|branches|functions|threshold|target|max-warnings|maxWarnings|min-?level|level)` +
	`["'>]?\s*[:=> ]\s*["']?([0-9]+(?:\.[0-9]+)?)%?`)

// thresholds reports limits of settings that are lower than before; of warnings, higher.
func (s *search) thresholds() {
	for _, f := range s.files {
		if f.deleted() || f.prose || !isLinter(f) && !isRunning(f) && f.name != "pom.xml" {
			continue
		}
		had := map[string]float64{}
		for _, line := range s.gone(f) {
			for _, m := range limit.FindAllStringSubmatch(line, -1) {
				had[strings.ToLower(m[1])], _ = strconv.ParseFloat(m[2], 64)
			}
		}
		for i, line := range s.fresh(f) {
			for _, m := range limit.FindAllStringSubmatch(line, -1) {
				name := strings.ToLower(m[1])
				before, ok := had[name]
				now, _ := strconv.ParseFloat(m[2], 64)
				if ok && (now < before) != strings.Contains(name, "warnings") && now != before {
					s.add(LoweredCheck, f, i+1, m[0])
				}
			}
		}
	}
}
