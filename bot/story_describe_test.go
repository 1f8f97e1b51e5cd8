package bot_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

const (
	sectionBegins = "<!-- tenon:description -->"
	sectionEnds   = "<!-- tenon:description end -->"
)

// solved is an issue whose pull request has a commit.
func (s *story) solved() (issue, pull *bottest.Thread) {
	s.t.Helper()
	issue = s.issue("`main.go` should part, not greet.")
	require.Equal(s.t, "rocket", s.sayIn(issue, "/tenon fix").verdict)
	return issue, s.Repo.PullOf(issueBranch(issue))
}

func TestThePullRequestOfAnIssueSaysWhatWasDoneAndWhy(t *testing.T) {
	t.Parallel()
	s := newStory(t, why+edit("main.go", helloLine, byeLine))
	issue, pull := s.solved()
	require.Equal(t, "fix: say goodbye", pull.Title())
	require.True(t, pull.Draft())
	require.True(t, strings.HasPrefix(pull.Text(), "Fixes #2\n\n"+sectionBegins+"\n\n`main` greets too early, as the "+
		"issue says.\n\n**Review:** [`main.go`]("), pull.Text())
	require.Contains(t, pull.Text(), "\n\n**Checked:** tenon's parsers found no syntax error ")
	require.Contains(t, pull.Text(), "fix: say goodbye · `/tenon fix` by `maria` ([request]("+issue.URL()+"#issuecomment-")
	require.True(t, strings.HasSuffix(pull.Text(), "\n\n"+sectionEnds))
}

func TestTheTemplateOfTheRepositoryIsFilled(t *testing.T) {
	t.Parallel()
	template := "## Description\n<!-- why? -->\n\n- [ ] I told @acme/owners\n"
	for _, path := range []string{".github/pull_request_template.md", "PULL_REQUEST_TEMPLATE.md",
		"docs/Pull_Request_Template.md"} {
		s := newStory(t, goodbye)
		s.Repo.Push("main", map[string]string{path: template})
		_, pull := s.solved()
		require.True(t, strings.HasPrefix(pull.Text(), "Fixes #2\n\n## Description\n\n"+sectionBegins+"\n\n"), path)
		require.True(t, strings.HasSuffix(pull.Text(), sectionEnds+"\n\n<!-- why? -->\n\n- [ ] I told @\u200bacme/owners"),
			path)
	}
}

// It is as it was when the work began: an edit of it comes with the pull request.
func TestATemplateThatTheModelEditsIsReadAsItWas(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye+edit("pull_request_template.md", "- [ ] tests", "- [x] tests"))
	s.Repo.Push("main", map[string]string{"pull_request_template.md": "- [ ] tests\n"})
	_, pull := s.solved()
	require.Equal(t, "- [x] tests\n", s.File(issueBranch(s.Repo.Thread(2)), "pull_request_template.md"))
	require.True(t, strings.HasPrefix(pull.Text(), "Fixes #2\n\n- [ ] tests\n\n"+sectionBegins), pull.Text())
}

func TestATemplateThatCannotBeReadIsDoneWithout(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"pull_request_template.md": "- [ ] tests\n"})
	s.Before("Load").Of("pull_request_template.md").Every().Fail(errors.New("broken"))
	issue := s.issue("It is rude.")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon apply\n\n"+edit("main.go", helloLine, byeLine)).verdict)
	pull := s.Repo.PullOf(issueBranch(issue))
	require.True(t, strings.HasPrefix(pull.Text(), "Fixes #2\n\n"+sectionBegins), pull.Text())
	require.Equal(t, "It greets too early", pull.Title(), "no model gave a subject")
}

func TestALaterCommandBringsTheDescriptionUpToDateAndNothingElse(t *testing.T) {
	t.Parallel()
	for story, on := range map[string]func(issue, pull *bottest.Thread) *bottest.Thread{
		"in the issue":        func(issue, _ *bottest.Thread) *bottest.Thread { return issue },
		"in the pull request": func(_, pull *bottest.Thread) *bottest.Thread { return pull },
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye, "It was short.\n\nCOMMIT: fix: say farewell\n\n"+farewell)
			s.addVictor()
			issue, pull := s.solved()
			own := strings.ReplaceAll(pull.Text(), "Fixes #2\n", "Part of #2, @jan\r\n")
			pull.Rewrite("victor", "Part, do not greet", own+"\r\n- [x] mine\r\n")
			require.Equal(t, "rocket", s.sayAs("victor", on(issue, pull), "/tenon fix `main.go`").verdict)
			require.Equal(t, "Part, do not greet", pull.Title(), "the title is people's")
			before, rest, _ := strings.Cut(pull.Text(), sectionBegins)
			section, after, _ := strings.Cut(rest, sectionEnds)
			require.Equal(t, "Part of #2, @jan\r\n\n", before)
			require.Equal(t, "\r\n- [x] mine\r\n", after)
			require.True(t, strings.HasPrefix(section, "\n\nIt was short.\n\n**Review:** "), section)
			require.Equal(t, 2, strings.Count(section, "([request]("))
			require.Less(t, strings.Index(section, "by `maria`"), strings.Index(section, "by `victor`"))

			require.Equal(t, "rocket", s.sayIn(on(issue, pull), "/tenon undo").verdict)
			require.Contains(t, pull.Text(), "fix: say farewell · `/tenon fix` by `victor` ([request](")
			require.Contains(t, pull.Text(), " · reverted\n- [`")
			require.NotContains(t, pull.Text(), "It was short.")
			require.Len(t, s.Calls("Describe"), 2)
		})
	}
}

func TestADescriptionThatPeopleTookOverIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	s.addVictor()
	issue, pull := s.solved()
	pull.Rewrite("victor", "Mine", "Fixes #2\n\n"+sectionBegins+"\n\nmine alone")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	require.Equal(t, "Fixes #2\n\n"+sectionBegins+"\n\nmine alone", pull.Text())
	require.Empty(t, s.Calls("Describe"))
}

// The description of somebody else's pull request is theirs, whatever its branch is called and whatever it says.
func TestTheDescriptionOfAPullRequestOfSomebodyElseIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, goodbye)
	s.say("/tenon fix `main.go`")
	text := sectionBegins + sectionEnds
	pull := s.Pull("tenon/issue-99", map[string]string{"new.txt": "new\n"})
	pull.Rewrite("maria", "Mine", text)
	require.Equal(t, "rocket", s.sayIn(pull, "/tenon fix `main.go`").verdict)
	require.Equal(t, text, pull.Text())
	require.Empty(t, s.Calls("Describe"))
}

func TestACommandIsDoneThoughItsDescriptionCannotBeWritten(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"Describe", "PullRequest"} {
		s := newStory(t, goodbye, farewell)
		issue, pull := s.solved()
		text := pull.Text()
		s.Before(op).Every().Fail(bottest.Retryable(time.Minute))
		got := s.sayIn(issue, "/tenon fix `main.go`")
		require.Equal(t, "rocket", got.verdict, op)
		require.Contains(t, got.answer, "<sub>@maria · run ")
		require.Equal(t, text, pull.Text())
	}
}

// It is read right before it is written.
func TestWhatSomebodyWritesWhileTheCommitIsMadeStays(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, farewell)
	s.addVictor()
	issue, pull := s.solved()
	s.After("Upload").Do(func() { pull.Rewrite("victor", pull.Title(), pull.Text()+"\n\nmine") })
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix `main.go`").verdict)
	require.True(t, strings.HasSuffix(pull.Text(), sectionEnds+"\n\nmine"), pull.Text())
	require.Equal(t, 2, strings.Count(pull.Text(), "([request]("))
}

func TestTheExplanationOfAPreviewIsInTheDescription(t *testing.T) {
	t.Parallel()
	s := newStory(t, why+threeEdits)
	issue := s.issue("It is rude.")
	c := s.previewIn(issue, "/tenon preview `main.go` and `greet.go`")
	s.tick("maria", c, 1)
	pull := s.Repo.PullOf(issueBranch(issue))
	require.Contains(t, pull.Text(), sectionBegins+"\n\n`main` greets too early")
	s.tick("maria", c, 2)
	require.Contains(t, pull.Text(), "`greet.go`")
	require.Equal(t, 2, strings.Count(pull.Text(), "`/tenon apply` by `maria`"))
}

// What is written as entities is read as characters once: in the description it must be plain then.
func TestEntitiesInAnExplanationBecomeNoDirectives(t *testing.T) {
	t.Parallel()
	why := "It is done, thanks &amp;commat;victor. It is &amp;ast;&amp;ast;&amp;ast;" +
		"NO&amp;lowbar;CI&amp;ast;&amp;ast;&amp;ast; now, and closes&amp;colon;&amp;num;12 x.\n\n" +
		"Signed-off-by&amp;colon; Evil &lt;evil&amp;commat;x.example&gt;"
	s := newStory(t, why+"\n\nCOMMIT: fix: say goodbye\n\n"+edit("main.go", helloLine, byeLine))
	_, pull := s.solved()
	_, section, _ := strings.Cut(pull.Text(), sectionBegins)
	section, _, _ = strings.Cut(section, "**Review")
	require.Contains(t, section, "It is done")
	for _, live := range []string{"@victor", "NO_CI", "closes:", "#12", "Signed-off-by:"} {
		require.NotContains(t, section, live)
	}
}
