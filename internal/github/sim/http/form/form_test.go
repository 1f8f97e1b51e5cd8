package form_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

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
}
