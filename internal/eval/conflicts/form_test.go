package conflicts

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/eval/conflicts/gitmerge"
)

func lines(s string) []string { return slices.Collect(strings.Lines(s)) }

// formFrom makes a form of texts: merged ones, and conflicts with a bar between the sides.
func formFrom(parts ...string) form {
	var f form
	for _, part := range parts {
		if ours, theirs, conflict := strings.Cut(part, "|"); conflict {
			f.conflict(lines(ours), lines(theirs))
		} else {
			f.merged(lines(part))
		}
	}
	return f
}

func TestConflictsMayBeSplitInAnotherWay(t *testing.T) {
	t.Parallel()
	fine := formFrom("1\n", "a\n|b\n", "2\n", "c\n|d\n", "3\n")
	coarse := formFrom("1\n", "a\n2\nc\n|b\n2\nd\n", "3\n")
	require.Zero(t, outside(fine, coarse))
	require.Zero(t, outside(coarse, fine))
}

func TestALineThatGitHasElsewhereIsOutside(t *testing.T) {
	t.Parallel()
	git := formFrom("1\n", "a\n}\n|", "}\n")
	require.Equal(t, 2, outside(formFrom("1\n", "a\n}\n|", "x\n"), git))
	require.Positive(t, outside(formFrom("1\na\n}\n}\n"), git), "no conflict where git has one")
	require.Positive(t, outside(git, formFrom("1\na\n}\n}\n")), "a conflict where git has none")
	slid := formFrom("1\n", "a\n|", "}\n", "}\n|")
	require.Positive(t, outside(formFrom("1\n", "a\n}\n|", "}\n"), slid), "the partner of another line")
}

func TestGitEndsALineWithinMarkers(t *testing.T) {
	t.Parallel()
	require.Zero(t, outside(formFrom("1\n", "a|b\n"), formFrom("1\n", "a\n|b\n")))
	require.Positive(t, outside(formFrom("1\n", "a|b\n", "c"), formFrom("1\n", "a\n|b\n", "c\n")))
}

func TestALineLikeTheMiddleMarkerIsTold(t *testing.T) {
	t.Parallel()
	m := gitmerge.Merge{Ours: strings.Repeat("a", 40), Theirs: strings.Repeat("b", 40)}
	text := "x\n<<<<<<< " + m.Ours + ":old.rst\nTitle1\n=======\n=======\nTitle22\n=======\n>>>>>>> " + m.Theirs + "\ny\n"
	f, ok := marked(text, m, lines("x\nTitle1\n=======\ny\n"), lines("x\nTitle22\n=======\ny\n"))
	require.True(t, ok)
	require.Equal(t, formFrom("x\n", "Title1\n=======\n|Title22\n=======\n", "y\n"), f)
	_, ok = marked("<<<<<<< "+m.Ours+"\na\n", m, nil, nil)
	require.False(t, ok)
}
