package lexical

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhichFilesAreSources(t *testing.T) {
	t.Parallel()
	for _, name := range strings.Fields(`a.go a.py a.pyi a.pyx a.js a.mjs a.ts a.d.ts a.tsx a.vue a.svelte a.java a.kt 
		a.kts a.scala a.cs a.fs a.rs a.rb a.c a.h a.cc a.hpp a.php a.blade.php a.swift a.m a.lua a.ex a.hs a.jl a.r a.R a.pl a.zig
		a.sh a.ps1 a.vim a.y a.tf a.proto a.sql a.css a.scss A.PY deep/folder/a.go
		a.erb a.html.erb a.jinja a.j2 a.hbs a.mustache a.ejs a.twig a.tmpl`) {
		require.True(t, IsSource(name), name)
	}
	for _, name := range strings.Fields(`a.md a.mdx a.rst a.adoc a.txt a.json a.yml a.yaml a.toml a.ini a.xml a.html a.svg
		a.csv a.lock a.po a.mo a.snap a.map a.ipynb a.png a.1 go.mod go.sum LICENSE README a a.unknown . .go.md`) {
		require.False(t, IsSource(name), name)
	}
}

func TestWhichFilesAreTests(t *testing.T) {
	t.Parallel()
	for _, name := range strings.Fields(`
		bot/words_test.go bot/testdata/a.go test/a.go
		test_words.py words_test.py conftest.py tests.py pkg/tests/helper.py
		src/test/java/acme/Words.java src/main/java/WordsTest.java WordsTests.java WordsTestCase.java WordsIT.java
		app/src/androidTest/kotlin/Words.kt lib/src/commonTest/kotlin/Words.kt WordsSpec.kt src/testFixtures/java/A.java
		words.test.js words.spec.ts words-test.js words_test.mjs words.test.tsx src/__tests__/words.js
		src/__mocks__/words.js e2e/login.ts
		spec/words_spec.rb lib/words_spec.rb test/words_test.rb
		tests/words.rs src/words/tests.rs src/words_test.rs
		Acme.Tests/Words.cs WordsTests.cs tests/WordsTest.php src/WordsTest.php
		Tests/WordsTests.swift WordsTests.swift words_unittest.cc words_test.exs t/words.t fixtures/words.json`) {
		require.True(t, IsTest(name), name)
	}
	for _, name := range strings.Fields(`
		latest.go Latest.java contest/words.go contests/Contest.java attest.py protest.rb greatest.ts
		detekt-test-utils/src/main/kotlin/Words.kt detekt-test/src/main/kotlin/Words.kt
		testing/testing.go src/testing/words.py testlib/words.py test.go/words.go
		api/openapi-spec.yaml openapi_spec.json docs/words-test.md spec.rs words_specs.go
		tester.py testify.go Unit.java Commit.java AWAIT.kt.md inspect.py inspector/words.rb`) {
		require.False(t, IsTest(name), name)
	}
}

func TestLanguagesOfSources(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.go": "Go", "a.py": "Python", "a.rs": "Rust", "a.ts": "TypeScript", "a.tsx": "TSX", "a.h": "C", "a.cs": "C#",
		"a.php": "PHP", "a.m": "Objective-C", "a.sql": "SQL", "a.kt": "Kotlin", "a.PY": "Python", "Makefile": "Makefile",
		"a.nothing": "other", "": "other",
	} {
		require.Equal(t, want, Language(name), name)
	}
}
