package caution

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// lockPlace matches the host of an address from which packages are installed: behind one of the keys that lock files
// use for such addresses.
var lockPlace = anyOf("(?i)", `["']?[\s:=,"'\[{(]{0,8}[^\s"',]*?://(?:[^\s/"'<>]*@)?(`+hostName+`)`,
	form{"resol", `\b(?:resolved|resolution)`}, form{"tarball", `\btarball`}, form{"url", `\b(?:repository)?urls?`},
	form{"registry", `\bregistry`}, form{"git", `\bgit`}, form{"source", `\bsource`}, form{"remote", `\bremote`},
	form{"location", `\blocation`}, form{"http", `:http`}, form{"version", `"version`})

// npmPlace is lockPlace for lock files of npm, which have other addresses of packages too, such as those for funding.
var npmPlace = regexp.MustCompile(`"(?:resolved|version)"\s*:\s*"[^"]*?://(?:[^\s/@"'<>]*@)?`)

// usualPlaces are the default registries of tools.
var usualPlaces = []string{"registry.npmjs.org", "registry.yarnpkg.com", "pypi.org", "files.pythonhosted.org",
	"rubygems.org", "static.crates.io", "index.crates.io", "pub.dev", "jsr.io"}

// cratesIndex is the usual place of crates, on a host of much else.
const cratesIndex = "registry+https://github.com/rust-lang/crates.io-index"

// lockHosts returns the hosts from which packages are installed according to new lines of a lock file.
func (s *search) lockHosts(f *file) (out []namedHost) {
	if !f.isLocked() {
		return nil
	}
	npm := f.name == "package-lock.json" || f.name == "npm-shrinkwrap.json"
	for i, line := range s.fresh(f) {
		line = plain(strings.ReplaceAll(line, cratesIndex, ""))
		if !s.mayMatch(lockPlace, line) || npm && !npmPlace.MatchString(line) {
			continue
		}
		if f.name == "composer.lock" && !strings.Contains(f.after[max(i-1, 0)]+line, `"type"`) {
			continue // an address for funding, whose type follows it, is no source
		}
		for _, m := range lockPlace.expression.FindAllStringSubmatch(line, -1) {
			if host := strings.ToLower(m[1]); !slices.Contains(usualPlaces, host) {
				out = append(out, namedHost{Source, f, i + 1, host})
			}
		}
	}
	return out
}

// isLocked reports whether a file names the packages that tools install, and where they come from. Those of data for
// tests are installed by nobody.
func (f *file) isLocked() bool { return f.isLock() && path.Ext(f.name) != ".snap" && !inData(f.Path) }

// inData reports whether a file is among the data of tests.
func inData(name string) bool {
	name = "/" + strings.ToLower(name)
	return strings.Contains(name, "/testdata/") || strings.Contains(name, "/fixtures/")
}
