package bot_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// randomMerge is a story of two branches that change files at random, of a model that answers at random, and of people
// who do something at random, while processes are killed and branches move.
type randomMerge struct {
	*story
	r *rand.Rand
	// tips are all tips that the branch has had.
	tips []string
	// written reports whether a person or the settings may have taken new lines.
	written bool
	// race has a branch move right before the next commit.
	race bool
}

// TestGeneratedMerges checks what has to be true of every story: no conflict marker is committed, no tip of the branch
// is lost, every merge is made once and whole, and new lines only come from where they are taken. TENON_TEST_MERGES is
// how many stories there are.
func TestGeneratedMerges(t *testing.T) {
	t.Parallel()
	n := 40
	if more, err := strconv.Atoi(os.Getenv("TENON_TEST_MERGES")); err == nil {
		n = more
	}
	merged, shown := 0, 0
	for seed := range n {
		ok := t.Run(strconv.Itoa(seed), func(t *testing.T) {
			m := &randomMerge{story: newStory(t), r: rand.New(rand.NewPCG(36, uint64(seed)))}
			m.play(t)
			merged += m.merges()
			shown += m.saying("<!-- tenon:resolve=")
		})
		if !ok {
			return
		}
	}
	t.Logf("stories=%d merges=%d open=%d", n, merged, shown)
	require.Positive(t, merged)
	require.Positive(t, shown)
}

func (m *randomMerge) play(t *testing.T) {
	m.bot.GitHub = racing{m.GitHub, m}
	m.branches()
	for range 12 {
		m.Model.Says(m.reply())
	}
	m.note()
	m.someFault()
	m.pull.Comment("maria", "/tenon resolve")
	m.Run()
	m.note()
	for range 1 + m.r.IntN(4) {
		m.Clock.Advance(time.Minute)
		if m.r.IntN(4) == 0 {
			m.move()
		}
		m.someFault()
		m.act()
		m.Run()
		m.note()
	}
	m.check()
}

// lines returns a text of some lines, each of which a branch may have changed.
func (m *randomMerge) lines(who string) string {
	var b strings.Builder
	for i := range 12 {
		if m.r.IntN(5) == 0 {
			fmt.Fprintf(&b, "line %d %s %d\n", i, who, m.r.IntN(3))
		} else {
			fmt.Fprintf(&b, "line %d\n", i)
		}
	}
	return b.String()
}

// branches makes files that both branches change.
func (m *randomMerge) branches() {
	before, ours, theirs := map[string]bottest.File{}, map[string]bottest.File{}, map[string]bottest.File{}
	for i := range 1 + m.r.IntN(4) {
		name := fmt.Sprintf("f%d.txt", i)
		before[name], ours[name], theirs[name] = data(m.lines("base")), data(m.lines("ours")), data(m.lines("theirs"))
		switch m.r.IntN(8) {
		case 0:
			ours[name] = gone
		case 1:
			theirs[name] = gone
		case 2:
			before[name], ours[name], theirs[name] = data("\x00b"), data("\x00o"), data("\x00t")
		}
	}
	m.parting(before, ours, theirs)
}

// reply is a reply of a model, which may be none.
func (m *randomMerge) reply() string {
	var b strings.Builder
	for id := range 12 {
		choices := []string{"ours", "theirs", "ours, theirs", "base", "none", "lines o1", "lines t1 o1", "open " +
			"Which?", "both",
			"new\n```\nbrand new\n```", "new\n```\n<<<<<<< ours\n=======\n>>>>>>> theirs\n```"}
		fmt.Fprintf(&b, "C%d: %s\n", id+1, choices[m.r.IntN(len(choices))])
	}
	return b.String()
}

// someFault may have the process killed, or GitHub away, at a write that comes.
func (m *randomMerge) someFault() {
	switch m.r.IntN(4) {
	case 0:
		m.KillAt(1 + m.r.IntN(20))
	case 1:
		m.OutageAt(1+m.r.IntN(20), 10*time.Minute)
	case 2:
		m.race = true
	}
}

// racing is a GitHub on which a branch may move right before a commit.
type racing struct {
	port.GitHub
	m *randomMerge
}

func (g racing) Upload(ctx context.Context, repo port.RepoRef, u port.Upload) (string, error) {
	if g.m.race {
		g.m.race = false
		g.m.move()
	}
	return g.GitHub.Upload(ctx, repo, u)
}

// move moves one of the branches.
func (m *randomMerge) move() {
	branch := []string{"main", "speed"}[m.r.IntN(2)]
	name := fmt.Sprintf("f%d.txt", m.r.IntN(5))
	if m.r.IntN(2) == 0 {
		name = fmt.Sprintf("other%d.txt", m.r.IntN(3))
	}
	m.Repo.Push(branch, map[string]string{name: m.lines(branch + strconv.Itoa(m.r.IntN(3)))})
	m.note()
}

// note remembers the tip of the branch.
func (m *randomMerge) note() { m.tips = append(m.tips, m.Repo.Branch("speed")) }

// act has somebody do something about the conflicts.
func (m *randomMerge) act() {
	words := []string{"ours", "theirs", "ours, theirs", "lines o1", "none"}
	switch m.r.IntN(5) {
	case 0:
		m.written = true
		m.pull.Comment("maria", "/tenon apply")
	case 1:
		command := "/tenon resolve"
		for id := range 1 + m.r.IntN(12) {
			command += fmt.Sprintf(" C%d %s", id+1, words[m.r.IntN(len(words))])
		}
		m.pull.Comment("maria", command)
	case 2:
		m.pull.Comment("maria", "/tenon resolve")
	default:
		said := m.pull.Said()
		for _, c := range slices.Backward(said) {
			boxes := markdown.Boxes(c.Body())
			boxes = slices.DeleteFunc(boxes, func(n int) bool { return slices.Contains(markdown.TickedBoxes(c.Body()), n) })
			if c.Kind() != port.IssueComment || len(boxes) == 0 {
				continue
			}
			for range 1 + m.r.IntN(6) { // one after another, without waiting
				id, choice := markdown.ChosenBy(boxes[m.r.IntN(len(boxes))])
				if slices.Contains(markdown.TickedBoxes(c.Body()), markdown.ChoiceNumber(id, choice)) {
					continue
				}
				m.written = m.written || choice == 3
				c.Choose("maria", id, choice)
			}
			return
		}
	}
}

var (
	marker  = regexp.MustCompile(`(?m)^(<{7}|={7}|>{7}|\|{7})`)
	trailer = regexp.MustCompile(`Tenon-Run: (\w+)`)
)

func (m *randomMerge) check() {
	t := m.t
	require.Empty(t, m.Queue.DeadLetters())
	commits := m.Repo.Commits("speed")
	known, runs, merged := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, c := range commits {
		known[c.SHA] = true
		if id := trailer.FindStringSubmatch(c.Message); id != nil {
			require.False(t, runs[id[1]], "a run commits once")
			runs[id[1]] = true
			require.Len(t, c.Parents, 2)
			require.False(t, merged[c.Parents[1]], "a commit is merged once")
			merged[c.Parents[1]] = true
		}
	}
	for _, tip := range m.tips {
		require.True(t, known[tip], "nothing is lost: the branch was never moved by force")
	}
	for i := range 5 {
		text, _ := m.Repo.File("speed", fmt.Sprintf("f%d.txt", i))
		require.NotRegexp(t, marker, text)
		if !m.written {
			require.NotContains(t, text, "brand new", "nobody took it")
		}
	}
	for _, c := range m.pull.Said() {
		require.NotContains(t, c.Body(), "**Working**", "every run ends")
	}
}
