package caution

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// suites are two tests in several languages: the first, the second, and the file of both.
var suites = []struct{ path, first, second, name string }{
	{"a_test.go", "func TestA(t *testing.T) {\n\tcheckA(t)\n\tcheckB(t)\n}\n", "func TestB(t *testing.T) {\n" +
		"\tcheckC(t)\n}\n", "TestA"},
	{"test_a.py", "def test_a():\n    check_a()\n    check_b()\n", "def test_b():\n    check_c()\n", "test_a"},
	{"src/a.rs", "#[test]\nfn a_adds() {\n    check_a();\n    check_b();\n}\n", "#[test]\nfn b_adds() {\n" +
		"    check_c();\n}\n", "a_adds"},
	{"src/test/java/ATest.java", "  @Test\n  public void addsA() {\n    checkA();\n    checkB();\n  }\n",
		"  @Test\n  public void addsB() {\n    checkC();\n  }\n", "addsA"},
	{"src/test/kotlin/ATest.kt", "  @Test fun `adds a`() {\n    checkA()\n    checkB()\n  }\n", "  @Test fun b() {\n" +
		"    checkC()\n  }\n", "adds a"},
	{"a.spec.ts", "it('adds a', () => {\n  checkA()\n  checkB()\n})\n", "it('adds b', () => {\n  checkC()\n})\n",
		"adds a"},
	{"spec/a_spec.rb", "it 'adds a' do\n  check_a\n  check_b\nend\n", "it 'adds b' do\n  check_c\nend\n", "adds a"},
	{"test/a_test.exs", "test \"adds a\" do\n  check_a()\n  check_b()\nend\n", "test \"adds b\" do\n  check_c()\n" +
		"end\n", "adds a"},
	{"tests/ATest.php", "public function testA() {\n  check_a();\n  check_b();\n}\n", "public function testB() {\n" +
		"  check_c();\n}\n", "testA"},
}

func TestADeletedTestIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range suites {
		both := c.first + "\n" + c.second
		require.Equal(t, []string{c.path + ":0 " + c.name}, only(DeletedTest, changed(c.path, both, c.second)), c.path)
		require.Empty(t, only(DeletedTest, changed(c.path, c.second, both)), c.path)
		require.Empty(t, only(DeletedTest, changed(c.path, both, c.second), changed("other/"+c.path, "", c.first)),
			"%s: moved", c.path)
		require.Empty(t, only(DeletedTest, changed(c.path, both, c.second+"\n"+c.first)), "%s: in another order", c.path)
	}
}

func TestADeletedTestIsNamedWhereAnotherFileHasOneOfItsName(t *testing.T) {
	t.Parallel()
	const text = "func TestA(t *testing.T) {\n\tcheck%s(t)\n\tcheck%s(t)\n}\n"
	other := fmt.Sprintf(text, "C", "D")
	require.Equal(t, []string{"a/a_test.go:0"}, only(DeletedTest, changed("a/a_test.go", fmt.Sprintf(text, "A", "B"), ""),
		changed("b/b_test.go", other, other+"// b\n")))
}

func TestADeletedFileOfTestsIsNamedOnce(t *testing.T) {
	t.Parallel()
	for _, c := range suites {
		if c.path == "src/a.rs" { // a file that has tests too
			continue
		}
		both := c.first + "\n" + c.second
		require.Equal(t, []string{c.path + ":0"}, only(DeletedTest, changed(c.path, both, "")), c.path)
		require.Empty(t, only(DeletedTest, changed(c.path, both, ""), changed("moved/"+c.path, "", both)), c.path)
	}
	require.Equal(t, []string{"tests/a_test.c:0"}, only(DeletedTest, changed("tests/a_test.c", "check_a();\n", "")),
		"of a language whose tests are not known")
	require.Empty(t, only(DeletedTest, changed("tests/Helper.java", "class Helper {\n  int a;\n}\n", "")),
		"what tests use is none")
	require.Empty(t, only(DeletedTest, changed("tests/data.json", "{\"a\": 1}\n", "")), "data is no test")
}

func TestARenamedOrIndentedTestIsThere(t *testing.T) {
	t.Parallel()
	require.Empty(t, only(DeletedTest, changed("test_a.py", "def test_a():\n    check_a()\n    check_b()\n",
		"def test_other_name():\n    check_a()\n    check_b()\n")))
	require.Empty(t, only(DeletedTest, changed("test_a.py", "def test_a():\n    check_a()\n    check_b()\n",
		"class TestA:\n    def test_a(self):\n        check_a()\n        check_b()\n")))
	require.Equal(t, []string{"test_a.py:0 test_a"}, only(DeletedTest, changed("test_a.py",
		"def test_a():\n    check_a()\n    check_b()\n", "def test_none():\n    pass\n")), "another one is in its place")
}

func TestATestThatIsSkippedNowIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, before, after, want string }{
		{"test_a.py", "def test_a():\n    a()\n", "@pytest.mark.skip(reason='x')\ndef test_a():\n    a()\n",
			"test_a.py:1 pytest.mark.skip"},
		{"a_test.go", "func TestA(t *testing.T) {\n\ta()\n}\n", "func TestA(t *testing.T) {\n\tt.Skip(\"x\")\n\ta()\n" +
			"}\n", "a_test.go:2 t.Skip("},
		{"ATest.java", "@Test\nvoid a() {\n}\n", "@Disabled\n@Test\nvoid a() {\n}\n", "ATest.java:1 @Disabled"},
		{"a.rs", "#[test]\nfn a() {\n}\n", "#[test]\n#[ignore]\nfn a() {\n}\n", "a.rs:2 #[ignore"},
		{"a.test.js", "it('a', () => {\n})\n", "it.skip('a', () => {\n})\n", "a.test.js:1 it.skip"},
		{"a_spec.rb", "it 'a' do\n  x\nend\n", "xit 'a' do\n  x\nend\n", "a_spec.rb:1 xit"},
		{"a.test.js", "it('a', () => {\n})\n", "it('a', () => {\n})\nit.only('b', () => {\n})\n", "a.test.js:3 it.only"},
	} {
		require.Contains(t, only(DeletedTest, changed(c.path, c.before, c.after)), c.want)
		require.NotContains(t, only(DeletedTest, changed(c.path, c.after, c.before)), c.want, "it runs again")
	}
	require.Empty(t, found(changed("test_a.py", "def test_a():\n    a()\n",
		"def test_a():\n    a()\n\n@pytest.mark.skipif(windows)\ndef test_b():\n    b()\n")), "a new test may be skipped")
	require.Empty(t, found(changed("ATest.java", "@Ignore\n@Test\nvoid a() {\n}\n", "@Disabled\n@Test\nvoid a() {\n}\n")),
		"it was skipped before")
	require.Empty(t, found(changed("test_a.py", "a = 1\n", "a = 1\n# see pytest.mark.skip\nb = \"t.Skip(\"\n")))
}
