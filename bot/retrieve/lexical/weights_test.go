package lexical

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheTextThatHasTheWordsScoresBest(t *testing.T) {
	t.Parallel()
	w := NewQuery("", "cookie expires").Weights()
	data := []byte("one\ntwo\ncookie\nfour\ncookie expires\nsix\n")
	scores := w.Scores(data, []int{0, 2, 4, 6})
	require.Len(t, scores, 3)
	require.Zero(t, scores[0])
	require.Positive(t, scores[1])
	require.Greater(t, scores[2], scores[1])

	behind := data[len("one\ntwo\ncookie\nfour\n"):]
	require.Equal(t, w.Scores(behind, []int{0, 2}), w.Scores(data, []int{4, 6}), "what is outside does not count")
	require.Equal(t, []float64{0, 0}, w.Scores(data, []int{0, 2, 2}))
}

func TestAWordThatManyTextsHaveCountsLess(t *testing.T) {
	t.Parallel()
	w := NewQuery("", "common seldom").Weights()
	scores := w.Scores([]byte("common\ncommon\ncommon\nseldom\n"), []int{0, 1, 2, 3, 4})
	require.Greater(t, scores[3], scores[0])
	require.InDelta(t, scores[0], scores[1], 0)
}

func TestAWordOfTheTitleCountsMore(t *testing.T) {
	t.Parallel()
	scores := NewQuery("", "cookie", "domain").Weights().Scores([]byte("cookie\ndomain\n"), []int{0, 1, 2})
	require.Greater(t, scores[0], scores[1])
}

func TestAShortTextThatHasAWordScoresBetterThanALongOne(t *testing.T) {
	t.Parallel()
	w := NewQuery("", "cookie").Weights()
	scores := w.Scores([]byte("cookie\n"+lines(99)+"cookie\n"+lines(9)), []int{0, 100, 110})
	require.Greater(t, scores[1], scores[0])
}

func TestAWordThatManyFilesHaveCountsLess(t *testing.T) {
	t.Parallel()
	x := indexOf(source{"a.py", "common seldom\n"}, source{"b.py", "common\n"}, source{"common.py", ""},
		source{"d.py", "x\n"})
	q := NewQuery("", "common seldom absent")
	w := x.Weights(q)
	require.Less(t, w.words.of(hash([]byte("common"))), w.words.of(hash([]byte("seldom"))))
	require.Less(t, w.words.of(hash([]byte("seldom"))), w.words.of(hash([]byte("absent"))))
	require.InDelta(t, rarity(2, len(x.files))*weightOf(q, "common"), w.words.of(hash([]byte("common"))), 0,
		"contents count, not paths")
	require.InDelta(t, 1.5, weightOf(q, "common"), 1e-9, "the query does not change")
}

func TestBoundsBeyondTheText(t *testing.T) {
	t.Parallel()
	w := NewQuery("", "cookie").Weights()
	data := []byte("cookie\n")
	require.Empty(t, w.Scores(data, nil))
	require.Empty(t, w.Scores(data, []int{0}))
	require.Equal(t, []float64{0, 0}, w.Scores(data, []int{5, 10, math.MaxInt}))
	require.Equal(t, []float64{0}, w.Scores(nil, []int{0, 10}))
	require.Equal(t, []float64{0}, Weights{}.Scores(data, []int{0, 1}))
	require.Positive(t, w.Scores(data, []int{0, 1000})[0])
}

// FuzzScores scores the parts of any text, split at any lines.
func FuzzScores(f *testing.F) {
	f.Add("cookie expires", []byte("one\ncookie\nexpires"), uint16(1), uint16(2))
	f.Add("", []byte("\xff\n\x00"), uint16(0), uint16(9))
	f.Add("a_b", []byte("\n\na_b a_b\n"), uint16(0), uint16(0))
	f.Fuzz(func(t *testing.T, query string, data []byte, first, next uint16) {
		w := NewQuery("", query).Weights()
		bounds := []int{int(first), int(first) + int(next), int(first) + 2*int(next)}
		scores := w.Scores(data, bounds)
		require.Len(t, scores, 2)
		for _, score := range scores {
			require.False(t, score < 0 || math.IsNaN(score) || math.IsInf(score, 0))
		}
		require.Equal(t, scores, w.Scores(data, bounds))
	})
}
