package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATypoFindsTheWordThatWasMeant(t *testing.T) {
	t.Parallel()
	verbs := []string{"fix", "ask", "preview", "address", "undo"}
	for word, want := range map[string]string{
		"fxi": "fix", "fxi!": "", "fi": "fix", "fixx": "fix", "undp": "undo", "adress": "address", "perviw": "preview",
		"add": "", "": "", "tidy": "", "previewpreviewpreview": "",
	} {
		require.Equal(t, want, Closest(word, verbs), word)
	}
}
