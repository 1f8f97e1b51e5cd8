package actions_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// release serves the release v1.2.3, with a program that says so.
func release(t *testing.T) (url string, spoil func()) {
	t.Helper()
	name := fmt.Sprintf("tenon_1.2.3_%s_%s", runtime.GOOS, runtime.GOARCH)
	var archive bytes.Buffer
	zipped := gzip.NewWriter(&archive)
	packed := tar.NewWriter(zipped)
	program := []byte("#!/bin/sh\necho this is v1.2.3\n")
	require.NoError(t, packed.WriteHeader(&tar.Header{Name: name + "/tenon", Mode: 0o755, Size: int64(len(program))}))
	_, err := packed.Write(program)
	require.NoError(t, err)
	require.NoError(t, packed.Close())
	require.NoError(t, zipped.Close())
	sums := fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(archive.Bytes()), name)
	files := map[string][]byte{"/v1.2.3/" + name + ".tar.gz": archive.Bytes(), "/v1.2.3/checksums.txt": []byte(sums)}
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if data, ok := files[r.URL.Path]; ok {
			_, _ = w.Write(data)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() {
		mu.Lock()
		defer mu.Unlock()
		files["/v1.2.3/checksums.txt"] = []byte(strings.Replace(sums, sums[:8], "00000000", 1))
	}
}

// install runs the step of the action that installs tenon, and returns where.
func install(t *testing.T, env ...string) (program, log string, ok bool) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the archive is made for other systems")
	}
	script, err := filepath.Abs("../../deploy/action/install")
	require.NoError(t, err)
	output := filepath.Join(t.TempDir(), "output")
	cmd := exec.Command("bash", script)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), //nolint:forbidigo // as of a runner
		"GITHUB_OUTPUT=" + output, "RUNNER_TEMP=" + t.TempDir()}, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", string(out), false
	}
	data, err := os.ReadFile(output)
	require.NoError(t, err)
	return strings.TrimSuffix(strings.TrimPrefix(string(data), "program="), "\n"), string(out), true
}

// A checksum that is downloaded with the program says nothing of who built it.
func TestTheActionVerifiesWhoBuiltTheRelease(t *testing.T) {
	t.Parallel()
	url, _ := release(t)
	curl, err := exec.LookPath("curl")
	require.NoError(t, err)
	const help = `[ "$3" = --help ] && echo "  --source-ref string" && exit; `
	for gh, wants := range map[string]struct {
		says string
		ok   bool
	}{
		help + `echo "$@"`: {"verify tenon_1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz --repo tenon-bot/tenon " +
			"--signer-workflow tenon-bot/tenon/.github/workflows/build.yml --source-ref refs/tags/v1.2.3 " +
			"--deny-self-hosted-runners", true},
		help + "exit 1": {"::error title=tenon::what was downloaded for the release v1.2.3 was not built by the " +
			"workflow of tenon-bot/tenon", false},
		`[ "$3" = --help ] && echo "  --repo string"`: {"::warning title=tenon::gh, in a version that knows how", true},
		"exit 1": {"::warning title=tenon::gh, in a version that knows how", true},
	} {
		bin := t.TempDir()
		for name, text := range map[string]string{"gh": gh,
			// github.com is the server of the test.
			"curl": `exec ` + curl + ` "${@//https:\/\/github.com\/tenon-bot\/tenon\/releases\/download/` + url + `}"`} {
			script := "#!/usr/bin/env bash\n" + text + "\n"
			require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755)) //nolint:gosec // programs
		}
		_, log, ok := install(t, "ACTION_REF=v1.2.3", "GITHUB_SERVER_URL=https://github.com",
			"PATH="+bin+":"+os.Getenv("PATH")) //nolint:forbidigo // as of a runner
		require.Equal(t, wants.ok, ok, log)
		require.Contains(t, log, wants.says)
	}
}

func TestTheActionInstallsTheReleaseThatUsesNames(t *testing.T) {
	t.Parallel()
	url, spoil := release(t)
	for _, env := range []string{"ACTION_REF=v1.2.3", "INPUT_VERSION=v1.2.3"} {
		program, log, ok := install(t, env, "INPUT_DOWNLOAD_URL="+url)
		require.True(t, ok, log)
		said, err := exec.Command(program).Output()
		require.NoError(t, err)
		require.Equal(t, "this is v1.2.3\n", string(said))
	}
	for env, want := range map[string]string{
		"ACTION_REF=main":       "no release is named",
		"ACTION_REF=v1.2.4":     "cannot be downloaded",
		"INPUT_VERSION=v1/../x": "no release is named",
		"INPUT_PROGRAM=/gone":   "names no program",
	} {
		_, log, ok := install(t, env, "INPUT_DOWNLOAD_URL="+url)
		require.False(t, ok, env)
		require.Contains(t, log, "::error title=tenon::")
		require.Contains(t, log, want)
	}
	spoil()
	_, log, ok := install(t, "ACTION_REF=v1.2.3", "INPUT_DOWNLOAD_URL="+url)
	require.False(t, ok)
	require.Contains(t, log, "does not have the checksum")
}

// action is what the action says of itself.
type action struct {
	Inputs  map[string]struct{ Description, Type string }
	Outputs map[string]struct{ Description, Type string }
	Runs    struct {
		Steps []struct{ Env map[string]string }
	}
}

func TestEachInputIsDocumentedTypedAndUsed(t *testing.T) {
	t.Parallel()
	var made, types action
	for name, to := range map[string]*action{"action.yml": &made, "action-types.yml": &types} {
		data, err := os.ReadFile("../../" + name)
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(data, to))
	}
	page, err := os.ReadFile("../../docs/github-action.md")
	require.NoError(t, err)
	require.ElementsMatch(t, slices.Collect(maps.Keys(made.Inputs)), slices.Collect(maps.Keys(types.Inputs)))
	require.ElementsMatch(t, slices.Collect(maps.Keys(made.Outputs)), slices.Collect(maps.Keys(types.Outputs)))
	given := ""
	for _, step := range made.Runs.Steps {
		for _, value := range step.Env {
			given += value + "\n"
		}
	}
	for name, input := range made.Inputs {
		require.NotEmpty(t, input.Description, name)
		require.NotEmpty(t, types.Inputs[name].Type, name)
		require.Contains(t, given, "${{ inputs."+name+" }}\n")
		require.Contains(t, string(page), "| `"+name+"` |")
	}
	for name, output := range made.Outputs {
		require.NotEmpty(t, output.Description, name)
		require.Contains(t, string(page), "| `"+name+"` |")
	}
}
