package gitrepo

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The author of a tree chooses the names of its entries, and the error with them is posted.
func TestANameOfATreeCannotSpeakInTheAnswer(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"![x](https://evil.example/x.png)": "`\"![x](https://evil.example/x.png)\"`",
		"a` @maria `b":                     "`\"a' @maria 'b\"`",
		"a\n# b\u202e":                     "`\"a\\n# b\\u202e\"`",
	} {
		reader := treeReader{data: []byte("100600 " + name + "\x00" + string(make([]byte, 20)))}
		_, _, err := reader.next()
		require.ErrorContains(t, err, "an entry "+want+" of unknown mode `\"100600\"`")
	}
}
