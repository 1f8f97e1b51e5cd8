package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEvalCautionsSaysWhatIsWrongWithItsArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "name a repository of the mirror, like psf/requests"},
		{[]string{"psf/requests"}, "--mirror is missing"},
		{[]string{"../x", "--mirror", "m"}, `"../x" is no repository`},
		{[]string{"psf/requests", "--mirror", "m", "--changes", "0"}, "--changes must be at least 1"},
		{[]string{"psf/requests", "--mirror", "m", "--without", "x"}, "there is no rule \"x\"; the rules are runs, "},
	} {
		cmd := newEvalCautionsCmd()
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(c.args)
		require.ErrorContains(t, cmd.Execute(), c.want)
	}
}
