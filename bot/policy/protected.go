package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/secret"
)

// Protects reports whether no reply may change a path: one that is protected everywhere, or by the settings.
func (p Policy) Protects(name string) bool { return p.WhyProtected(name) != "" }

// WhyProtected returns why no reply may change a path, in any spelling that some file system takes for the same; empty
// if one may. It is a sentence without a full stop.
func (p Policy) WhyProtected(name string) string {
	if why := builtInProtection(name); why != "" {
		return why
	}
	if FitsGlob(p.Protected, name) {
		return "The settings protect this path"
	}
	return ""
}

// SecretInPath is why a file is protected whose path has a secret in it: whatever tells of a change would tell the
// secret.
const SecretInPath = "Its path has a secret in it, so tenon neither shows nor changes the file"

// builtInProtection returns why a path is protected everywhere; empty if it is not.
func builtInProtection(name string) string {
	if secret.InPath(name) {
		return SecretInPath
	}
	plain := plainPath(name)
	if isShort(plain) {
		return ShortName
	}
	parts := strings.Split(plain, "/")
	fits := func(pattern string) bool { return pathFits(pattern, parts) }
	code := isCode(parts[len(parts)-1])
	for _, p := range protections {
		if slices.ContainsFunc(p.paths, fits) || !code && slices.ContainsFunc(p.notCode, fits) {
			return p.why
		}
	}
	if parts[0] == ".github" && !slices.ContainsFunc(forReaders, fits) {
		return "GitHub, or an app on it, does what the files in .github say"
	}
	return ""
}

// pathFits reports whether a pattern of protections matches a plain path.
func pathFits(pattern string, parts []string) bool {
	pattern, folder := strings.CutSuffix(pattern, "/")
	switch {
	case strings.Contains(pattern, "/"):
		pattern = strings.TrimPrefix(pattern, "/")
		depth := strings.Count(pattern, "/") + 1
		if len(parts) < depth || len(parts) > depth && !folder {
			return false
		}
		return nameFits(pattern, strings.Join(parts[:depth], "/"))
	case folder:
		return slices.ContainsFunc(parts, func(part string) bool { return nameFits(pattern, part) })
	}
	return nameFits(pattern, parts[len(parts)-1])
}

func nameFits(pattern, name string) bool {
	if !strings.Contains(pattern, "*") {
		return pattern == name
	}
	fits, err := path.Match(pattern, name)
	return err == nil && fits
}

// isCode reports whether a plain name is one of source code, or of a test.
func isCode(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return slices.Contains(codeEndings, path.Ext(name)) || strings.HasSuffix(stem, "_test")
}

// codeEndings are endings of source code, none of which is one of a pipeline.
var codeEndings = []string{
	".go", ".py", ".rb", ".rs", ".java", ".js", ".ts", ".tsx", ".c", ".h", ".cc", ".cpp", ".cs", ".php", ".swift",
}
