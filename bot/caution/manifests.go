package caution

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"
)

// manifests say how the packages of a manifest are read, by patterns of its name in lower case.
var manifests = []struct {
	names []string
	read  func(data []byte) packages
}{
	{[]string{"go.mod"}, goPackages},
	{[]string{"package.json", "composer.json", "bower.json"}, jsonPackages},
	{[]string{"deno.json", "deno.jsonc", "import_map.json"}, matched(denoPackage, nil)},
	{[]string{"pyproject.toml", "cargo.toml", "*.versions.toml", "pipfile", "pixi.toml"}, tomlPackages},
	{[]string{"environment*.yml", "environment*.yaml"}, condaPackages},
	{[]string{"setup.cfg"}, configPackages},
	{[]string{"gemfile", "*.gemspec"}, matched(rubyPackage, rubySource)},
	{[]string{"pom.xml"}, mavenPackages},
	{[]string{"*.gradle", "*.gradle.kts"}, matched(gradlePackage, gradleSource)},
	{[]string{"*.sbt", "build.scala", "dependencies.scala"}, matched(sbtPackage, nil)},
	{[]string{"mix.exs"}, matched(mixPackage, nil)},
	{[]string{"*.csproj", "*.fsproj", "directory.packages.props"}, matched(nugetPackage, nil)},
}

// manifestReader returns what reads the packages of a file at a path; nil if it is no manifest. Manifests among the
// data of tests are none.
func manifestReader(name string) func(data []byte) packages {
	if inData(name) {
		return nil
	}
	base := strings.ToLower(path.Base(name))
	if isRequirements(base) || strings.Contains("/"+name, "/requirements/") &&
		(path.Ext(base) == ".txt" || path.Ext(base) == ".in") {
		return requirements
	}
	for _, m := range manifests {
		for _, pattern := range m.names {
			if ok, _ := path.Match(pattern, base); ok {
				return m.read
			}
		}
	}
	return nil
}

// isRequirements reports whether a name, in lower case, is that of a list of requirements of pip, or of what makes one.
func isRequirements(name string) bool {
	return (path.Ext(name) == ".txt" || path.Ext(name) == ".in") && (strings.Contains(name, "requirements") ||
		strings.HasPrefix(name, "constraints"))
}

var (
	goRequired = regexp.MustCompile(`^\s*(?:require\s+)?["\x60]?([^\s"\x60()]+)["\x60]?\s+["\x60]?v[0-9]`)
	goReplaced = regexp.MustCompile(`^\s*(?:replace\s+)?([^\s"()]+)(?:\s+v\S+)?\s+=>\s+(\S+)\s+v[0-9]`)
)

// goPackages reads go.mod. What go.mod replaces by another module comes from that place.
func goPackages(data []byte) packages {
	out := packages{}
	for line := range strings.Lines(string(data)) {
		if line = clipLine(line); isCommentLine(line) {
			continue
		}
		if m := goReplaced.FindStringSubmatch(line); m != nil {
			out.add(m[1], m[2])
		} else if m := goRequired.FindStringSubmatch(line); m != nil {
			out.add(m[1], "")
		}
	}
	return out
}

// jsonMembers are the members of package.json and composer.json that name packages.
var jsonMembers = []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides",
	"resolutions", "require", "require-dev"}

// shorthand matches a repository of GitHub as package.json may name it.
var shorthand = regexp.MustCompile(`^[\w-][\w.-]*/[\w.-]+(?:#|$)`)

// jsonPackages reads package.json and composer.json.
func jsonPackages(data []byte) packages {
	out := packages{}
	var all map[string]json.RawMessage
	if json.Unmarshal(data, &all) != nil {
		return out
	}
	for _, member := range jsonMembers {
		var named map[string]any
		if json.Unmarshal(all[member], &named) != nil {
			continue
		}
		for name, value := range named {
			text, _ := value.(string)
			if shorthand.MatchString(text) { // npm takes it for a repository of GitHub
				text = "github:" + text
			}
			if !strings.HasPrefix(text, "workspace:") {
				out.add(name, place(text))
			}
		}
	}
	return out
}

var (
	rubyPackage   = regexp.MustCompile(`^\s*(?:gem|\w+\.add_(?:\w+_)?dependency)[\s(]+["']([^"']+)["']`)
	rubySource    = regexp.MustCompile(`^\s*source[\s(]+["']([^"']+)["']|\b(?:git|github|gist|source):\s*["']([^"']+)["']`)
	gradlePackage = regexp.MustCompile(`["']([\w-][\w.-]*:[\w.-]+)(?::[^"']*)?["']|` +
		`^\s*id[\s(]+["']([\w.-]+)["']\)?\s*\.?version`)
	gradleSource = regexp.MustCompile(`\b(?:url|setUrl|uri)\b\s*[=(]?\s*(?:uri\()?["'](\w+://[^"']+)["']`)
	sbtPackage   = regexp.MustCompile(`"([\w.-]+)"\s*%{1,3}\s*"([\w.-]+)"`)
	mixPackage   = regexp.MustCompile(`\{\s*:(\w+)\s*,\s*(?:"|~|>|\[?\s*(?:git|github|path|only|override|runtime|hex):)`)
	denoPackage  = regexp.MustCompile(`["'](?:npm|jsr):/?(@?[\w.-]+(?:/[\w.-]+)?)`)
	nugetPackage = regexp.MustCompile(`<(?:PackageReference|PackageVersion)\s[^>]*?Include\s*=\s*["']([^"']+)["']`)
)

// matched returns a reader of the lines that two expressions match: a package, by the groups of the first joined by
// colons, and a place. The second may be nil. Comments say nothing.
func matched(name, source *regexp.Regexp) func(data []byte) packages {
	return func(data []byte) packages {
		out := packages{}
		for line := range strings.Lines(string(data)) {
			if line = clipLine(line); isCommentLine(line) {
				continue
			}
			where := ""
			if source != nil {
				for _, m := range source.FindAllStringSubmatch(line, -1) {
					where = strings.Join(m[1:], "")
					out.registry(where)
				}
			}
			for _, m := range name.FindAllStringSubmatch(line, -1) {
				out.add(joined(m[1:]), where)
			}
		}
		return out
	}
}

// joined joins what is not empty by colons.
func joined(parts []string) string {
	text := ""
	for _, p := range parts {
		if text != "" && p != "" {
			text += ":"
		}
		text += p
	}
	return text
}
