package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

// nesting returns a story in which theirs of the only conflict is too much work for a parser.
func nesting(t *testing.T, replies ...string) *story {
	t.Helper()
	s := newStory(t, replies...)
	in := func(body string) map[string]bottest.File {
		return map[string]bottest.File{"a.go": data("package a\n\nfunc a() {\n" + body + "}\n")}
	}
	s.parting(in("\tone()\n"), in("\ttwo()\n"), in(nested+"\tthree()\n"))
	return s
}

const uncheckedRefused = "The file would not be checked for syntax (too much work), which the settings refuse by " +
	"unchecked: refuse."

func TestSettingsMayRefuseAMergeThatIsNotChecked(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{"C1: theirs, ours\n", "C1: new\n```\n" + nested + "\tfour()\n```\n"} {
		s := nesting(t, reply)
		s.settings("unchecked: refuse\n")
		c := s.resolves("/tenon resolve")
		require.Contains(t, c.Body(), "**C1** `a.go:4` · ❔ open\\\n"+uncheckedRefused)
		require.NotContains(t, c.Body(), "as proposed <!--")
		s.choose("maria", c, 1, 2)
		require.Zero(t, s.merges(), "nor does a person's choice")
		require.Contains(t, c.Body(), uncheckedRefused)
		s.choose("maria", c, 1, 1)
		require.Equal(t, 1, s.merges(), "the file is there already: %s", c.Body())
		require.Contains(t, s.File("speed", "a.go"), nested)
	}
	s := nesting(t, "C1: theirs, ours\n")
	require.Equal(t, "rocket", s.say("/tenon resolve").verdict, "by default, it is not refused")
}

func TestAMergeThatIsNotCheckedIsNotCommittedIfTheSettingsRefuseItMeanwhile(t *testing.T) {
	t.Parallel()
	s := nesting(t, "C1: open\n")
	s.resolves("/tenon resolve")
	s.After("Record").Of("resolve.1").Do(func() { s.settings("unchecked: refuse\n") })
	got := s.say("/tenon resolve C1 theirs, ours")
	require.Equal(t, "confused", got.verdict, got.answer)
	require.Contains(t, got.answer, "The settings have changed in the meantime")
	s.say("/tenon apply")
	require.Equal(t, 1, s.saying(uncheckedRefused))
	require.Zero(t, s.merges())
}
