package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// taught are words of the reminders of some formats.
var taught = map[string]string{
	"section": "then for each file `### File: `", "udiff": "each edit as a hunk", "patch": "each edit as one patch",
	"whole": "each file that changes as one block",
}

// withModels has a stage use models of a server file, each with the given settings besides its address.
func (s *stage) withModels(models string) {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "tenon.yml")
	text := strings.ReplaceAll(models, "URL", s.model.URL+"/v1")
	require.NoError(s.t, os.WriteFile(file, []byte("models:\n"+text), 0o600))
	s.env = []string{"TENON_MODEL=", "TENON_MODEL_BASE_URL=", "TENON_MODEL_API_KEY=", "TENON_CONFIG=" + file}
	s.start()
}

// asksFor requires that a command leads to a prompt for a format; for diff, for none of taught.
func (s *stage) asksFor(format, command string) {
	s.t.Helper()
	s.settled(s.comment("maria", command))
	asked := s.model.questions()
	text := asked[len(asked)-1]
	for name, words := range taught {
		require.Equal(s.t, name == format, strings.Contains(text, words), "%s: %s", command, name)
	}
}

func TestAModelIsAskedForTheFormatThatWasChosen(t *testing.T) {
	t.Parallel()
	no := "NO CHANGE: all is said."
	s := newStage(t, no, no, no, no)
	s.withModels("  fast: {id: m, base_url: URL, format: udiff}\n")
	s.asksFor("udiff", "/tenon fix `main.go`")
	s.asksFor("patch", "/tenon fix --format patch `main.go`")
	s.settings("main", "format: whole\n")
	s.asksFor("whole", "/tenon fix `main.go`")
	s.asksFor("udiff", "/tenon fix --format auto `main.go`")
}

// With format: auto, what is asked for is the format that the model writes, though it was asked for another.
func TestAModelIsAskedForTheFormatThatItWritesBest(t *testing.T) {
	t.Parallel()
	var reply strings.Builder
	reply.WriteString("COMMIT: chore: add notes\n")
	for n := range 20 {
		fmt.Fprintf(&reply, "\n### File: notes/%d.txt\n<<<<<<< NEW_FILE\nnote %d\n>>>>>>> NEW_FILE\n", n, n)
	}
	no := "NO CHANGE: all is said."
	s := newStage(t, reply.String(), no, no, no)
	s.withModels("  fast: {id: m, base_url: URL, format: auto}\n  slow: {id: m, base_url: URL}\n")
	s.done("maria", "/tenon fix `main.go`")
	s.asksFor("section", "/tenon fix `main.go`")
	s.asksFor("diff", "/tenon fix --model slow --format auto `main.go`")
	s.settings("main", "format: auto\nmodel: slow\n")
	s.asksFor("section", "/tenon fix --model fast `main.go`")
}

// What waits for the correction of an edit is committed with it, though the model does not write it again, and in
// whichever format the correction is.
func TestEditsThatWaitForACorrectionAreCommitted(t *testing.T) {
	t.Parallel()
	for format, correction := range map[string]string{
		"diff":  lineEdit("digits.txt", "one", "1"),
		"udiff": "```diff\n--- a/digits.txt\n+++ b/digits.txt\n@@ ... @@\n-one\n+1\n two\n```\n",
		"patch": "*** Begin Patch\n*** Update File: digits.txt\n@@\n-one\n+1\n two\n*** End Patch\n",
		"whole": "digits.txt\n```text\n1\ntwo\nthree\n```\n",
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, lineEdit("digits.txt", "eins", "1")+lineEdit("digits.txt", "two", "2")+
				lineEdit("digits.txt", "three", "3"), correction)
			s.push(map[string]string{"digits.txt": "one\ntwo\nthree\n"})
			s.start()
			s.done("maria", "/tenon fix `digits.txt`")
			require.Equal(t, "1\n2\n3\n", s.file("digits.txt"))
			require.Len(t, s.model.questions(), 2)
		})
	}
}
