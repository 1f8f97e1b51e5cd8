package bot_test

import (
	"testing"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestDttackSwap(t *testing.T) {
	for name, ours := range map[string]map[string]bottest.File{
		"folder to file":    {"a/x": {Gone: true}, "a": {Data: "file a\n"}},
		"folder to link":    {"a/x": {Gone: true}, "a": {Mode: port.ModeLink, Data: "b"}},
		"file to folder":    {"b": {Gone: true}, "b/q": {Data: "bq\n"}},
		"removed file":      {"g/z": {Gone: true}},
		"both folder, file": {"a/x": {Gone: true}, "a": {Data: "file a\n"}, "b": {Gone: true}, "b/q": {Data: "bq\n"}},
	} {
		for _, set := range []string{"", "commits: push\n"} {
			s := newStory(t)
			if set != "" {
				s.settings(set)
			}
			s.Repo.PushFiles("main", map[string]bottest.File{"a/x": {Data: "ax\n"}, "b": {Data: "b\n"}, "g/z": {Data: "z\n"}}, "base\n")
			s.Repo.SetBranch("speed", s.Repo.Branch("main"))
			s.push(map[string]string{"speed.txt": "fast\n"})
			s.Repo.PushFiles("speed", ours, "ours\n")
			s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
			got := s.say("/tenon update")
			t.Log(name, set, got.verdict)
		}
	}
}

// The same in the direction of theirs, when the branch has a workflow of its own, so that the tree is made of ours.
func TestDttackSwapTheirs(t *testing.T) {
	s := newStory(t)
	s.Repo.PushFiles("main", map[string]bottest.File{"a/x": {Data: "ax\n"}}, "base\n")
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{".github/workflows/ours.yml": "on: push\n"})
	s.Repo.PushFiles("main", map[string]bottest.File{"a/x": {Gone: true}, "a": {Data: "file\n"}}, "theirs\n")
	got := s.say("/tenon update")
	t.Log(got.verdict)
	s = newStory(t)
	s.Repo.PushFiles("main", map[string]bottest.File{"a/x": {Data: "ax\n"}}, "base\n")
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	s.Repo.PushFiles("main", map[string]bottest.File{"a/x": {Gone: true}, "a": {Mode: port.ModeLink, Data: "b"}}, "theirs\n")
	t.Log("update", s.say("/tenon update").verdict)
	s.push(map[string]string{"o.txt": "fast\n"})
	t.Log("undo", s.say("/tenon undo").verdict)
	redo := s.say("/tenon undo " + "x")
	_ = redo
}
