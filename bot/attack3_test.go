package bot_test

import (
	"strings"
	"testing"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestCttackPermission(t *testing.T) {
	s := newStory(t)
	s.addVictor()
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	s.Before("MergeBase").Do(func() { s.Repo.SetRole("victor", port.PermissionRead) })
	got := s.sayAs("victor", s.pull, "/tenon update")
	t.Log(got.verdict, got.answer)
}

// a pull request of a release into main... the base is a release branch, the head the default branch.
func TestCttackHeadIsDefault(t *testing.T) {
	s := newStory(t)
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.Repo.Push("release", map[string]string{"hotfix.txt": "x\n"})
	s.Repo.Push("main", map[string]string{"x.txt": "x\n"})
	p := s.Repo.OpenPull("maria", "t", "main", "release")
	got := s.sayIn(p, "/tenon update")
	t.Log(got.verdict, got.answer)
}

// undo of an update when the base had removed a protected file: the undo brings it back. And a later commit hardened it.
func TestCttackUndoProtected(t *testing.T) {
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"CODEOWNERS": "* @old\n"})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	s.Repo.Push("main", map[string]string{"CODEOWNERS": "* @security\n", "a.txt": "a\n"})
	s.say("/tenon update")
	got := s.say("/tenon undo")
	t.Log(got.verdict, got.answer, s.File("speed", "CODEOWNERS"))
}

// the branch has a change that theirs took over (cherry-picked) and ours renamed: merges nothing of ours away.
func TestCttackTwice(t *testing.T) {
	for _, settings := range []string{"", "commits: push\n"} {
		s := newStory(t)
		if settings != "" {
			s.settings(settings)
		}
		s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
		n := 0
		op := "Upload"
		if settings != "" {
			op = "Commit"
		}
		s.Before(op).Every().Do(func() {
			if n++; n < 3 {
				s.Repo.Push("speed", map[string]string{"more.txt": strings.Repeat("more\n", n)})
			}
		})
		got := s.say("/tenon update")
		merges := 0
		for _, c := range s.Repo.Commits("speed") {
			if len(c.Parents) == 2 {
				merges++
			}
		}
		t.Log(got.verdict, merges, n, got.answer[:200])
	}
}

// branch moved so that the second attempt is up to date or conflicts: state of the first attempt must not be committed.
func TestCttackStale(t *testing.T) {
	for _, settings := range []string{"", "commits: push\n"} {
		s := newStory(t)
		if settings != "" {
			s.settings(settings)
		}
		s.Repo.SetBranch("speed", s.Repo.Branch("main"))
		s.push(map[string]string{"speed.txt": "fast\n"})
		s.Repo.Push("main", map[string]string{"main.go": "theirs\n"})
		op := "Upload"
		if settings != "" {
			op = "Commit"
		}
		s.Before(op).Do(func() { s.Repo.Push("speed", map[string]string{"main.go": "ours\n"}) })
		got := s.say("/tenon update")
		t.Log(got.verdict, s.File("speed", "main.go"), len(s.Repo.Commits("speed")[0].Parents), got.answer)
	}
}

// API: swaps of files, folders, links in both directions on both sides, workflows on one.
func TestCttackSwaps(t *testing.T) {
	for _, wf := range []string{"", "ours", "theirs"} {
		s := newStory(t)
		s.Repo.PushFiles("main", map[string]bottest.File{
			"a/x": {Data: "ax\n"}, "b": {Data: "b\n"}, "c": {Mode: port.ModeLink, Data: "b"}, "d/y": {Data: "dy\n"}, "e": {Mode: port.ModeExecutable, Data: "e\n"},
			"f": {Mode: port.ModeSubmodule, Data: pinned}, "g/z": {Data: ""},
		}, "base\n")
		s.Repo.SetBranch("speed", s.Repo.Branch("main"))
		s.push(map[string]string{"speed.txt": "fast\n"})
		s.Repo.PushFiles("speed", map[string]bottest.File{"a/x": {Gone: true}, "a": {Data: "file a\n"}, "b": {Gone: true}, "b/q": {Data: "bq\n"}, "g/z": {Gone: true}}, "ours\n")
		s.Repo.PushFiles("main", map[string]bottest.File{"c": {Gone: true}, "c/w": {Data: "cw\n"}, "d/y": {Gone: true}, "d": {Mode: port.ModeLink, Data: "b"}, "e": {Data: "e\n"}, "f": {Gone: true}, "f/v": {Data: ""}}, "theirs\n")
		if wf != "" {
			branch := map[string]string{"ours": "speed", "theirs": "main"}[wf]
			s.Repo.Push(branch, map[string]string{".github/workflows/w.yml": "on: push\n"})
		}
		got := s.say("/tenon update")
		if got.verdict != "rocket" {
			t.Error(wf, got.answer)
			continue
		}
		out := ""
		for _, p := range []string{"a", "b/q", "c/w", "d", "e", "f/v", "g/z", "a/x", "d/y", ".github/workflows/w.yml"} {
			out += p + "=" + s.Repo.Mode("speed", p) + " "
		}
		t.Log(wf, out)
	}
}
