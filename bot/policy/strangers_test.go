package policy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatStrangersAskForIsShownFirstInPublicRepositoriesUnlessSettingsSayOtherwise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		layers          []string
		public, private bool // a preview
	}{
		{nil, true, false},
		{[]string{"strangers: preview\n"}, true, true},
		{[]string{"strangers: commit\n"}, false, false},
		{[]string{"strangers: commit\n", "strangers: preview\n"}, true, true},
		{[]string{"strangers: preview\n", "strangers: commit\n"}, true, true},
		{[]string{"strangers: preview\n", "", "strangers: commit\n"}, true, true},
	} {
		p := DefaultPolicy()
		for i, text := range c.layers {
			p = p.Under([]Origin{Server, Organisation, Repository}[i], layer(t, text))
		}
		require.Equal(t, c.public, p.PreviewsStrangers(false), c.layers)
		require.Equal(t, c.private, p.PreviewsStrangers(true), c.layers)
	}
	p := DefaultPolicy().Under(Organisation, layer(t, "strangers: preview\n")).
		Under(Repository, layer(t, "strangers: commit\n"))
	require.Equal(t, "strangers: the organisation requires a preview of what strangers ask for, so this is ignored",
		p.Problems[0].Text)
	_, problems := Parse([]byte("strangers: maybe\n"))
	require.True(t, problems[0].Closes)
	require.Contains(t, problems[0].Text, "strangers must be preview or commit, not")
}

func TestALowerFileCanOnlyBeStricterAboutNewLines(t *testing.T) {
	t.Parallel()
	for layers, want := range map[[2]string]NewLines{
		{"", ""}:             ShowNew,
		{"", "allow"}:        AllowNew,
		{"allow", ""}:        AllowNew,
		{"allow", "refuse"}:  RefuseNew,
		{"show", "allow"}:    ShowNew,
		{"refuse", "show"}:   RefuseNew,
		{"refuse", "refuse"}: RefuseNew,
	} {
		p := DefaultPolicy()
		for i, value := range layers {
			if value != "" {
				p = p.Under([]Origin{Organisation, Repository}[i], layer(t, "resolve: {new: "+value+"}\n"))
			}
		}
		require.Equal(t, want, p.NewLines, layers)
	}
	p := DefaultPolicy().Under(Organisation, layer(t, "resolve: {new: show}\n")).
		Under(Repository, layer(t, "resolve: {new: allow}\n"))
	require.Equal(t, "resolve.new: the organisation has it stricter, show, so this is ignored", p.Problems[0].Text)
	_, problems := Parse([]byte("resolve: {new: maybe}\n"))
	require.True(t, problems[0].Closes)
}

// A setting that decides which edits are taken or refused makes another policy for edits, and no other setting does.
func TestPoliciesThatTreatEditsAlike(t *testing.T) {
	t.Parallel()
	base := DefaultPolicy()
	require.True(t, base.TreatsEditsAs(base.Under(Repository, layer(t, "label: bot\nbase: develop\nwho: admin\n"))))
	for _, text := range []string{
		"protected: [a]\n", "ignore: [a]\n", "secret_files: [a]\n", "partial: hold\n", "syntax: warn\n", "unusual: mark\n",
		"line_endings: lf\n", "caution: hold\n", "resolve: {new: allow}\n",
		"limits: {files: 1}\n", "limits: {blocks: 1}\n",
	} {
		require.False(t, base.TreatsEditsAs(base.Under(Repository, layer(t, text))), text)
	}
}
