package bot_test

import (
	"strings"
	"testing"

	"github.com/tenon-bot/tenon/bot/bottest"
)

// LFS pointers that both changed.
func TestFttackLFS(t *testing.T) {
	p := func(oid string) string {
		return "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat(oid, 64) + "\nsize 12\n"
	}
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"big.bin": p("a")})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"big.bin": p("b")})
	s.Repo.Push("main", map[string]string{"big.bin": p("c")})
	t.Log(s.say("/tenon update").answer)
}

// theirs renames a file onto a protected path that ours changed.
func TestFttackRenamedOnto(t *testing.T) {
	text := strings.Repeat("a line that is long enough\n", 20)
	for _, who := range []string{"main", "speed"} {
		s := newStory(t)
		s.Repo.Push("main", map[string]string{"a.txt": text})
		s.Repo.SetBranch("speed", s.Repo.Branch("main"))
		s.push(map[string]string{"speed.txt": "fast\n"})
		other := map[string]string{"main": "speed", "speed": "main"}[who]
		s.Repo.PushFiles(who, map[string]bottest.File{"a.txt": {Gone: true}, ".GitHub/Workflows/a.yml": {Data: text}}, "r\n")
		s.Repo.Push(other, map[string]string{"a.txt": text + "more\n"})
		t.Log(who, s.say("/tenon update").answer[:300])
	}
}

// the undo of an update with a bound: more files than an undo.
func TestFttackUndoMany(t *testing.T) {
	s := newStory(t)
	files := map[string]string{}
	for i := range 3000 {
		files["n/"+strings.Repeat("x", i%7+1)+string(rune('a'+i%26))+string(rune('a'+i/26%26))+string(rune('a'+i/676))] = "x\n"
	}
	s.Repo.Push("main", files)
	t.Log(s.say("/tenon update").answer[:100])
	t.Log(s.say("/tenon undo").answer[:200])
}
