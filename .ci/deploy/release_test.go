package deploy

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// archives returns the archives that .ci/reproducible made, which TENON_TEST_RELEASE names the folder of.
func archives(t *testing.T) []string {
	t.Helper()
	folder := os.Getenv("TENON_TEST_RELEASE")
	if folder == "" {
		t.Skip("no release was made; .ci/run release makes one")
	}
	var found []string
	for _, pattern := range []string{"*.tar.gz", "*.zip"} {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		found = append(found, files...)
	}
	return found
}

// member is a file in an archive.
type member struct {
	mode  fs.FileMode
	owner string // empty in a zip
	time  time.Time
	data  []byte
}

// unpack reads an archive, without its only folder.
func unpack(t *testing.T, archive string) map[string]member {
	t.Helper()
	data, err := os.ReadFile(archive)
	require.NoError(t, err)
	members := map[string]member{}
	add := func(name string, m member, r io.Reader) {
		folder, rest, ok := strings.Cut(name, "/")
		require.True(t, ok, name)
		require.Equal(t, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(archive), ".tar.gz"), ".zip"), folder)
		m.data, err = io.ReadAll(r)
		require.NoError(t, err)
		members[rest] = m
	}
	if strings.HasSuffix(archive, ".zip") {
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		require.NoError(t, err)
		for _, f := range r.File {
			content, err := f.Open()
			require.NoError(t, err)
			add(f.Name, member{mode: f.Mode(), time: f.Modified}, content)
		}
		return members
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err == io.EOF {
			return members
		}
		require.NoError(t, err)
		add(h.Name, member{mode: h.FileInfo().Mode(), owner: h.Uname + ":" + h.Gname, time: h.ModTime}, r)
	}
}

func TestAnArchiveOfAReleaseHasWhatItShould(t *testing.T) {
	t.Parallel()
	for _, archive := range archives(t) {
		members := unpack(t, archive)
		program := "tenon"
		if strings.Contains(archive, "windows") {
			program = "tenon.exe"
		}
		for _, name := range []string{program, "LICENSE", "README.md", "CHANGELOG.md", "licenses/kinds.txt", "man/tenon.1",
			"completions/tenon.bash", "deploy/systemd/tenon.service", "deploy/helm/tenon/Chart.yaml"} {
			require.NotEmpty(t, members[name].data, "%s: %s", archive, name)
		}
		for name, m := range members {
			want := fs.FileMode(0o644)
			if name == program || name == "deploy/action/install" {
				want = 0o755
			}
			require.Equal(t, want, m.mode, "%s: %s", archive, name)
			require.Contains(t, []string{"root:root", ""}, m.owner, "%s: %s", archive, name)
			require.True(t, m.time.Equal(members[program].time), "%s: %s: %s", archive, name, m.time)
		}
	}
}

// linked returns the modules in the program of an archive, without tenon's own, as NAME VERSION.
func linked(t *testing.T, archive string) []string {
	t.Helper()
	for name, m := range unpack(t, archive) {
		if path.Dir(name) == "." && m.mode.Perm() == 0o755 {
			info, err := buildinfo.Read(bytes.NewReader(m.data))
			require.NoError(t, err)
			var modules []string
			for _, d := range info.Deps {
				modules = append(modules, d.Path+" "+d.Version)
			}
			return modules
		}
	}
	require.Fail(t, "no program in "+archive)
	return nil
}

// sbom reads one of the lists beside an archive.
func sbom(t *testing.T, archive, kind string) []byte {
	t.Helper()
	data, err := os.ReadFile(archive + kind)
	if err != nil {
		t.Skip("NOT CHECKED: syft cannot be installed, so there is no SBOM")
	}
	return data
}

func TestEachListOfAReleaseNamesAllModulesThatAreLinked(t *testing.T) {
	t.Parallel()
	for _, archive := range archives(t) {
		modules := linked(t, archive)
		require.Greater(t, len(modules), 30)
		var spdx struct {
			Packages []struct{ Name, VersionInfo string }
		}
		require.NoError(t, json.Unmarshal(sbom(t, archive, ".spdx.json"), &spdx))
		var inSPDX []string
		for _, p := range spdx.Packages {
			inSPDX = append(inSPDX, p.Name+" "+p.VersionInfo)
		}
		require.Subset(t, inSPDX, modules, archive)
		var cyclone struct {
			Components []struct{ Name, Version string }
		}
		require.NoError(t, json.Unmarshal(sbom(t, archive, ".cdx.json"), &cyclone))
		var inCyclone []string
		for _, c := range cyclone.Components {
			inCyclone = append(inCyclone, c.Name+" "+c.Version)
		}
		require.Subset(t, inCyclone, modules, archive)
	}
}

// schemas compiles the schemas of SPDX 2.3 and CycloneDX 1.6, which the module of syft has. It does not have that of
// signatures within a list of CycloneDX, which tenon's have not.
func schemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	tools, err := os.ReadFile(root + "/.ci/tool")
	require.NoError(t, err)
	version := regexp.MustCompile(`github\.com/anchore/syft/cmd/syft(@\S+)`).FindSubmatch(tools)
	require.NotNil(t, version)
	out, err := exec.Command("go", "mod", "download", "-json", "github.com/anchore/syft"+string(version[1])).Output()
	if err != nil {
		t.Skip("NOT CHECKED: the schemas of SBOMs cannot be downloaded")
	}
	var module struct{ Dir string }
	require.NoError(t, json.Unmarshal(out, &module))
	files := map[string]string{".spdx.json": "spdx-json/spdx-schema-2.3.json", ".cdx.json": "cyclonedx/cyclonedx.json",
		"spdx.schema.json": "cyclonedx/spdx.schema.json"}
	compiler := jsonschema.NewCompiler()
	ids := map[string]string{}
	for _, kind := range slices.Sorted(maps.Keys(files)) {
		data, err := os.ReadFile(filepath.Join(module.Dir, "schema", files[kind]))
		require.NoError(t, err)
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		require.NoError(t, err)
		ids[kind] = schema.(map[string]any)["$id"].(string)
		require.NoError(t, compiler.AddResource(ids[kind], schema))
	}
	require.NoError(t, compiler.AddResource("http://cyclonedx.org/schema/jsf-0.82.schema.json",
		map[string]any{"definitions": map[string]any{"signature": false}}))
	compiled := map[string]*jsonschema.Schema{}
	for _, kind := range []string{".spdx.json", ".cdx.json"} {
		compiled[kind], err = compiler.Compile(ids[kind])
		require.NoError(t, err)
	}
	return compiled
}

func TestEachListOfAReleaseIsWhatItsSchemaSays(t *testing.T) {
	t.Parallel()
	made := archives(t)
	required := map[string]string{".spdx.json": "SPDXID", ".cdx.json": "bomFormat"}
	for kind, schema := range schemas(t) {
		for _, archive := range made {
			list, err := jsonschema.UnmarshalJSON(bytes.NewReader(sbom(t, archive, kind)))
			require.NoError(t, err)
			require.NoError(t, schema.Validate(list), "%s%s", archive, kind)
			delete(list.(map[string]any), required[kind])
			require.Error(t, schema.Validate(list), "the schema takes anything")
		}
	}
}
