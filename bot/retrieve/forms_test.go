package retrieve

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// GitHub writes the questions of an issue form into the issue, whether they are answered or not.
func TestTheQuestionsOfAFormAreNoWordsOfTheIssue(t *testing.T) {
	t.Parallel()
	const form = "It panics.\r\n\n### Steps to reproduce\n\n```\n# serve --tls\n\nit panics\n```\n\n" +
		"### Application version\n\n1.2.3\n\n### Extensions\n\n_No response_\n\n" +
		"### What I expected\n\n#### At the start of the server\n\nThat it waits for its port.\n"
	const want = "It panics.\r\n\n### Steps to reproduce\n\n```\n# serve --tls\n\nit panics\n```\n\n\n1.2.3\n\n" +
		"### What I expected\n\n#### At the start of the server\n\nThat it waits for its port.\n"
	require.Equal(t, want, withoutForms(form))
	for _, text := range []string{"", "no form", "# a\n", "```\n# never closed\nx\n"} {
		require.Equal(t, text, withoutForms(text))
	}
}

func TestAFileThatOnlyTheQuestionsOfAFormNameIsNotTheFirst(t *testing.T) {
	t.Parallel()
	st := story{files: map[string]string{
		"server/start.go": "package server\n\nfunc start(port int) { panic(port) }\n",
		"app/system.go": "package app\n\nvar operatingSystem, extensions, version int\n\n" +
			"// additional context of operating systems and extensions\n",
	}, about: "It panics.\n\n### Extensions\n\n_No response_\n\n### Operating system version\n\nMac\n\n" +
		"### Additional context\n\n_No response_\n"}
	require.Equal(t, "server/start.go", st.selects(t).Selection.Files[0].Path)
}
