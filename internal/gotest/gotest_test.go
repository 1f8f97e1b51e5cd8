package gotest_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gotest"
)

// module is a package for each way in which tests end.
const module = `
-- go.mod --
module example.com/m

go 1.26
-- good/x_test.go --
package good

import "testing"

func TestA(t *testing.T) {}
func TestB(t *testing.T) { t.Skip("not today") }
-- none/x.go --
package none
-- bad/x_test.go --
package bad

import "testing"

func TestA(t *testing.T) { t.Run("b/c d", func(t *testing.T) { t.Error("it is wrong") }) }
func TestB(t *testing.T) {}
-- panics/x_test.go --
package panics

import "testing"

func TestA(t *testing.T) { panic("boom") }
func TestB(t *testing.T) {}
-- exits/x_test.go --
package exits

import ("os"; "testing")

func TestA(t *testing.T) { t.Log("on the way out"); os.Exit(1) }
-- exitsmain/x_test.go --
package exitsmain

import ("os"; "testing")

func TestMain(m *testing.M) { m.Run(); os.Exit(3) }
func TestA(t *testing.T) {}
`

func write(t *testing.T, archive string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, f.Data, 0o600))
	}
	return dir
}

func TestEachWayInWhichTestsEndIsReported(t *testing.T) {
	t.Parallel()
	var events bytes.Buffer
	var ended []string
	report, err := gotest.Run(t.Context(), gotest.Options{
		Dir: write(t, module), Args: []string{"./..."}, Events: &events,
		Ended: func(p gotest.Package) { ended = append(ended, p.Path) },
	})
	require.NoError(t, err)
	require.False(t, report.OK())
	require.False(t, report.NotBuilt)
	require.Equal(t, 8, report.Ran, "TestB of panics is not started")
	packages := map[string]gotest.Package{}
	for i, p := range report.Packages {
		require.Equal(t, p.Path, ended[i])
		packages[strings.TrimPrefix(p.Path, "example.com/m/")] = p
	}
	require.Len(t, packages, 6)

	good := packages["good"]
	require.True(t, good.OK && good.Complete)
	require.Equal(t, []int{1, 1, 0}, []int{good.Passed, good.Skipped, len(good.Failed)})
	require.Regexp(t, `^ok\s+example.com/m/good\s`, good.Result)
	require.True(t, packages["none"].OK)
	require.Contains(t, packages["none"].Result, "[no test files]")

	bad := packages["bad"]
	require.True(t, !bad.OK && bad.Complete)
	require.Len(t, bad.Failed, 2)
	require.False(t, bad.NotBuilt)
	require.Equal(t, "TestA/b/c_d", bad.Failed[0].Name)
	require.Equal(t, "TestA", bad.Failed[0].Root())
	require.Contains(t, bad.Failed[0].Output, "it is wrong")
	require.Equal(t, "TestA", bad.Failed[1].Name)
	require.Equal(t, 1, bad.Passed)

	for name, says := range map[string]string{"exits": "on the way out", "exitsmain": "PASS"} {
		p := packages[name]
		require.False(t, p.OK || p.Complete, name)
		require.Empty(t, p.Failed, name)
		require.Contains(t, p.Output, says)
		require.Regexp(t, `^FAIL\s`, p.Result)
	}
	require.False(t, packages["panics"].OK || packages["panics"].Complete)
	require.Contains(t, packages["panics"].Failed[0].Output, "boom")
	require.Len(t, report.Failed(), 3)

	again, err := gotest.Read(&events, nil)
	require.NoError(t, err)
	require.Equal(t, report.Packages, again.Packages, "what was recorded is what was read")
}

func TestCodeThatIsNotBuiltIsNoFailedTest(t *testing.T) {
	t.Parallel()
	dir := write(t, module+"-- x/x_test.go --\npackage x\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { y() }\n"+
		"-- vet/x_test.go --\npackage vet\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Errorf(\"%d\", \"x\") }\n")
	for pkg, says := range map[string]string{"./x": "undefined: y", "./nowhere": "nowhere", "./vet": "wrong type"} {
		report, err := gotest.Run(t.Context(), gotest.Options{Dir: dir, Args: []string{pkg}})
		require.NoError(t, err)
		require.True(t, report.NotBuilt, pkg)
		require.True(t, report.Packages[0].NotBuilt, pkg)
		require.False(t, report.OK(), pkg)
		require.Contains(t, report.Said, says)
	}
}

func TestGoThatCannotBeRunIsAnError(t *testing.T) {
	t.Parallel()
	_, err := gotest.Run(t.Context(), gotest.Options{Dir: filepath.Join(t.TempDir(), "nowhere"), Args: []string{"."}})
	require.ErrorContains(t, err, "running go")
	_, err = gotest.Read(strings.NewReader("{\"Action\":\"run\"}\nno JSON"), nil)
	require.ErrorContains(t, err, "reading the output of go test")
}

func FuzzRead(f *testing.F) {
	f.Add(`{"Action":"run","Package":"p","Test":"T"}{"Action":"fail","Package":"p","Test":"T"}` +
		`{"Action":"output","Package":"p","Output":"FAIL\n"}{"Action":"fail","Package":"p"}`)
	f.Add(`{"Action":"build-fail","ImportPath":"p"}{"Action":"fail","Package":"p","FailedBuild":"p"}`)
	f.Fuzz(func(t *testing.T, text string) {
		ended := 0
		report, err := gotest.Read(strings.NewReader(text), func(gotest.Package) { ended++ })
		require.Len(t, report.Packages, ended)
		if err == nil && report.OK() {
			for _, p := range report.Packages {
				require.True(t, p.OK)
			}
		}
	})
}
