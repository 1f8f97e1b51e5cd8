package caution

import (
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// requirement matches a requirement of Python: the name, and an address that it comes from.
var requirement = regexp.MustCompile(`^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:@\s*(\S+))?`)

// named matches a requirement that has a name before its address.
var named = regexp.MustCompile(`^\s*[A-Za-z0-9][\w.-]*\s*(?:\[[^\]]*\])?\s*@`)

// option matches an option of a list of requirements that names a place.
var option = regexp.MustCompile(`^\s*(?:-i|--(?:extra-)?index-url|-f|--find-links|-e|--editable)[\s=]+(\S+)`)

// requirements reads a list of requirements of pip.
func requirements(data []byte) packages {
	out := packages{}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(clipLine(line), " #")
		m := option.FindStringSubmatch(line)
		switch {
		case m != nil && place(m[1]) != "":
			out.registry(m[1])
		case m != nil || strings.HasPrefix(line, "-") || strings.HasPrefix(line, "#"):
		case place(line) != "" && !named.MatchString(line):
			out.registry(strings.TrimSpace(line))
		default:
			out.requirement(line)
		}
	}
	return out
}

func (p packages) requirement(text string) {
	m := requirement.FindStringSubmatch(text)
	if m == nil {
		return
	}
	p.add(normal(m[1]), place(m[2]))
}

// normal returns the name of a package of Python as its registry writes it.
func normal(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(name))
}

// configKey matches a key of setup.cfg whose values are requirements.
var configKey = regexp.MustCompile(`^(install_requires|setup_requires|tests_require)\s*=\s*(.*)$`)

// configPackages reads setup.cfg: the requirements are on the lines below their key.
func configPackages(data []byte) packages {
	out, open, section := packages{}, false, ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(clipLine(line), "\r\n")
		indented := line != strings.TrimLeft(line, " \t")
		m := configKey.FindStringSubmatch(line)
		switch {
		case m != nil:
			open = true
			out.configured(m[2])
		case strings.HasPrefix(line, "["):
			section, open = line, false
		case indented && (open || section == "[options.extras_require]"):
			out.configured(line)
		case !indented && line != "":
			open = false
		}
	}
	return out
}

func (p packages) configured(line string) {
	if line = strings.TrimSpace(line); line != "" && !strings.ContainsAny(line[:1], "#-{.") {
		p.requirement(line[strings.LastIndex(line, ": ")+1:])
	}
}

// tomlPackages reads pyproject.toml, Cargo.toml and version catalogs of Gradle.
func tomlPackages(data []byte) packages {
	out := packages{}
	var all map[string]any
	if toml.Unmarshal(data, &all) != nil {
		return out
	}
	out.table(all, "", 0)
	if project, ok := all["project"].(map[string]any); ok { // it may require itself, with extras
		name, _ := project["name"].(string)
		delete(out, normal(name))
	}
	return out
}

// maxDepth bounds how deep tables are in tables.
const maxDepth = 8

// lists are keys whose values are lists of requirements of Python, or tables of such lists.
var lists = regexp.MustCompile(`^(project\.(dependencies|optional-dependencies)|build-system\.requires|` +
	`dependency-groups|tool\.(?:pdm|uv)\.dev-dependencies|tool\.hatch\.envs\.[^.]+\.(?:extra-)?dependencies)(\.|$)`)

// tables are keys of tables whose keys are packages.
var tables = regexp.MustCompile(`(^|\.)((?:pypi-)?dependencies|dev-dependencies|build-dependencies|patch\.[\w-]+)$|` +
	`^(libraries|plugins|packages|dev-packages|tool\.uv\.sources)$`)

func (p packages) table(t map[string]any, at string, depth int) {
	if depth > maxDepth {
		return
	}
	for key, value := range t {
		name := key
		if at != "" {
			name = at + "." + key
		}
		items, _ := value.([]any)
		for _, item := range items {
			switch item := item.(type) {
			case string:
				if lists.MatchString(name) {
					p.requirement(item)
				}
			case map[string]any: // a registry, such as [[tool.poetry.source]]
				for _, k := range []string{"url", "index-url"} {
					if text, ok := item[k].(string); ok {
						p.registry(text)
					}
				}
			}
		}
		inner, _ := value.(map[string]any)
		if tables.MatchString(at) && !lists.MatchString(at) {
			p.entry(key, value, at)
			continue
		}
		p.table(inner, name, depth+1)
	}
}

// entry adds a package that is the key of a table.
func (p packages) entry(key string, value any, at string) {
	t, isTable := value.(map[string]any)
	where := ""
	for _, k := range []string{"git", "registry", "url", "index"} {
		if text, ok := t[k].(string); ok {
			where = text
		}
	}
	name, _ := t["module"].(string)
	if group, ok := t["group"].(string); ok {
		artifact, _ := t["name"].(string)
		name = group + ":" + artifact
	}
	if id, ok := t["id"].(string); ok {
		name = id
	}
	text, _ := value.(string)
	_, local := t["path"]
	if shared, _ := t["workspace"].(bool); shared { // the manifest of the workspace names it
		return
	}
	switch {
	case isTable && local && where == "":
		return // of the same repository
	case name == "" && strings.HasSuffix(at, "plugins"), name == "" && strings.HasSuffix(at, "libraries"):
		name = text[:max(0, strings.LastIndexByte(text, ':'))]
	case name == "":
		name = key
	}
	if original, ok := t["package"].(string); ok {
		name = original
	}
	if name != "" && name != "python" {
		p.add(name, where)
	}
}
