package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

// githubBody is the longest comment that GitHub takes, in characters.
const githubBody = 65536

func TestACommentThatNamesThousandsOfFilesCostsNoMoreThanOne(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	var names strings.Builder
	for i := range 9_000 {
		fmt.Fprintf(&names, "%d.c ", i)
	}
	body := "/tenon fix `main.go` and " + names.String()
	require.Less(t, len(body), githubBody)
	require.Contains(t, s.settled(s.comment("maria", body)), "rocket")
	require.Less(t, len(s.model.questions()[0]), 3*len(body))
	require.LessOrEqual(t, utf8.RuneCountInString(s.answers()[0]), githubBody)
}

func TestTheLongestCommentOfMarkupAloneIsRead(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"[", "`", "<a ", "![](", "<!--", "**_", "a.b/"} {
		s := newStage(t, goodReply)
		s.start()
		body := "/tenon fix `main.go`\n\n" + strings.Repeat(piece, (githubBody-100)/len(piece))
		require.Contains(t, s.settled(s.comment("maria", body)), "rocket", piece)
	}
}

func TestAReplyOfThreeHundredEditsIsTakenUpToTheLimit(t *testing.T) {
	t.Parallel()
	var reply strings.Builder
	for i := range 300 {
		reply.WriteString(edit(fmt.Sprintf("made/f%d.txt", i), "", fmt.Sprint(i)))
	}
	s := newStage(t, reply.String())
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	require.Contains(t, s.answers()[0], " · 200 of 300 edits committed")
	require.LessOrEqual(t, utf8.RuneCountInString(s.answers()[0]), githubBody)
	require.Equal(t, "199\n", s.file("made/f199.txt"))
}

func TestAReplyOfMegabytesIsAnswered(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply+strings.Repeat("blah blah `@maria` #1 <img src=x>\n", 3<<20/34))
	s.start()
	s.settled(s.comment("maria", "/tenon fix `main.go`"))
	require.LessOrEqual(t, utf8.RuneCountInString(s.answers()[0]), githubBody)
	require.NotContains(t, s.answers()[0], "internal error")
}

// Each of these edits is refused, and the one that may be made is.
func TestEditsThatLeadOutOfTheTreeAreRefusedOneByOne(t *testing.T) {
	t.Parallel()
	paths := []string{
		"link/f.txt", "current", "main.go/x", "real",
		".git/config", ".GIT/hooks/pre-commit", "git~1/config", ".git./config", ".git::$INDEX_ALLOCATION/config",
		".g\u200cit/config",
		"../up.txt", "a/../../up.txt", "/etc/passwd", "C:/x.txt", "nul.txt", "~/x.txt", strings.Repeat("d/", 260) + "x.txt",
		".github/workflows/ci.yml", ".GitHub/Workflows/ci.yml", ".github/workflows./ci.yml", ".github/workflows",
		"CODEOWNERS", ".gitmodules", ".GitModules ", "deep/.gitattributes",
		"large.psd",
	}
	var reply strings.Builder
	for _, p := range paths {
		put := "version https://git-lfs.github.com/spec/v1"
		find := map[bool]string{true: put}[p == "large.psd"]
		reply.WriteString("### File: " + p + "\n" + strings.TrimPrefix(edit("", find, "evil"), "\n"))
	}
	s := newStage(t, reply.String()+goodReply)
	_, err := s.github.PushFiles(s.repo, "speed", map[string]sim.File{
		"link": {Mode: "120000", Content: "real"}, "current": {Mode: "120000", Content: "main.go"},
		"real/f.txt": {Content: "f\n"},
		"large.psd": {Content: "version https://git-lfs.github.com/spec/v1\noid sha256:" +
			strings.Repeat("a", 64) + "\nsize 1\n"},
	}, "Links\n")
	require.NoError(t, err)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	answer := s.answers()[0]
	require.Contains(t, answer,
		fmt.Sprintf(" · 1 of %d edits committed", len(paths)+1))
	require.Contains(t, s.file("main.go"), "goodbye")
}

// Shell and Markdown mean nothing in a branch's name.
func TestABranchMayHaveAnyNameThatGitAllows(t *testing.T) {
	t.Parallel()
	const branch = "it`s/$(touch${IFS}x);|@maria<img/src=x>'\"#1]({!}&%2e%2e"
	s := newStage(t, goodReply)
	_, err := s.github.Push(s.repo, branch, map[string]string{"b.txt": "b\n"}, "Branch\n")
	require.NoError(t, err)
	s.pull, err = s.github.OpenPull(sim.Pull{As: "maria", Repo: s.repo, Title: "`|<b>@maria", Head: branch})
	require.NoError(t, err)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	require.Contains(t, s.answers()[0], " on `` "+branch+" ``")
	data, err := s.github.File(s.repo, branch, "main.go")
	require.NoError(t, err)
	require.Contains(t, string(data), "goodbye")
}

// What stands where a model should is told to the person in words that are not its own.
func TestWhatIsNoModelIsToldAndNothingOfItRepeated(t *testing.T) {
	t.Parallel()
	for what, answer := range map[string]http.HandlerFunc{
		"a page": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, "<html><img src=secret></html>")
		},
		"a no": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"Incorrect API key provided: secret","code":"invalid_api_key"}}`,
				http.StatusUnauthorized)
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, goodReply)
			server := httptest.NewServer(answer)
			t.Cleanup(server.Close)
			s.env = []string{"TENON_MODEL_BASE_URL=" + server.URL + "/v1"}
			s.start()
			require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "confused")
			require.Empty(t, s.commits())
			require.NotContains(t, s.answers()[0], "secret")
			require.NotContains(t, s.answers()[0], "internal error")
			require.NotContains(t, s.log.all(), "secret")
		})
	}
}
