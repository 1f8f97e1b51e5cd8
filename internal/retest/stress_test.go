package main

import (
	"bytes"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnderStressItIsCountedHowOftenEachTestFails(t *testing.T) {
	t.Parallel()
	root := module(t, good+`
func TestAlways(t *testing.T) {
	t.Log("about to fail")
	t.Run("sub", func(t *testing.T) { t.Error("it is wrong\nfor a reason") })
}

func TestEverySecond(t *testing.T) {
	runs, _ := os.ReadFile("runs")
	_ = os.WriteFile("runs", append(runs, 'x'), 0o600)
	if len(runs)%2 == 1 {
		t.Errorf("unlucky in run %d", 1+len(runs))
	}
}
`, good+`
func TestWithFourProcessors(t *testing.T) {
	if os.Getenv("GOMAXPROCS") == "4" {
		panic("boom")
	}
}
`, "\nfunc TestX(t *testing.T) { y() }\n")
	var out bytes.Buffer
	s := suite{root: root, out: &out}
	loops, ended := 0, false
	err := s.stress(t.Context(), 2, func(n int) (stop func()) {
		require.Contains(t, out.String(), "undefined: y", "it is built before")
		require.NoFileExists(t, filepath.Join(root, "a", "runs"))
		loops = n
		return func() { ended = true }
	}, []string{"./..."})
	require.EqualError(t, err, "tests and packages that failed at least once in 6 runs: 5")
	require.Equal(t, max(4, 2*runtime.NumCPU()), loops)
	require.True(t, ended)
	require.Equal(t, 6, runs(t, root, "a/runs"), "what failed is not run again")
	_, table, _ := strings.Cut(out.String(), "==> GOMAXPROCS=4, run 2 of 2\n")
	_, table, _ = strings.Cut(table, "\n\n6 of 6 runs")
	require.Equal(t, `: example.com/m/a TestAlways/sub (by GOMAXPROCS 1: 2, 2: 2, 4: 2)
    x_test.go:14: it is wrong
    for a reason

6 of 6 runs: example.com/m/c does not build, as the lines above say (by GOMAXPROCS 1: 2, 2: 2, 4: 2)

3 of 6 runs: example.com/m/a TestEverySecond (by GOMAXPROCS 1: 1, 2: 1, 4: 1)
    x_test.go:21: unlucky in run 2

2 of 6 runs: example.com/m/b TestWithFourProcessors (by GOMAXPROCS 4: 2)
    panic: boom [recovered, repanicked]

2 of 6 runs: example.com/m/b ended before its tests did (by GOMAXPROCS 4: 2)
    panic: boom [recovered, repanicked]
`, table)
}

func TestUnderStressTestsThatPassAreNoError(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := suite{root: module(t, good), out: &out}
	require.NoError(t, s.stress(t.Context(), 1, func(int) (stop func()) { return func() {} }, []string{"./..."}))
	require.NotContains(t, out.String(), " runs: ")
	err := run(t.Context(), &out, t.TempDir(), []string{"-stress", "1", "./..."})
	require.EqualError(t, err, "no package can be built; the lines above say why")
	require.Contains(t, out.String(), "does not contain main module")
}

// No other test keeps processors busy while this one is not parallel.
func TestBusyLoopsEndWhenTheyAreStopped(t *testing.T) {
	spinning := func() int {
		stacks := make([]byte, 1<<20)
		return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "retest.spin(")
	}
	procs := runtime.GOMAXPROCS(0)
	stop := busy(3)
	require.GreaterOrEqual(t, runtime.GOMAXPROCS(0), 3, "each has a thread")
	for spinning() < 3 {
		runtime.Gosched()
	}
	stop()
	for spinning() > 0 {
		runtime.Gosched()
	}
	require.Equal(t, procs, runtime.GOMAXPROCS(0))
}

func TestTheMessageOfAFailureIsItsFirstLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 200)
	for _, c := range []struct{ printed, want string }{
		{`=== RUN   TestA
    x_test.go:8: a log
    x_test.go:9: 
        	Error Trace:	/m/x_test.go:9
        	            				/m/y_test.go:3
        	Error:      	Not equal: 
        	            	expected: 1
        	            	actual  : 2
        	Test:       	TestA
        	Messages:   	why
--- FAIL: TestA (0.00s)
`, "x_test.go:9: Not equal:\nexpected: 1\nactual  : 2"},
		{"    x_test.go:8: a log\n    x_test.go:9: a\n        b\n        c\n        d\n        e\n--- FAIL: TestA (0.00s)\n",
			"x_test.go:9: a\nb\nc\nd"},
		{"panic: test timed out after 1s\n\trunning tests:\n\t\tTestA (1s)\n\ngoroutine 1 [running]:\n",
			"panic: test timed out after 1s\nrunning tests:\nTestA (1s)"},
		{"    x_test.go:8: a log\nfatal error: all goroutines are asleep - deadlock!\n",
			"fatal error: all goroutines are asleep - deadlock!"},
		{"FAIL\nexit status 3\n", "FAIL\nexit status 3"},
		{long, long[:messageWidth]},
		{"", ""},
	} {
		require.Equal(t, c.want, message(c.printed), c.printed)
	}
}
