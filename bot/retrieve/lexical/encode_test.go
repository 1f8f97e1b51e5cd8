package lexical

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const encodedSource = "package x\n\n// Greet greets.\nfunc Greet(name string) string {\n\treturn \"hello\" + name\n}\n"

func TestADocumentThatWasEncodedIsTheSame(t *testing.T) {
	t.Parallel()
	long := ""
	for range 50 {
		long += encodedSource
	}
	for _, text := range []string{"", "word", encodedSource, long} {
		d := NewDocument("x.go", []byte(text))
		decoded, err := Decode(d.Append(nil))
		require.NoError(t, err)
		require.Equal(t, d, decoded)
	}
}

func TestADamagedDocumentIsNone(t *testing.T) {
	t.Parallel()
	data := NewDocument("x.go", []byte(encodedSource)).Append(nil)
	for n := range len(data) {
		_, err := Decode(data[:n])
		require.Error(t, err)
	}
	_, err := Decode(append(data, 0))
	require.Error(t, err)
}

func FuzzDecode(f *testing.F) {
	f.Add(NewDocument("x.go", []byte(encodedSource)).Append(nil))
	f.Add(NewDocument("", nil).Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Decode(data)
		if err != nil {
			return
		}
		d.Definitions("Greet")
		NewIndex([]File{{Path: "x.go", Document: d}}).Rank(NewQuery("", "greet the name of a string", "Greet"))
	})
}
