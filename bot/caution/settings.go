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
	".eslintrc*", "eslint.config.*", "biome.json*", ".rubocop*.yml", ".flake8", "ruff.toml", ".ruff.toml", "mypy.ini",
	".pylintrc", ".golangci.y*ml", "tsconfig*.json", "phpstan*.neon*", "codecov.yml", ".codecov.yml", ".coveragerc",
	"jest.config.*", "vitest.config.*", "pytest.ini",
}

// shared are names of files that have such settings among others.
var shared = []string{"setup.cfg", "tox.ini", "pyproject.toml", "package.json"}

func isLinter(f *file) bool {
	named := func(pattern string) bool { ok, _ := path.Match(pattern, f.name); return ok }
	return slices.ContainsFunc(linters, named) || slices.Contains(shared, f.name)
}

// settingKey matches the beginning of a setting: its key, and what is behind it on the line.
var settingKey = regexp.MustCompile(`^\s*["']?([A-Za-z][\w./@-]*)["']?\s*(?:=>|[:=])\s*(.*)$`)

// turnedOff matches the key of a list of what is not checked.
var turnedOff = regexp.MustCompile(`(?i)^(?:extend-|per-file-|lint\.)?(?:disable|ignores?|exclude|omit|skips|` +
	`ignore_errors|disable_error_code)$`)

// off matches a setting that turns a check off; the key is before it.
var off = regexp.MustCompile(`(?i)^(?:\[?\s*["']off["']|\[?\s*0\s*[,\]}]|["']?off["']?\s*,?$)`)

// strict matches a key of a check, by its own name, that is false when it is off.
var strict = regexp.MustCompile(`^(?:strict\w*|no[A-Z]\w*|[Ee]nabled|(?:check|disallow|warn)_\w+)$`)

// ofLinter matches the heading of a section of a file that has more than the settings of linters.
var ofLinter = regexp.MustCompile(`ruff|mypy|pylint|flake8|coverage|pytest|pyright|bandit|basedpyright`)

// settings reports checks that the settings of a linter no longer make: what is added to a list of what is ignored,
// what is turned off, and settings that are deleted.
func (s *search) settings() {
	for _, f := range s.files {
		if !isLinter(f) || f.Before == nil {
			continue
		}
		if f.deleted() {
			if !slices.Contains(shared, f.name) && f.isGone(0, len(f.before)) {
				s.add(LoweredCheck, f, 0, "")
			}
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

// limit matches a number that a check holds something to. The first group is the name, the second the number.
var limit = regexp.MustCompile(`(?i)\b(fail[-_]under|cov-fail-under|threshold|statements|branches|functions|target|` +
	`level|max-?warnings)["'>]?\s*[:=> ]\s*["']?([0-9]+(?:\.[0-9]+)?)%?`)

// thresholds reports limits of settings that are lower than before; of warnings, higher.
func (s *search) thresholds() {
	for _, f := range s.files {
		if f.deleted() || !isLinter(f) {
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
