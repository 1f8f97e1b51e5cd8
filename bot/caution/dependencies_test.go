package caution

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestANewDependencyIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, before, after, want string }{
		{"go.mod", "module a\nrequire b.c/d v1.0.0\n", "module a\nrequire b.c/d v1.1.0\nrequire b.c/e v1.0.0\n",
			"go.mod:3 b.c/e"},
		{"package.json", `{"dependencies":{"a":"1"}}`, `{"dependencies":{"a":"2","b":"1"}}`, "package.json:1 b"},
		{"package.json", `{"devDependencies":{}}`, `{"devDependencies":{"@s/b":"1"}}`, "package.json:1 @s/b"},
		{"composer.json", `{"require":{}}`, `{"require":{"s/b":"^1"}}`, "composer.json:1 s/b"},
		{"requirements-dev.txt", "a==1\n", "a==2\nB_c[x]>=1 ; python_version > '3'\n", "requirements-dev.txt:0 b-c"},
		{"requirements/docs.txt", "a\n", "a\nb # why\n", "requirements/docs.txt:2 b"},
		{"pyproject.toml", "[project]\nname = \"a\"\ndependencies = []\n", "[project]\nname = \"a\"\n" +
			"dependencies = [\"a[x]\", \"b>1\"]\n",
			"pyproject.toml:3 b"},
		{"pyproject.toml", "[dependency-groups]\n", "[dependency-groups]\ndev = [\"b>1\"]\n", "pyproject.toml:2 b"},
		{"pyproject.toml", "[tool.poetry.dependencies]\npython = \"3\"\n", "[tool.poetry.dependencies]\n" +
			"python = \"3\"\nb = \"1\"\n",
			"pyproject.toml:3 b"},
		{"setup.cfg", "[options]\ninstall_requires =\n  a\n", "[options]\ninstall_requires =\n  a\n  b>1\n", "setup.cfg:4 b"},
		{"Cargo.toml", "[dependencies]\na = \"1\"\n", "[dependencies]\na = \"2\"\nb = { version = \"1\" }\n" +
			"c = { path = \"../c\" }\n",
			"Cargo.toml:3 b"},
		{"Cargo.toml", "[dependencies]\n", "[dependencies]\nb = { package = \"real\", version = \"1\" }\n",
			"Cargo.toml:2 real"},
		{"Gemfile", "gem 'a'\n", "gem 'a', '2'\ngem \"b\"\n", "Gemfile:2 b"},
		{"a.gemspec", "s.a\n", "s.a\ns.add_runtime_dependency 'b', '1'\n", "a.gemspec:2 b"},
		{"build.gradle.kts", "dependencies {\n}\n", "dependencies {\n  api(\"o.g:b:1\")\n}\n", "build.gradle.kts:2 o.g:b"},
		{"libs.versions.toml", "[libraries]\n", "[libraries]\nb = { module = \"o.g:b\", version = \"1\" }\n",
			"libs.versions.toml:2 o.g:b"},
		{"environment.yml", "dependencies:\n  - a=1.0\n", "dependencies:\n  - a=1.1\n  - conda-forge::b\n",
			"environment.yml:3 b"},
		{"environment.yml", "dependencies:\n- pip:\n  - a\n", "dependencies:\n- pip:\n  - a\n  - b>=1\n",
			"environment.yml:4 b"},
		{"requirements.in", "a\n", "a\nb\n", "requirements.in:2 b"}, {"requirements/x.in", "a\n", "a\nb\n",
			"requirements/x.in:2 b"},
		{"deno.jsonc", "{ // c\n}", "{ // c\n\"imports\": {\"c\": \"npm:b@1\"}}", "deno.jsonc:2 b"},
		{"bower.json", "{}", `{"dependencies": {"b": "1"}}`, "bower.json:1 b"},
		{"Pipfile", "[packages]\na = \"*\"\n", "[packages]\na = \"*\"\nb = \"*\"\n", "Pipfile:3 b"},
		{"run.py", "# /// script\n# dependencies = []\n# ///\n",
			"# /// script\n# dependencies = [\n#   \"b>1\",\n# ]\n# ///\n",
			"run.py:3 b"},
		{"build.sbt", "a\n", "a\nlibraryDependencies += \"o.g\" %% \"b\" % \"1\"\n", "build.sbt:2 o.g:b"},
		{"mix.exs", "[\n]\n", "[\n{:b, \"~> 1\"}\n]\n", "mix.exs:2 b"},
		{"a.csproj", "<Project>\n", "<Project>\n<PackageReference Include=\"B.C\" Version=\"1\" />\n", "a.csproj:2 B.C"},
		{"pom.xml", "<project><groupId>own</groupId></project>\n", "<project><groupId>own</groupId><dependency>\n" +
			"<groupId>o.g</groupId><artifactId>b</artifactId></dependency><dependency><groupId>own</groupId>" +
			"<artifactId>c</artifactId></dependency></project>\n", "pom.xml:2 o.g:b"},
	} {
		require.Equal(t, []string{c.want}, only(Dependency, changed(c.path, c.before, c.after)), c.path)
		require.Empty(t, only(Dependency, changed(c.path, c.after, c.before)), "%s: one less", c.path)
		require.Empty(t, only(Dependency, changed(c.path, c.after, ""), changed("other/"+c.path, "", c.after)), "%s: moved",
			c.path)
	}
}

func TestADependencyFromAnotherPlaceIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, before, after, want string }{
		{"go.mod", "module a\nrequire b.c/d v1.0.0\n", "module a\nrequire b.c/d v1.0.0\nreplace b.c/d => e.f/d v1.0.0\n",
			"go.mod:3 b.c/d"},
		{"package.json", `{"dependencies":{"a":"1"}}`, `{"dependencies":{"a":"github:x/a"}}`, "package.json:1 a"},
		{"requirements.txt", "a\n", "--index-url https://x.dev/simple\na\n", "requirements.txt:1 https://x.dev/simple"},
		{"requirements.txt", "a\n", "a @ https://x.dev/a.whl\n", "requirements.txt:1 a"},
		{"environment.yml", "channels:\n  - a\n", "channels:\n  - a\n  - x\n", "environment.yml:3 x"},
		{"Cargo.toml", "[dependencies]\na = \"1\"\n", "[dependencies]\na = { git = \"https://x.dev/a\" }\n",
			"Cargo.toml:2 a"},
		{"Gemfile", "source 'https://rubygems.org'\n", "source 'https://x.dev'\n", "Gemfile:1 https://x.dev"},
		{"build.gradle", "a\n", "a\nmaven { url 'https://x.dev/m2' }\n", "build.gradle:2 https://x.dev/m2"},
		{"pom.xml", "<project></project>\n", "<project><repository><url>https://x.dev/m2</url></repository></project>\n",
			"pom.xml:1 https://x.dev/m2"},
	} {
		require.Equal(t, []string{c.want}, only(Source, changed(c.path, c.before, c.after)), c.path)
		require.Empty(t, only(Source, changed(c.path, c.after, c.after+"\n")), c.path)
	}
}

func TestWhatIsNoDependencyOfTheProjectIsNotNamed(t *testing.T) {
	t.Parallel()
	require.Empty(t, only(Dependency, changed("testdata/package.json", `{}`, `{"dependencies":{"b":"1"}}`)))
	require.Empty(t, only(Dependency, changed("p/package.json", `{}`, `{"dependencies":{"b":"workspace:*"}}`)))
	require.Empty(t, only(Dependency, changed("c/Cargo.toml", "[dependencies]\n", "[dependencies]\n"+
		"b = { workspace = true }\n")),
		"the manifest of the workspace names it")
	require.Empty(t, only(Dependency, changed("setup.py", "setup(install_requires=['Idna_x>=2'])\n", "setup()\n"),
		changed("pyproject.toml", "[project]\n", "[project]\ndependencies = [\"idna-x>=2\"]\n")), "a program named it")
}

func TestPackagesInEverydaySpellingsAreNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind                Kind
		path, before, after string
	}{
		"quotes in go.mod": {Dependency, "go.mod", "module a\n", "module a\nrequire \"api.partner.io/x\" v1.0.0\n"},
		"a repository of GitHub": {Source, "package.json", `{"dependencies": {"a": "1.0"}}`,
			`{"dependencies": {"a": "mallory/a"}}`},
		"another encoding": {Dependency, "pom.xml", "<project></project>", `<?xml version="1.0" encoding="ISO-8859-1"?>` +
			"<project><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId></dependency>" +
			"</dependencies></project>"},
		"single quotes": {Dependency, "a.csproj", "<Project/>\n", "<Project><PackageReference Include='Evil'/></Project>\n"},
		"an address":    {Source, "requirements.txt", "flask==1\n", "flask==1\ngit+https://github.com/mallory/x@main\n"},
	} {
		require.Len(t, only(c.kind, changed(c.path, c.before, c.after)), 1, name)
	}
}
