package lexer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALanguageIsKnownByNameShebangExtensionAndContent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, content string
		want          Language
	}{
		{"lib/a.py", "", "Python"},
		{"A.PY", "", "Python"},
		{"Makefile", "", "Makefile"},
		{"Rakefile", "", "Ruby"},
		{"go.mod", "", "Go Module"},
		{"bin/run", "#!/usr/bin/env -S LANG=C python3.12 -u\n", "Python"},
		{"bin/run", "#!/bin/bash\n", "Shell"},
		{"bin/run", "#! /usr/bin/perl -w\n", "Perl"},
		{"bin/run", "#!/usr/bin/env\n", ""},
		{"bin/run", "#!\n", ""},
		{"bin/run", "text", ""},
		{"a.unknown", "text", ""},
		{"a.h", "int f(void);\n", "C"},
		{"a.h", "class A { public:\n  A();\n};\n#include <vector>\n", "C++"},
		{"a.m", "#import <Foundation/Foundation.h>\n@interface A\n@end\n", "Objective-C"},
		{"a.ts", "export const a = 1\n", "TypeScript"},
		{"a.tsx", "export const a = <b/>\n", "TSX"},
		{"a.rs", "fn main() {}\n", "Rust"},
		{"a.php", "<?php echo 1;\n", "PHP"},
		{"a.sql", "SELECT 1;\n", "SQL"},
		{"a.cs", "namespace A;\n", "C#"},
		{"a.md", "# A\n", "Markdown"},
		{"a.d.ts", "declare const a: number\n", "TypeScript"},
	} {
		require.Equal(t, c.want, Detect(c.name, []byte(c.content)), "%s: %s", c.name, c.content)
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("a.h", "#include <vector>")
	f.Add("run", "#!/usr/bin/env -S a=b")
	f.Fuzz(func(t *testing.T, name, content string) {
		require.Equal(t, Detect(name, []byte(content)), Detect(name, []byte(content)))
	})
}
