package bot_test

import (
	"fmt"
	"testing"

	"github.com/tenon-bot/tenon/bot/bottest"
)

func TestEttackUndoSwap(t *testing.T) {
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"tools": "none\n"})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	s.Repo.PushFiles("main", map[string]bottest.File{"tools": {Gone: true}, "tools/b.txt": {Data: "b\n"}}, "theirs\n")
	t.Log("update", s.say("/tenon update").verdict)
	got := s.say("/tenon undo")
	t.Log("undo", got.verdict, got.answer)
}

// undo of the undo by number twice, with updates in between.
func TestEttackUndoChain(t *testing.T) {
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"one.txt": "1\n"})
	one := s.say("/tenon update")
	s.Repo.Push("main", map[string]string{"two.txt": "2\n"})
	two := s.say("/tenon update")
	u1 := s.say("/tenon undo " + one.run)
	t.Log("undo of the first", u1.verdict, has(s, "one.txt"), has(s, "two.txt"))
	up := s.say("/tenon update")
	t.Log("update:", up.answer[:120])
	u2 := s.say("/tenon undo " + two.run)
	t.Log("undo of the second", u2.verdict, has(s, "one.txt"), has(s, "two.txt"))
	r1 := s.say("/tenon undo " + u1.run)
	t.Log("redo of the first", r1.verdict, has(s, "one.txt"), has(s, "two.txt"))
	up = s.say("/tenon update")
	t.Log("update:", up.answer[:420])
	rr := s.say("/tenon undo " + r1.run)
	t.Log("undo of the redo", rr.verdict, has(s, "one.txt"), has(s, "two.txt"), rr.answer[:100])
}

func has(s *story, name string) bool { _, ok := s.Repo.File("speed", name); return ok }

func TestEttackManyOwn(t *testing.T) {
	s := newStory(t)
	files := map[string]string{}
	for i := range 5000 {
		files[fmt.Sprintf("own/%d/%d.txt", i%50, i)] = fmt.Sprint(i)
	}
	s.push(files)
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	s.Before("Upload").Do(func() {})
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer[:90])
}

// an update after the user himself merged main by hand and reverted it by hand.
func TestEttackEmptyRepoSides(t *testing.T) {
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"UPPER/a.txt": "a\n"})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	s.Repo.PushFiles("main", map[string]bottest.File{"UPPER/a.txt": {Gone: true}, "upper/a.txt": {Data: "a\n"}}, "case\n")
	s.push(map[string]string{"UPPER/b.txt": "b\n"})
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer[:300])
}

func TestEttackJiraBranch(t *testing.T) {
	s := newStory(t)
	s.Repo.SetBranch("ABC-123-fix", s.Repo.Branch("speed"))
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	p := s.Repo.OpenPull("maria", "t", "ABC-123-fix", "main")
	got := s.sayIn(p, "/tenon update")
	t.Log(got.verdict, s.Repo.Commits("ABC-123-fix")[0].Message)
	_ = got
}
