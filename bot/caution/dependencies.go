package caution

import (
	"bytes"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// packages are the packages that a manifest names, each with the places that it comes from besides the registry of its
// tool, and never with a version. A registry that the manifest names is its own place.
type packages map[string]map[string]bool

// add adds a package; the place is empty for the registry of its tool.
func (p packages) add(name, place string) {
	if p[name] == nil {
		p[name] = map[string]bool{}
	}
	if place != "" {
		p[name][place] = true
	}
}

// dependencies reports packages that no changed manifest named before, and those, new or not, and registries that come
// from another place. Another version is none.
func (s *search) dependencies() {
	known := packages{}
	for _, f := range s.files {
		if f.name == "setup.py" { // a program: it runs, and what it names is not known for certain
			for _, m := range quoted.FindAllSubmatch(f.Before[:min(len(f.Before), maxSetup)], -1) {
				known.add(normal(string(m[1])), "")
			}
		}
		if read := f.manifest(); read != nil {
			for name, places := range read(f.Before) {
				known.add(name, "")
				maps.Copy(known[name], places)
			}
		}
	}
	for _, f := range s.files {
		read := f.manifest()
		if read == nil || f.deleted() {
			continue
		}
		now := read(f.After)
		for _, name := range slices.Sorted(maps.Keys(now)) {
			before, had := known[name]
			kind := Dependency
			for place := range now[name] {
				if !before[place] {
					kind = Source
				}
			}
			if had && kind == Dependency {
				continue
			}
			line := 0
			if len(s.found[kind]) < maxOfKind {
				line = s.lineOf(f, lastPart(name))
			}
			s.add(kind, f, line, name)
		}
	}
}

// maxManifest bounds the versions of a manifest, or of settings that name programs, that are read, in bytes together.
const maxManifest = 1 << 20

// manifest returns what reads the packages of a file; nil if it is no manifest, or too long for one.
func (f *file) manifest() func(data []byte) packages {
	read := manifestReader(f.Path)
	if path.Ext(f.name) == ".py" && !inData(f.Path) &&
		(bytes.Contains(f.Before, []byte(scriptStart)) || bytes.Contains(f.After, []byte(scriptStart))) {
		read = scriptPackages
	}
	if read != nil && (f.skipped || f.size() > maxManifest) {
		f.unread = true
		return nil
	}
	return read
}

// quoted matches a string of a program that may be a requirement of Python. maxSetup bounds what is read of it, in
// bytes.
var quoted = regexp.MustCompile(`["']([A-Za-z0-9][\w.-]*)`)

const maxSetup = 64 << 10

// lastPart returns what a line of a manifest has of the name of a package, whose group may be on another one.
func lastPart(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// place returns the place of packages as it is in a value: the value if it is an address, or a path of others; else "".
func place(value string) string {
	for _, sign := range []string{"://", "git@", "github:", "gitlab:", "bitbucket:", "gist:", "git+", "npm:"} {
		if strings.Contains(value, sign) {
			return value
		}
	}
	return ""
}

// registry is a registry, or another place of packages, as an entry of its own.
func (p packages) registry(address string) {
	if address != "" {
		p.add(address, address)
	}
}
