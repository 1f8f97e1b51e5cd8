package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

var _ = context.Background
var _ = strings.Repeat
var _ = fmt.Sprint

// 1: the base has the same change already; the branch has a workflow of its own.
func TestAttackNothingNewAndOwnWorkflow(t *testing.T) {
	s := newStory(t)
	s.push(map[string]string{".github/workflows/ours.yml": "on: push\n"})
	s.Repo.Push("main", map[string]string{"speed.txt": "fast\n"})
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
}

// 2: a blob that is a link and a file.
func TestAttackLinkAndFileOfOneBlob(t *testing.T) {
	s := newStory(t)
	text := strings.Repeat("a/b/c", 20)
	s.Repo.PushFiles("main", map[string]bottest.File{"l": {Data: text}}, "l\n")
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	// ours: moves l to n with a change and makes a link m elsewhere with the text
	s.Repo.PushFiles("speed", map[string]bottest.File{"l": {Data: text + "\nours\n"}, "zlink": {Mode: port.ModeLink, Data: text}}, "ours\n")
	s.Repo.PushFiles("main", map[string]bottest.File{"l": {Data: "theirs\n" + text}}, "theirs\n")
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
}

func TestAttackLinkAndFileOfOneBlob2(t *testing.T) {
	s := newStory(t)
	text := "a/b/c"
	s.Repo.PushFiles("main", map[string]bottest.File{"l": {Data: text}, "both": {Data: "1\n2\n3\n4\n5\n6\n"}}, "l\n")
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	// ours makes a link of l; theirs changes l (types conflict), and theirs also...
	s.Repo.PushFiles("speed", map[string]bottest.File{"l": {Mode: port.ModeLink, Data: text}}, "ours\n")
	s.Repo.PushFiles("main", map[string]bottest.File{"l": {Gone: true}, "n/l": {Data: text + "d"}}, "theirs\n")
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
}

// 3: the base is force-pushed while the run commits: what was removed comes back.
func TestAttackBaseForcePushed(t *testing.T) {
	s := newStory(t)
	good := s.Repo.Branch("main")
	s.Repo.Push("main", map[string]string{"secret.txt": "key\n"})
	s.Before("MergeBase").Do(func() { s.Repo.SetBranch("main", good) })
	got := s.say("/tenon update")
	_, ok := s.Repo.File("speed", "secret.txt")
	t.Log(got.verdict, got.answer, "secret there:", ok)
}

// 4: undo of an update, then the answers; then a second update with new base commits.
func TestAttackUndoneThenUpdatedAgain(t *testing.T) {
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"important.txt": "base\n"})
	s.say("/tenon update")
	undo := s.say("/tenon undo")
	t.Log(undo.answer)
	s.Repo.Push("main", map[string]string{"more.txt": "more\n"})
	again := s.say("/tenon update")
	_, ok := s.Repo.File("speed", "important.txt")
	t.Log(again.verdict, again.answer, "important there:", ok)
	t.Log(s.say("/tenon update").answer)
	t.Log(s.say("/tenon undo").answer)
	t.Log(s.say("/tenon undo").answer)
}

// 5: undo of an update that brought a workflow.
func TestAttackUndoOfWorkflow(t *testing.T) {
	s := newStory(t)
	s.Repo.Push("main", map[string]string{".github/workflows/ci.yml": "on: push\n", "a.txt": "a\n"})
	s.say("/tenon update")
	undo := s.say("/tenon undo")
	t.Log(undo.verdict, undo.answer)
}

// 6: hostile names.
func TestAttackHostileNames(t *testing.T) {
	s := newStory(t)
	names := []string{"@maria #1 <b>x</b> https://evil.example/x", "`a` @octocat", "[x](https://evil.example)", "x|y ![i](https://e.example/i.png)", "<!-- tenon:run=1 -->"}
	files := map[string]bottest.File{}
	for i, n := range names {
		files[n] = bottest.File{Data: strings.Repeat(fmt.Sprintf("line %d\n", i), 30)}
	}
	s.Repo.PushFiles("main", files, "x\n")
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	o, th := map[string]bottest.File{}, map[string]bottest.File{}
	for i, n := range names {
		o[n], th[n] = bottest.File{Gone: true}, bottest.File{Gone: true}
		o["ours @maria "+n] = bottest.File{Data: files[n].Data + "o\n"}
		th["theirs @maria "+n] = bottest.File{Data: files[n].Data + "t\n"}
		if i == 3 {
			delete(o, "ours @maria "+n)
			delete(th, "theirs @maria "+n)
			o[n] = bottest.File{Data: "ours\n"}
			th[n] = bottest.File{Gone: true}
		}
	}
	s.Repo.PushFiles("speed", o, "o\n")
	s.Repo.PushFiles("main", th, "t\n")
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
}

// 7: hostile branch names.
func TestAttackHostileBranch(t *testing.T) {
	for _, name := range []string{"$(touch${IFS}x);`id`@maria#1", "closes/#1", "a|b<b>x</b>", "x'@octocat'", "\u202eevil", "fix!:@octocat"} {
		s := newStory(t)
		s.Repo.SetBranch(name, s.Repo.Branch("main"))
		s.Repo.Push(name, map[string]string{"x.txt": "x\n", "main.go": "theirs\n"})
		s.push(map[string]string{"main.go": "ours\n"})
		p := s.Repo.OpenPull("maria", "t", "speed", name)
		got := s.sayIn(p, "/tenon update")
		t.Log(got.verdict, got.answer)
		s = newStory(t)
		s.Repo.SetBranch(name, s.Repo.Branch("main"))
		s.Repo.Push(name, map[string]string{"x.txt": "x\n"})
		p = s.Repo.OpenPull("maria", "t", "speed", name)
		got = s.sayIn(p, "/tenon update")
		t.Log(got.verdict, got.answer, s.Repo.Commits("speed")[0].Message)
	}
}

// 8: LFS pointers.
func TestAttackLFS(t *testing.T) {
	s := newStory(t)
	p := func(oid, size string) string {
		return "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat(oid, 64) + "\nsize " + size + "\n"
	}
	s.Repo.Push("main", map[string]string{"big.bin": p("a", "1"), "dir/x.bin": p("b", "1")})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n", "big.bin": p("c", "1")})
	s.Repo.Push("main", map[string]string{"big.bin": p("a", "1") + "x\n"})
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
}

// 9: both branches changed a mode, content by one each.
func TestAttackPreview(t *testing.T) {
	for _, set := range []string{"apply: preview\n", "edits: preview\n", "mode: preview\n", "apply: manual\n"} {
		s := newStory(t)
		s.settings(set)
		s.Repo.Push("main", map[string]string{"a.txt": "a\n"})
		got := s.say("/tenon update")
		t.Log(set, got.verdict, got.answer)
	}
}
