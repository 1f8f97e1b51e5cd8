package caution

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASuppressedCheckIsNamed(t *testing.T) {
	t.Parallel()
	for path, line := range map[string]string{
		"a.go": "var a = b() //nolint:errcheck", "a.py": "import a  # noqa: F401", "b.py": "a = 1  # type: ignore[x]",
		"a.js": "// eslint-disable-next-line no-eval", "a.ts": "// @ts-ignore", "c.go": "a() // #nosec G204",
		"a.rb": "a # rubocop:disable Style/A", "a.php": "<?php // @phpstan-ignore-next-line",
	} {
		require.Len(t, only(LoweredCheck, changed(path, "", line+"\n")), 1, path)
		require.Empty(t, only(LoweredCheck, changed("tests/"+path, "", line+"\n")), "%s of a test", path)
	}
	require.Empty(t, only(LoweredCheck, changed("a.py", "a = 1  # type: ignore[x]\n", "a = 2  # type: ignore[x]\n")),
		"it was there")
	require.Len(t, only(LoweredCheck, changed("a.py", "a = 1  # type: ignore[x]\n", "a = 2  # type: ignore\n")), 1,
		"of more")
	require.Empty(t, only(LoweredCheck, changed("a.py", "", "a = \"# noqa: F401\"\n")), "a string")
	require.Empty(t, only(LoweredCheck, changed("a.md", "", "# noqa: F401\n")), "text for people")
	for path, line := range map[string]string{"a.java": "@SuppressWarnings(\"unchecked\")", "a.kt": "@Suppress(\"A\")",
		"a.rs": "#[allow(dead_code)]", "b.java": "//noinspection unchecked"} {
		require.Empty(t, found(changed(path, "", line+"\n")), "%s: a warning of a compiler is no check", path)
	}
}

func TestSettingsOfALinterThatAreDeletedAreNamed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{".golangci.yml", "mypy.ini", "web/.eslintrc.json", ".coveragerc"} {
		require.Equal(t, []string{path + ":0"}, only(LoweredCheck, changed(path, "a: strict\nb: deep\n", "")), path)
		require.Empty(t, only(LoweredCheck, changed(path, "a: strict\nb: deep\n", ""),
			changed("other/"+path, "", "a: strict\nb: deep\n")), "%s: moved", path)
	}
	require.Empty(t, only(LoweredCheck, changed("package.json", "{\"name\": \"a\"}\n", "")), "it has more than that")
}

func TestATrustedCertificateIsNamed(t *testing.T) {
	t.Parallel()
	for path, line := range map[string]string{
		"a.go": "c := tls.Config{InsecureSkipVerify: true}", "a.py": "get(u, verify=False)",
		"a.js": "f({ rejectUnauthorized: false })", "a.sh": "curl -sk $U", "b.sh": "curl -k $U",
		"c.sh": "wget --no-check-certificate $U", "a.rb": "a = OpenSSL::SSL::VERIFY_NONE",
		"a.php": "<?php curl_setopt($c, CURLOPT_SSL_VERIFYPEER, false);", "a.rs": "b.danger_accept_invalid_certs(true)",
	} {
		require.Len(t, only(LoweredCheck, changed(path, "", line+"\n")), 1, path)
		require.Empty(t, only(LoweredCheck, changed("tests/"+path, "", line+"\n")), "%s of a test", path)
	}
	require.Empty(t, only(LoweredCheck, changed("a.go", "", "// InsecureSkipVerify: true would be wrong\n")))
}

func TestAStepThatMayFailIsNamed(t *testing.T) {
	t.Parallel()
	for path, line := range map[string]string{
		"Makefile": "a:\n\tgo test || true", "ci/a.yml": "    continue-on-error: true", "a.sh": "mvn -DskipTests",
		"package.json": `{"scripts":{"test":"jest || exit 0"}}`,
	} {
		require.Len(t, only(LoweredCheck, changed(path, "", line+"\n")), 1, path)
	}
	require.Empty(t, only(LoweredCheck, changed("a.js", "", "const a = b || true\n")), "an operator of the language")
	require.Empty(t, only(LoweredCheck, changed("Makefile", "a:\n\tgo test ./a || true\n", "a:\n\tgo test ./b || true\n")))
}

func TestARuleThatIsTurnedOffIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, before, after, want string }{
		{".eslintrc.json", "{\n\"rules\": {\n}}\n", "{\n\"rules\": {\n\"no-eval\": \"off\"\n}}\n",
			`.eslintrc.json:3 "no-eval": "off"`},
		{".rubocop.yml", "A/B:\n  Enabled: true\n", "A/B:\n  Enabled: false\n", ".rubocop.yml:2 Enabled: false"},
		{"ruff.toml", "ignore = [\n\"E1\",\n]\n", "ignore = [\n\"E1\",\n\"S1\",\n]\n", `ruff.toml:3 "S1",`},
		{"pyproject.toml", "[tool.ruff]\nignore = [\"E1\"]\n", "[tool.ruff]\nignore = [\"E1\", \"S1\"]\n",
			`pyproject.toml:2 ignore = ["E1", "S1"]`},
		{"tsconfig.json", "{\n\"strict\": true\n}\n", "{\n\"strict\": false\n}\n", `tsconfig.json:2 "strict": false`},
		{".golangci.yml", "disable:\n  - a\n", "disable:\n  - a\n  - gosec\n", ".golangci.yml:3 - gosec"},
		{".coveragerc", "[run]\nomit =\n  a\n", "[run]\nomit =\n  a\n  src/b.py\n", ".coveragerc:4 src/b.py"},
	} {
		require.Equal(t, []string{c.want}, only(LoweredCheck, changed(c.path, c.before, c.after)), c.path)
		require.Empty(t, only(LoweredCheck, changed(c.path, c.after, c.before)), "%s: on again", c.path)
	}
}

func TestWhatIsLeftOutOfAPackageIsNoCheck(t *testing.T) {
	t.Parallel()
	require.Empty(t, only(LoweredCheck, changed("pyproject.toml", "[tool.setuptools.packages.find]\n",
		"[tool.setuptools.packages.find]\nexclude = [\"docs\"]\n")))
	require.Empty(t, only(LoweredCheck, changed("pyproject.toml", "[tool.ruff]\nignore = [\"E1\", \"E2\"]\n",
		"[tool.ruff]\nignore = [\"E1\"]\n")), "a shorter list turns a rule on")
}

func TestALoweredThresholdIsNamed(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{".coveragerc:1 fail_under = 8"}, only(LoweredCheck, changed(".coveragerc",
		"fail_under = 80\n", "fail_under = 8\n")))
	require.Empty(t, only(LoweredCheck, changed(".coveragerc", "fail_under = 80\n", "fail_under = 81\n")))
	require.Equal(t, []string{"package.json:1 max-warnings 9"}, only(LoweredCheck, changed("package.json",
		`{"scripts":{"l":"eslint --max-warnings 0"}}`+"\n", `{"scripts":{"l":"eslint --max-warnings 9"}}`+"\n")))
	require.Empty(t, only(LoweredCheck, changed("a.go", "threshold = 8\n", "threshold = 7\n")), "not of a check")
	require.Empty(t, only(LoweredCheck, changed("pom.xml", "<target>17</target>\n", "<target>1.8</target>\n")),
		"the version of a language")
}

func TestAnExceptionOfAGuardIsNamed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{".gitleaks.toml", ".gitleaksignore", ".trivyignore", ".snyk", ".semgrepignore",
		"osv-scanner.toml", ".sops.yaml", "ops/authorized_keys", "KEYS", "cosign.pub", "allowed_signers"} {
		require.Equal(t, []string{path + ":2 b c"}, only(LoweredCheck, changed(path, "a\n", "a\nb c\n")), path)
		require.Equal(t, []string{path + ":1 b c"}, only(LoweredCheck, changed(path, "", "b c\n")), path)
		require.Empty(t, only(LoweredCheck, changed(path, "a\nb c\n", "a\n")), "%s: one less", path)
		require.Empty(t, only(LoweredCheck, changed(path, "a\n", "a\n# why\n")), "%s: a comment", path)
		require.Empty(t, only(LoweredCheck, changed("testdata/"+path, "a\n", "a\nb c\n")), "%s of a test", path)
	}
	require.Empty(t, found(changed("src/keys", "a\n", "a\nb c\n")))
}
