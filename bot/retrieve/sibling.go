package retrieve

import (
	"path"
	"slices"
	"strings"
)

// siblingForms are how the tests of a file are called, by its extension; * stands for its name without that.
var siblingForms = map[string][]string{
	".go":   {"*_test.go"},
	".py":   {"test_*.py", "*_test.py"},
	".js":   {"*.test.js", "*.spec.js"},
	".jsx":  {"*.test.jsx", "*.spec.jsx"},
	".mjs":  {"*.test.mjs", "*.spec.mjs"},
	".ts":   {"*.test.ts", "*.spec.ts"},
	".tsx":  {"*.test.tsx", "*.spec.tsx"},
	".java": {"*Test.java", "*Tests.java"},
	".kt":   {"*Test.kt", "*Tests.kt"},
	".cs":   {"*Tests.cs", "*Test.cs"},
	".rb":   {"*_spec.rb", "*_test.rb"},
	".php":  {"*Test.php"},
	".rs":   {"*_test.rs", "*_tests.rs"},
	".cpp":  {"*_test.cpp"},
	".cc":   {"*_test.cc"},
	".c":    {"*_test.c", "test_*.c"},
	".ex":   {"*_test.exs"},
}

// siblings are the tests of a file, or what a test tests: the file of such a name that is nearest to it.
func (x *fileIndex) siblings(name string) (out []string) {
	base, ext := path.Base(name), path.Ext(name)
	stem := strings.TrimSuffix(base, ext)
	for _, form := range siblingForms[ext] {
		if f := x.nearest(name, strings.ReplaceAll(form, "*", stem)); f != "" {
			out = append(out, f)
		}
		head, tail, _ := strings.Cut(form, "*")
		if tested := strings.TrimSuffix(strings.TrimPrefix(base, head), tail); tested != "" && head+tested+tail == base {
			if f := x.nearest(name, tested+ext); f != "" {
				out = append(out, f)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// nearest is the file of a base name in the folder of name, else the only one there is; empty when there is none.
func (x *fileIndex) nearest(name, base string) string {
	if beside := path.Join(path.Dir(name), base); x.has(beside) {
		return beside
	}
	if all := x.ofBase(base); len(all) == 1 && all[0] != name {
		return all[0]
	}
	return ""
}
