package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

var _ = time.Second
var _ port.Permission

// An undone update, then the pull request is merged: what main had is deleted from main.
func TestBttackUndoneAndMerged(t *testing.T) {
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"important.txt": "base\n"})
	s.say("/tenon update")
	s.say("/tenon undo")
	s.pull.Merge()
	_, ok := s.Repo.File("main", "important.txt")
	t.Log("important.txt on main after the merge of the pull request:", ok)
}

// hostile names.
func TestBttackHostileNames(t *testing.T) {
	s := newStory(t)
	names := []string{"@maria #1 <b>x<b> evil.example", "`a` @octocat", "[x](https:evil)", "x|y ![i](e.png)", "<!-- tenon:run=1 -->", "a\nb @maria", "GH-12", "_x_ *y* ~~z~~", "http:&#47;&#47;x"}
	base := map[string]bottest.File{}
	for i, n := range names {
		base[n] = bottest.File{Data: strings.Repeat(fmt.Sprintf("line %d of %s\n", i, n), 30)}
	}
	s.Repo.PushFiles("main", base, "x\n")
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	o, th := map[string]bottest.File{}, map[string]bottest.File{}
	for _, n := range names {
		o[n], th[n] = bottest.File{Gone: true}, bottest.File{Gone: true}
		o["o @maria "+n] = bottest.File{Data: base[n].Data + "o\n"}
		th["t @maria "+n] = bottest.File{Data: base[n].Data + "t\n"}
	}
	s.Repo.PushFiles("speed", o, "o\n")
	s.Repo.PushFiles("main", th, "t\n")
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
}

// a blob that is a link and a file at once.
func TestBttackLinkAndFile(t *testing.T) {
	s := newStory(t)
	s.Repo.PushFiles("main", map[string]bottest.File{"VERSION": {Data: "1\n2\n3\n4\n5\n6\n7"}}, "l\n")
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	s.Repo.PushFiles("speed", map[string]bottest.File{"VERSION": {Data: "ours\n2\n3\n4\n5\n6\n7"}, "zlink": {Mode: port.ModeLink, Data: "ours\n2\n3\n4\n5\n6\n7"}}, "ours\n")
	s.Repo.PushFiles("main", map[string]bottest.File{"VERSION": {Data: "1\n2\n3\n4\n5\n6\n7\ntheirs"}}, "theirs\n")
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer, s.Queue.DeadLetters())
}

// killed after the merge step is recorded; then the base is deleted, or moves back.
func TestBttackResume(t *testing.T) {
	for _, act := range []string{"deleted", "back", "on"} {
		for at := 1; at <= 14; at++ {
			s := newStory(t)
			good := s.Repo.Branch("main")
			s.Repo.SetBranch("dev", good)
			s.Repo.Push("dev", map[string]string{"later.txt": "later\n"})
			p := s.Repo.OpenPull("maria", "t", "speed", "dev")
			s.KillAt(at)
			p.Comment("maria", "/tenon update")
			moved := false
			func() {
				defer func() { recover() }()
				_ = moved
			}()
			s.Before("MergeBase").Do(func() {
				switch act {
				case "deleted":
					s.Repo.SetBranch("dev", "")
				case "back":
					s.Repo.SetBranch("dev", good)
				case "on":
					s.Repo.Push("dev", map[string]string{"later2.txt": "x\n"})
				}
			})
			s.Run()
			merges := 0
			for _, c := range s.Repo.Commits("speed") {
				if len(c.Parents) == 2 {
					merges++
				}
			}
			if at == 1 || merges != 1 {
				t.Log(act, at, "merges", merges, p.LastAnswer(), s.Queue.DeadLetters())
			}
		}
	}
}

// verify with workflows on both sides.
func TestBttackVerifyWorkflows(t *testing.T) {
	s := newStory(t)
	s.verifying(passes)
	s.push(map[string]string{".github/workflows/ours.yml": "on: push\n"})
	s.Repo.Push("main", map[string]string{".github/workflows/theirs.yml": "on: push\n"})
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
	t.Log(s.scratch())
}

// a pair of names that differ in case.
func TestBttackCasePair(t *testing.T) {
	s := newStory(t)
	s.push(map[string]string{"readme.md": "ours\n"})
	s.Repo.Push("main", map[string]string{"README.md": "theirs\n"})
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
	// an undo of an update that restores a name of which there is another case now
	s = newStory(t)
	s.Repo.Push("main", map[string]string{"notes.md": "x\n"})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	s.Repo.PushFiles("main", map[string]bottest.File{"notes.md": {Gone: true}}, "gone\n")
	s.say("/tenon update")
	s.push(map[string]string{"NOTES.md": "y\n"})
	got = s.say("/tenon undo")
	t.Log(got.verdict, got.answer)
}

