package retrieve

import (
	"regexp"
	"slices"
	"strings"
)

// foreign are parts of paths that lead into a language's own library or a dependency.
var foreign = []string{
	"/usr/local/go/src/", "/go/src/runtime/", "/pkg/mod/", "/site-packages/", "/dist-packages/", "/lib/python",
	"node_modules/", "/rustc/", "/.cargo/", "node:", "<frozen", "<anonymous>", "/gems/", "/rubygems/",
	"/hostedtoolcache/", "/_actions/", "/usr/include/", "/usr/lib/", "/vendor/composer/", "/.m2/", "/.gradle/", "/.nuget/",
}

// vendoredPHP matches a file of a library that Composer installed.
var vendoredPHP = regexp.MustCompile(`(?:^|/)vendor/[^/]+/.*\.php$`)

func isForeign(name string) bool {
	name = strings.ReplaceAll(name, `\`, "/")
	return slices.ContainsFunc(foreign, func(f string) bool { return strings.Contains(name, f) }) ||
		vendoredPHP.MatchString(name)
}
