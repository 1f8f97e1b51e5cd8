package form_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

func TestHowValuesAreWritten(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 13, 0, 0, 5, time.FixedZone("", 3600))
	require.Equal(t, []any{"2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z", nil, "x", nil, 1, nil},
		[]any{form.Time(at), form.TimeOrNull(&at), form.TimeOrNull(nil), form.TextOrNull("x"), form.TextOrNull(""),
			form.NumberOrNull(1), form.NumberOrNull(0)})
	require.Equal(t, "a%20b/%3Fc", form.EscapePath("a b/?c"))
	require.Equal(t, []string{"open", "closed"}, []string{form.State(&entity.Issue{Open: true}), form.State(&entity.Issue{})})
}

// What is shown follows what it shows: another name, state or count of issues is another object.
func TestAShapeFollowsItsSubject(t *testing.T) {
	t.Parallel()
	forms := form.New(&entity.Core{Base: "https://github.example"})
	r := &entity.Repository{ID: 5, Owner: &entity.User{Login: "acme", Kind: entity.UserOrg}, Name: "app",
		Issues: map[int]*entity.Issue{}}
	shown := func(field string) (value any) {
		var o map[string]any
		require.NoError(t, json.Unmarshal(forms.Repository(r), &o))
		return o[field]
	}
	require.Equal(t, "private", shown("visibility"))
	for field, c := range map[string]struct {
		change func()
		want   any
	}{
		"visibility":  {func() { r.Public = true }, "public"},
		"name":        {func() { r.Name = "new" }, "new"},
		"archived":    {func() { r.Archived = true }, true},
		"open_issues": {func() { r.Issues[1] = &entity.Issue{Open: true} }, 1.0},
		"has_issues":  {func() { r.NoIssues = true }, false},
	} {
		c.change()
		require.Equal(t, c.want, shown(field), field)
	}
	u := &entity.User{ID: 7, Login: "tenon[bot]", Kind: entity.UserBot}
	require.Equal(t, "https://github.example/apps/tenon", forms.UserObject(u)["html_url"])
	require.Nil(t, forms.User(nil))
	in := &entity.Installation{Account: u}
	forms.App = &entity.App{}
	require.Equal(t, "all", forms.Installation(in)["repository_selection"])
	in.Repos = map[int64]bool{}
	require.Equal(t, "selected", forms.Installation(in)["repository_selection"])
}