// the owners file is a link to a file that both branches changed.
func TestBttackLinkedOwners(t *testing.T) {
	s := newStory(t)
	lines := func(first, last string) string { return first + "\n" + strings.Repeat("#\n", 9) + last + "\n" }
	s.Repo.PushFiles("main", map[string]bottest.File{"CODEOWNERS": {Mode: port.ModeLink, Data: "docs/owners"}, "docs/owners": {Data: lines("a", "b")}}, "x\n")
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"docs/owners": lines("a", "ours")})
	s.Repo.Push("main", map[string]string{"docs/owners": lines("theirs", "b")})
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
}

// states of the pull request, permissions.
func TestBttackStates(t *testing.T) {
	for name, act := range map[string]func(s *story){
		"closed":           func(s *story) { s.pull.SetOpen(false) },
		"locked":           func(s *story) { s.pull.Lock(true) },
		"merged":           func(s *story) { s.pull.Merge() },
		"closed meanwhile": func(s *story) { s.Before("MergeBase").Do(func() { s.pull.SetOpen(false) }) },
		"merged meanwhile": func(s *story) { s.Before("MergeBase").Do(func() { s.pull.Merge() }) },
		"protected base":   func(s *story) { s.Repo.Protect("main", "no") },
		"branch gone":      func(s *story) { s.Before("Upload").Do(func() { s.Repo.SetBranch("speed", "") }) },
		"permission gone":  func(s *story) { s.Before("MergeBase").Do(func() { s.Repo.SetRole("maria", port.PermissionRead) }) },
		"forced back": func(s *story) {
			good := s.Repo.Branch("main")
			s.Before("Upload").Do(func() { s.Repo.SetBranch("speed", good) })
		},
		"cancelled": func(s *story) {},
	} {
		s := newStory(t)
		s.Repo.SetBranch("speed", s.Repo.Branch("speed"))
		s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
		before := s.Repo.Branch("speed")
		act(s)
		got := s.say("/tenon update")
		t.Log(name, got.verdict, strings.SplitN(got.answer, "<details>", 2)[0], before == s.Repo.Branch("speed"))
	}
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	got := s.sayAs("stranger", s.pull, "/tenon update")
	t.Log("stranger", got.verdict, got.answer)
}

// how many files are loaded one by one when a branch adds many and one file may have been renamed.
func TestBttackLoads(t *testing.T) {
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"old.txt": strings.Repeat("old line\n", 20000)})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	files := map[string]bottest.File{"old.txt": {Gone: true}}
	for i := range 400 {
		files[fmt.Sprintf("data/%d.txt", i)] = bottest.File{Data: fmt.Sprint(i) + strings.Repeat("new line\n", 20000)}
	}
	s.Repo.PushFiles("speed", files, "x\n")
	s.Repo.Push("main", map[string]string{"old.txt": strings.Repeat("old line\n", 20001)})
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
	t.Log("Load", len(s.Calls("Load")), "LoadSome", len(s.Calls("LoadSome")))
}

// the answer of a merge with very many conflicts and long names.
func TestBttackLong(t *testing.T) {
	s := newStory(t)
	base, ours, theirs := map[string]string{}, map[string]string{}, map[string]string{}
	for i := range 1900 {
		p := strings.Repeat("d/", 100) + strings.Repeat("x", 200) + fmt.Sprint(i)
		base[p], ours[p], theirs[p] = "a\n", "b\n", "c\n"
	}
	s.Repo.Push("main", base)
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(ours)
	s.Repo.Push("main", theirs)
	got := s.say("/tenon update")
	t.Log(got.verdict, len(got.answer), got.answer[:200], got.answer[max(0, len(got.answer)-900):])
	for i := range 100 {
		p := strings.Repeat("e/", 100) + strings.Repeat("x", 200) + fmt.Sprint(i)
		base[p] = "a\n"
	}
}

// the change of the base of the pull request while the run is on its way.
func TestBttackDeprecatedMode(t *testing.T) {
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"a/b.txt": "a\n"})
	t.Log(s.say("/tenon update").verdict)
	s.Repo.PushFiles("main", map[string]bottest.File{"a/b.txt": {Gone: true}, "a": {Mode: port.ModeLink, Data: "speed.txt"}}, "link\n")
	s.push(map[string]string{"a/c.txt": "c\n"})
	got := s.say("/tenon update")
	t.Log(got.verdict, got.answer)
}
