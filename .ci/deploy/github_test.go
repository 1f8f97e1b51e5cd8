package deploy

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// form is an issue form, by https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests.
type form struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Title       string   `json:"title"`
	Labels      []string `json:"labels"`
	Body        []struct {
		Type       string `json:"type"`
		ID         string `json:"id"`
		Attributes struct {
			Label       string   `json:"label"`
			Description string   `json:"description"`
			Placeholder string   `json:"placeholder"`
			Value       string   `json:"value"`
			Render      string   `json:"render"`
			Options     []string `json:"options"`
		} `json:"attributes"`
		Validations struct {
			Required bool `json:"required"`
		} `json:"validations"`
	} `json:"body"`
}

func TestIssueFormsAreWhatGitHubTakes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(root + "/.github/ISSUE_TEMPLATE/*.yml")
	require.NoError(t, err)
	for _, file := range files {
		if filepath.Base(file) == "config.yml" {
			continue
		}
		var f form
		decode(t, file, &f)
		require.NotEmpty(t, f.Name, file)
		require.NotEmpty(t, f.Description, file)
		ids := map[string]bool{}
		for _, b := range f.Body {
			if b.Type == "markdown" {
				require.NotEmpty(t, b.Attributes.Value, file)
				continue
			}
			require.Contains(t, []string{"textarea", "input", "dropdown"}, b.Type, file)
			require.NotEmpty(t, b.Attributes.Label, file)
			require.NotEmpty(t, b.ID, file)
			require.False(t, ids[b.ID], "%s: %s is there twice", file, b.ID)
			require.Equal(t, b.Type == "dropdown", len(b.Attributes.Options) > 0, "%s: %s", file, b.ID)
			ids[b.ID] = true
		}
		require.NotEmpty(t, ids, file)
	}
	var chooser struct {
		Blank *bool `json:"blank_issues_enabled"`
		Links []struct {
			Name, URL, About string
		} `json:"contact_links"`
	}
	decode(t, root+"/.github/ISSUE_TEMPLATE/config.yml", &chooser)
	for _, l := range chooser.Links {
		require.NotEmpty(t, l.Name)
		require.NotEmpty(t, l.About)
		require.Regexp(t, "^https://", l.URL)
	}
}

func TestDependabotLooksWhereThereIsSomething(t *testing.T) {
	t.Parallel()
	var d struct {
		Version int `json:"version"`
		Updates []struct {
			Ecosystem   string   `json:"package-ecosystem"`
			Directory   string   `json:"directory"`
			Directories []string `json:"directories"`
			Schedule    struct {
				Interval string `json:"interval"`
			} `json:"schedule"`
			Message struct {
				Prefix string `json:"prefix"`
			} `json:"commit-message"`
			Groups map[string]struct {
				Patterns []string `json:"patterns"`
				Types    []string `json:"update-types"`
			} `json:"groups"`
		} `json:"updates"`
	}
	decode(t, root+"/.github/dependabot.yml", &d)
	require.Equal(t, 2, d.Version)
	has := map[string]string{"gomod": "go.mod", "github-actions": ".github/workflows", "docker": "Dockerfile",
		"docker-compose": "compose.yaml"}
	looked := map[string]bool{}
	for _, u := range d.Updates {
		require.Contains(t, has, u.Ecosystem)
		for _, folder := range append(u.Directories, u.Directory) {
			if folder == "" {
				continue
			}
			_, err := os.Stat(filepath.Join(root, folder, has[u.Ecosystem]))
			require.NoError(t, err, "%s: %s", u.Ecosystem, folder)
			looked[filepath.Join(folder, has[u.Ecosystem])] = true
		}
		require.Contains(t, []string{"daily", "weekly", "monthly"}, u.Schedule.Interval)
	}
	modules, err := filepath.Glob(root + "/.ci/*/go.mod")
	require.NoError(t, err)
	for _, file := range modules {
		require.True(t, looked["/.ci/"+filepath.Base(filepath.Dir(file))+"/go.mod"], "nobody updates %s", file)
	}
}

// decode reads a file strictly: an unknown key is an error.
func decode(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, yaml.UnmarshalStrict(data, into), file)
}
