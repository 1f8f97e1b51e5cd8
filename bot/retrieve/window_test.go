package retrieve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// everything is as much as a prompt ever shows.
var everything = Material{Code: 72_000, Names: 6_000, Subject: 40_000, Conventions: 12_000, Thread: 16_000}

func TestAllOfItFitsIntoALargeWindowAndIntoOneThatIsNotKnown(t *testing.T) {
	t.Parallel()
	for _, tokens := range []int{0, 128_000} {
		got, ok := WindowOf(port.ModelInfo{ContextTokens: tokens}).Allot(8_000, everything)
		require.True(t, ok)
		require.Equal(t, everything, got)
	}
}

func TestASmallWindowIsSharedOut(t *testing.T) {
	t.Parallel()
	w := WindowOf(port.ModelInfo{ContextTokens: 8_000})
	require.Equal(t, 15_000, w.first(), "three eighths are for the reply and what follows")
	for name, c := range map[string]struct{ want, got Material }{
		"code alone": {Material{Code: 12_000}, Material{Code: 7_000}},
		"what people wrote gets a third, each by its length": {
			Material{Code: 12_000, Names: 6_000, Conventions: 3_000, Thread: 9_000},
			Material{Code: 4_390, Names: 277, Conventions: 583, Thread: 1_750},
		},
		"short words are whole": {
			Material{Code: 12_000, Conventions: 300, Thread: 600}, Material{Code: 6_100, Conventions: 300, Thread: 600},
		},
		"words get what the code leaves": {Material{Code: 4_000, Thread: 9_000}, Material{Code: 4_000, Thread: 3_000}},
		"the subject gets half": {
			Material{Code: 12_000, Subject: 40_000}, Material{Code: 3_500, Subject: 3_500},
		},
	} {
		got, ok := w.Allot(8_000, c.want)
		require.True(t, ok, name)
		require.Equal(t, c.got, got, name)
	}
}

func TestATaskThatLeavesNoRoomForCodeIsNotAsked(t *testing.T) {
	t.Parallel()
	w := WindowOf(port.ModelInfo{ContextTokens: 8_000})
	got, ok := w.Allot(12_000, everything)
	require.True(t, ok)
	require.Equal(t, Material{Code: 3_000}, got, "the code goes first")
	_, ok = w.Allot(12_001, everything)
	require.False(t, ok)
}

func TestALongReplyTakesItsRoomFromThePrompt(t *testing.T) {
	t.Parallel()
	m := port.ModelInfo{ContextTokens: 8_000, MaxTokens: 3_500}
	require.Equal(t, 13_500, WindowOf(m).first())
	m.MaxTokens = 100_000
	require.Equal(t, 12_000, WindowOf(m).first(), "never more than half")
	require.True(t, m.Takes(port.Request{System: strings.Repeat("x", 12_000)}))
	require.False(t, m.Takes(port.Request{System: strings.Repeat("x", 12_003)}))
}

func TestALaterQuestionShowsWhatTheConversationHasLeft(t *testing.T) {
	t.Parallel()
	small := WindowOf(port.ModelInfo{ContextTokens: 8_000})
	require.Equal(t, 24_000, Window{}.RoundBytes(1e9), "a window that is not known bounds nothing")
	require.Equal(t, 24_000, WindowOf(port.ModelInfo{ContextTokens: 128_000}).RoundBytes(40_000))
	require.Equal(t, 1_700*port.BytesPerToken, small.RoundBytes(5_000))
	require.Zero(t, small.RoundBytes(6_700))
	require.Zero(t, small.RoundBytes(1e12))
}

// What is allotted fits, whatever is wanted, and code never gets too little to be of use.
func FuzzAllot(f *testing.F) {
	for _, s := range [][8]uint32{
		{8_000, 0, 8_000, 12_000, 6_000, 0, 12_000, 16_000}, {8_000, 4_000, 9_000, 72_000, 6_000, 40_000, 0, 0},
		{1, 1, 0, 1, 1, 1, 1, 1}, {32_000, 16_000, 8_000, 3_000, 0, 0, 0, 90_000},
	} {
		f.Add(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
	}
	f.Fuzz(func(t *testing.T, tokens, reply, fixed, code, names, subject, conventions, thread uint32) {
		m := port.ModelInfo{ContextTokens: int(tokens), MaxTokens: int(reply)}
		want := Material{Code: int(code), Names: int(names), Subject: int(subject), Conventions: int(conventions),
			Thread: int(thread)}
		w := WindowOf(m)
		got, ok := w.Allot(int(fixed), want)
		if tokens == 0 || !ok {
			return
		}
		require.LessOrEqual(t, int(fixed)+got.sum(), w.first())
		require.LessOrEqual(t, int(fixed)+got.sum()+m.ReplyTokens()*port.BytesPerToken, m.ContextTokens*port.BytesPerToken)
		require.GreaterOrEqual(t, got.Code, min(want.Code, minCode*port.BytesPerToken))
		for _, pair := range [][2]int{{got.Code, want.Code}, {got.Names, want.Names}, {got.Subject, want.Subject},
			{got.Conventions, want.Conventions}, {got.Thread, want.Thread}} {
			require.GreaterOrEqual(t, pair[0], 0)
			require.LessOrEqual(t, pair[0], pair[1])
		}
	})
}
