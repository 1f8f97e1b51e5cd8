package lexical

import (
	"path"
	"slices"
	"strings"

	"github.com/go-enry/go-enry/v2/data"
)

// IsSource reports whether a file is in a programming language, by its name.
func IsSource(name string) bool {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	if slices.Contains(notSources, ext) {
		return false
	}
	if HasOutline(name) {
		return true
	}
	languages, ok := data.LanguagesByFilename[base]
	if !ok {
		languages = data.LanguagesByExtension[ext]
	}
	return slices.ContainsFunc(languages, func(language string) bool {
		kind := data.LanguagesType[language]
		return kind == programming || kind == markup
	})
}

// Language returns the name of the language of a source file, as linguist calls it; "other" if it is not known.
func Language(name string) string {
	base := path.Base(name)
	ext := strings.ToLower(path.Ext(base))
	if language, ok := usualLanguages[ext]; ok {
		return language
	}
	for _, languages := range [][]string{data.LanguagesByFilename[base], data.LanguagesByExtension[ext]} {
		if len(languages) > 0 {
			return languages[0]
		}
	}
	return "other"
}

// usualLanguages are those that people mean where linguist knows several for an extension and the usual one is not its
// first.
var usualLanguages = map[string]string{
	".rs": "Rust", ".php": "PHP", ".cs": "C#", ".pl": "Perl", ".m": "Objective-C", ".sql": "SQL", ".fs": "F#",
	".v": "Verilog", ".r": "R", ".t": "Perl", ".h": "C", ".ts": "TypeScript", ".tsx": "TSX", ".jl": "Julia",
}

// The types of go-enry's data.Type: programming languages and markup, as opposed to data and prose.
const (
	programming = 2
	markup      = 3
)

// notSources are extensions that a programming language shares with data or prose, and those of files that programs
// write.
var notSources = []string{
	"", ".md", ".txt", ".json", ".yml", ".yaml", ".xml", ".svg", ".csv", ".lock", ".rst", ".toml", ".ini", ".cfg", ".map",
	".mdx", ".mo", ".html", ".htm", ".xhtml", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".po", ".pot", ".snap",
	".ipynb", ".x",
}

// IsTest reports whether a file is a test or belongs to one, by the conventions of languages and build tools.
func IsTest(name string) bool {
	folders := strings.Split(name, "/")
	base := folders[len(folders)-1]
	for _, folder := range folders[:len(folders)-1] {
		if testFolders[strings.ToLower(folder)] {
			return true
		}
		for part := range strings.SplitSeq(folder, ".") { // of C#: Shop.IntegrationTests.Net8
			if hasAnySuffix(part, "Test", "Tests") {
				return true
			}
		}
	}
	if !IsSource(base) {
		return false
	}
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	lower := strings.ToLower(stem)
	switch {
	case ext == ".t", strings.HasPrefix(lower, "test_"), lower == "conftest", lower == "test", lower == "tests":
		return true
	case hasAnySuffix(lower, "_test", "_tests", "_spec", "-test", "-spec", ".test", ".tests", ".spec", "_unittest"):
		return true
	case ext == ".java" || ext == ".kt" || ext == ".cs" || ext == ".scala" || ext == ".php" || ext == ".groovy" ||
		ext == ".swift":
		return hasAnySuffix(stem, "Test", "Tests", "TestCase", "Spec", "IT")
	}
	return false
}

var testFolders = map[string]bool{
	"test": true, "tests": true, "spec": true, "specs": true, "__tests__": true, "testdata": true, "__mocks__": true,
	"fixtures": true, "e2e": true, "testresources": true, "testfixtures": true,
}

func hasAnySuffix(s string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}

// besideFolders are names of folders whose files are beside the product: they document, show, build or translate it,
// and are seldom what is wrong. besideFiles are names of files that build it.
var (
	besideFolders = setOf("docs doc website site examples example samples sample demo demos benchmark benchmarks bench " +
		"benches scripts script tools ci .github complete completion completions contrib packaging locale locales i18n " +
		"static build hack themes extras documentation sites playground playgrounds sandbox tutorial tutorials stories")
	besideFiles = setOf("setup.py build.rs gruntfile.js gulpfile.js rakefile webpack.config.js noxfile.py tasks.py")
	besideEnds  = []string{
		".config.js", ".config.ts", ".config.mjs", ".config.cjs", "rc.js", ".gradle.kts", ".gradle", ".tpl",
	}
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// isBeside reports whether a file is beside the product, by its path.
func isBeside(name string) bool {
	name = strings.ToLower(name)
	for {
		folder, rest, ok := strings.Cut(name, "/")
		if !ok {
			return besideFiles[name] || hasAnySuffix(name, besideEnds...)
		}
		if besideFolders[folder] {
			return true
		}
		name = rest
	}
}
