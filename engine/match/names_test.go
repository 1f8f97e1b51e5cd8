package match

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

// A line may have more words than are looked for in a list.
func TestAWordOfALongLineIsNoOtherName(t *testing.T) {
	t.Parallel()
	var words []string
	for i := range 100 {
		words = append(words, fmt.Sprintf("word%d", i))
	}
	line := strings.Join(words, " ")
	file := File{Text: text.New(nil, []byte(line+"\nother\n"))}
	for _, w := range words {
		require.False(t, isOtherName(file, w, line), w)
	}
	require.True(t, isOtherName(file, line+" other", line))
	require.False(t, isOtherName(file, line+" another", line), "the file does not have it")
	w := meter.Of(10)
	file.Work = w
	require.False(t, isOtherName(file, line+" other", line), "there is no work left to look")
	require.True(t, w.UsedUp())
}
