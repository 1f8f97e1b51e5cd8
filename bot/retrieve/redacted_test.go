package retrieve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// selectorOf returns a selector of the story's files with all of them loaded, each a candidate for a reason.
func (st story) selectorOf(t *testing.T, why reason) (*selector, *repository) {
	t.Helper()
	repos := st.repository()
	s, err := newSelector(st.open(t, repos), st.query(repos))
	require.NoError(t, err)
	for name := range s.index.All() {
		s.add(name, why, reasons[why].score, Span{})
	}
	require.NoError(t, s.load(t.Context(), slices.Collect(s.index.All())))
	return s, repos
}

// hostileSources are files in which each line has to be looked at closely, because it may have a secret in it.
func hostileSources(n, bytes int) map[string]string {
	const line = "secret_key=" + "'Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8'\n"
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("gear%02d.py", i)] = strings.Repeat(line, bytes/len(line))
	}
	return files
}

// To take the secrets out of thirty such files of 1 MB took more than a minute, and none of them is shown whole.
func TestOnlySoMuchIsSearchedForSecrets(t *testing.T) {
	t.Parallel()
	for _, size := range []int{100_000, 900_000} {
		s, _ := story{files: hostileSources(30, size)}.selectorOf(t, byChange)
		const room = maxRedactedWork / 4
		s.redacted.room = room
		files, selection, err := s.show(t.Context(), 10<<20)
		require.NoError(t, err)
		searched := len(s.redacted.texts)
		require.LessOrEqual(t, searched*size, room+size)
		require.Len(t, files, searched)
		require.Len(t, selection.LeftOut, 30-searched)
		require.NotContains(t, fmt.Sprint(files), "Ab1Cd2")
		for _, left := range selection.LeftOut {
			require.Equal(t, noRoom, left.Why)
		}
		if size == 100_000 {
			require.Less(t, searched, 30, "a smaller file counts as what the work for it is")
		}
	}
}

// A round of asks has the same bound, for what it shows as for what it quotes.
func TestARoundSearchesOnlySoMuchForSecrets(t *testing.T) {
	t.Parallel()
	st := story{files: map[string]string{}}
	for i := range MaxAsks {
		st.files[fmt.Sprintf("gear%02d.py", i)] = strings.Repeat("x = 1\n", 1_000_000/6)
	}
	a, _ := st.answers(t, "NEED: gear00.py, gear01.py, gear02.py, gear03.py, gear04.py", Seen{})
	last := a.Given[MaxAsks-1]
	require.Equal(t, noRoom, last.Why)
	require.Empty(t, last.Lines)
}

// What cannot be shown is not searched for secrets, and what is shown is searched once.
func TestNothingIsSearchedForSecretsForWhichThereIsNoRoom(t *testing.T) {
	t.Parallel()
	st := story{files: map[string]string{}}
	for i := range 20 {
		st.files[fmt.Sprintf("gear%02d.py", i)] = numbered("gear = ", 2000)
	}
	st.files["first.txt"] = strings.Repeat("gear\n", 400)
	s, _ := st.selectorOf(t, byChange)
	s.add("first.txt", byOption, reasons[byOption].score, Span{})
	s.candidates["first.txt"].certain = true
	files, _, err := s.show(t.Context(), 2400)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Len(t, s.redacted.texts, 1, "of twenty-one")

	s, _ = st.selectorOf(t, byChange)
	files, _, err = s.show(t.Context(), 20_000)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	total := 0
	for name := range s.redacted.texts {
		total += len(st.files[name])
	}
	require.Equal(t, maxRedactedWork-total, s.redacted.room, "a file that is shown further is not searched again")
}
