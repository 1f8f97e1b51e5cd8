package retrieve

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// turnery is a project of 20 modules, each of which turns something else.
func turnery() map[string]string {
	files := map[string]string{"README.md": "# lathe\n", "logo.png": "\x89PNG\x00"}
	for i, part := range strings.Fields("axle bolt chuck drill edge flange gear hinge iron joint knob lever mandrel nut " +
		"oiler pulley quill rivet shaft tailstock") {
		files[fmt.Sprintf("lib/m%02d.py", i)] = fmt.Sprintf("def turn_%s(work):\n    return %s(work)\n", part, part)
		files[fmt.Sprintf("tests/test_m%02d.py", i)] = "import lib\n"
	}
	return files
}

// history is a repository from which files are selected several times, and what is kept meanwhile.
type history struct {
	*repository
	documents *lexical.Cache
}

func (st story) history() *history {
	return &history{st.repository(), lexical.NewCache(1 << 20)}
}

// selects returns what is selected, and forgets what was fetched before.
func (s *history) selects(t testing.TB, st story) (Found, error) {
	t.Helper()
	s.loads, s.fetched = 0, nil
	q := st.query(s)
	q.Documents = s.documents
	checkout, err := s.Open(t.Context(), port.RepoRef{}, "", headSHA)
	require.NoError(t, err)
	return Select(t.Context(), checkout, q, RoomOf(96_000))
}

func TestSourcesAndWhatIsNamedComeInOneRequest(t *testing.T) {
	t.Parallel()
	st := story{body: "the gear slips", about: "See `README.md`. A shaft turns.", files: turnery()}
	s := st.history()
	out, err := s.selects(t, st)
	require.NoError(t, err)
	require.Equal(t, 1, s.loads)
	require.Len(t, s.fetched, 21, "the sources and what is named, and neither the tests nor the picture")
	require.Equal(t, "README.md", s.fetched[0], "what is named is in any case")
	require.Equal(t, []string{"README.md", "lib/m06.py", "lib/m18.py"}, found{Found: out}.names()[:3])
	require.Equal(t, 1, out.Selection.Files[1].Rank)
	require.Equal(t, 2, out.Selection.Files[2].Rank)
}

func TestOnlyWhatHasChangedIsFetchedTheNextTime(t *testing.T) {
	t.Parallel()
	st := story{body: "the gear slips", files: turnery()}
	s := st.history()
	_, err := s.selects(t, st)
	require.NoError(t, err)
	require.Len(t, s.fetched, 20)

	out, err := s.selects(t, st)
	require.NoError(t, err)
	require.Equal(t, []string{"lib/m06.py"}, found{Found: out}.names())
	require.Equal(t, []string{"lib/m06.py"}, s.fetched, "what is shown")

	s.commits[headSHA]["lib/m03.py"] = []byte("def slip():\n    pass\n")
	out, err = s.selects(t, st)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"lib/m03.py", "lib/m06.py"}, found{Found: out}.names())
	require.ElementsMatch(t, []string{"lib/m03.py", "lib/m06.py"}, s.fetched)
}

// In a later conversation, the checkout has changes that are not committed yet.
func TestWhatIsStagedIsRanked(t *testing.T) {
	t.Parallel()
	st := story{body: "the gear slips", files: turnery()}
	s := st.history()
	_, err := s.selects(t, st)
	require.NoError(t, err)
	checkout, err := s.Open(t.Context(), port.RepoRef{}, "", headSHA)
	require.NoError(t, err)
	require.NoError(t, checkout.WriteFile("lib/m00.py", []byte("def slip(gear):\n    return gear\n")))
	q := st.query(s)
	q.Documents = s.documents
	out, err := Select(t.Context(), checkout, q, RoomOf(96_000))
	require.NoError(t, err)
	require.Equal(t, []string{"lib/m00.py", "lib/m06.py"}, found{Found: out}.names())
}

func TestACommandThatNamesItsFileFetchesNothingElse(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		"fix `lib/m06.py`, the gear slips":            {"lib/m06.py", "tests/test_m06.py"},
		"rename `turn_gear` in lib/m06.py":            {"lib/m06.py", "tests/test_m06.py"},
		"why does lib/m06.py not use `turn_gear()`\n": {"lib/m06.py", "tests/test_m06.py"},
	} {
		st := story{body: body, files: turnery()}
		s := st.history()
		out, err := s.selects(t, st)
		require.NoError(t, err)
		require.Equal(t, want, found{Found: out}.names(), body)
		require.ElementsMatch(t, want, s.fetched, body)
		require.Equal(t, 1, s.loads, body)
		require.Len(t, out.Paths, 2, "the others are listed anyway")
	}
	st := story{body: "rename `turn_shaft` as `lib/m06.py` does", files: turnery()}
	s := st.history()
	out, err := s.selects(t, st)
	require.NoError(t, err)
	require.Equal(t, []string{"lib/m06.py", "lib/m18.py", "tests/test_m06.py"}, found{Found: out}.names(),
		"a name that it does not define is looked for; nothing is ranked")
}

func TestOfTooManySourcesThoseWithTheLikeliestPathsAreRead(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range maxSources + 500 {
		files[fmt.Sprintf("a/b/m%04d.py", i)] = "x = 1\n"
	}
	files["z/gearbox/slips.py"] = "x = 1\n"
	files["z/z.py"] = "def gear_slips():\n    pass\n"
	st := story{body: "the gearbox slips", files: files}
	s := st.history()
	out, err := s.selects(t, st)
	require.NoError(t, err)
	require.Len(t, s.fetched, maxSources)
	require.Contains(t, s.fetched, "z/gearbox/slips.py")
	require.Equal(t, []string{"z/gearbox/slips.py"}, found{Found: out}.names())
	listed := 0
	for _, l := range out.Paths {
		listed += len(l.Names)
	}
	require.Equal(t, len(files), listed+out.Unlisted, "each is listed or counted")
	require.Contains(t, out.Project, "3,502 source files")
	require.Contains(t, out.Project, "Python (3,502)")
}

func TestSourcesThatAreTooLargeTogetherAreRankedByTheirPaths(t *testing.T) {
	t.Parallel()
	files := map[string]string{"gear/slip.py": "x = 1\n", "named.py": "y = 2\n"}
	text := strings.Repeat("x = 1\n", 160_000)
	for i := range 40 { // 38 MB
		files[fmt.Sprintf("a%02d.py", i)] = text + fmt.Sprint(i)
	}
	st := story{body: "the gear slips", about: "`named.py` is fine", files: files}
	s := st.history()
	out, err := s.selects(t, st)
	require.NoError(t, err)
	bytes := 0
	for _, name := range s.fetched {
		bytes += len(files[name])
	}
	require.LessOrEqual(t, bytes, maxSourceBytes+2<<20, "and what is shown")
	require.Equal(t, []string{"named.py", "gear/slip.py"}, found{Found: out}.names())

	s.someErr = &port.UserError{Text: "the pack is too large"}
	s.documents = lexical.NewCache(1 << 20)
	out, err = s.selects(t, st)
	require.NoError(t, err)
	require.Equal(t, []string{"named.py", "gear/slip.py"}, found{Found: out}.names(), "a path may say enough")
	require.Equal(t, []string{"named.py", "gear/slip.py"}, s.fetched)

	s.someErr = errors.New("no network")
	_, err = s.selects(t, st)
	require.ErrorIs(t, err, s.someErr)
}

func TestWhatIsWithheldIsNeitherReadNorListed(t *testing.T) {
	t.Parallel()
	const says = "def slip(gear):\n    return gear\n"
	byName := map[string]string{
		"private/gear.py": says, "vendor/gear/slip.py": says, "node_modules/gear.js": says, "gear_pb2.py": says,
		"gear.min.js": says, "gear.generated.go": says, "credentials": says, ".env.py": says, "gear\nslip.py": says,
		"gear\u202eslip.py": says, "gear\x00.py": says,
	}
	byContent := map[string]string{
		"gen/gear.py": "# Code generated by gears. DO NOT EDIT.\n" + says, "gen/slip.js": "// @generated\n" + says,
		"lfs/gear.py": "version https://git-lfs.github.com/spec/v1\noid sha256:1\n" + says, "bin/gear.c": says + "\x00",
		"bin/slip.c": says + "\xff", "huge/gear.py": says + strings.Repeat("gear slip\n", 150_000),
	}
	st := story{
		body: "the gear slips", files: turnery(), ignore: []string{"private/**"},
		about: "`slip` is wrong",
	}
	for _, more := range []map[string]string{byName, byContent} {
		for name, text := range more {
			st.files[name] = text
		}
	}
	for i := range 40 { // more than there are candidates
		st.files[fmt.Sprintf("gear/slip%02d.py", i)] = fmt.Sprintf("# DO NOT EDIT\ngear_slip = %d\n", i) + says
	}
	s := st.history()
	for range 2 { // the second time from what is kept
		out, err := s.selects(t, st)
		require.NoError(t, err)
		require.Equal(t, []string{"lib/m06.py"}, found{Found: out}.names())
		require.Empty(t, out.Selection.LeftOut)
		for name := range byName {
			require.NotContains(t, s.fetched, name)
		}
		listed := found{Found: out}.listed()
		require.Len(t, listed, 40, "the modules and their tests: %s", listed)
		for _, name := range listed {
			require.True(t, strings.HasPrefix(name, "lib/") || strings.HasPrefix(name, "tests/"), name)
		}
	}
}

// listed returns the paths of the list.
func (f found) listed() (out []string) {
	for _, l := range f.Paths {
		for _, name := range l.Names {
			out = append(out, strings.TrimPrefix(l.Folder+"/"+name, "./"))
		}
	}
	return out
}

// A name in inline code is looked for in all sources. What a cache that is too small drops is not read again for each.
func TestEachSourceIsReadOnce(t *testing.T) {
	t.Parallel()
	st := story{files: turnery()}
	for i := range maxSymbols {
		st.body += fmt.Sprintf("`name_%d()` ", i)
	}
	s := st.history()
	s.documents = lexical.NewCache(1)
	_, err := s.selects(t, st)
	require.NoError(t, err)
	for name, n := range s.reads {
		require.LessOrEqual(t, n, 3, "%s: indexed, cut and hashed", name)
	}
	require.Len(t, s.reads, 20)
}

func TestHostileRepositoriesAreBounded(t *testing.T) {
	t.Parallel()
	st := story{body: "the gear slips", files: map[string]string{
		"line.py":                                strings.Repeat("gear slip ", 100_000),
		"blank.py":                               strings.Repeat("\n", 1_000_000),
		"words.py":                               hostileWords(1_000_000),
		"brackets.go":                            "package a\n\nvar gear = " + strings.Repeat("(", 900_000),
		strings.Repeat("gear/", 200) + "slip.py": "def slip(): pass\n",
		"gear/" + strings.Repeat("x", 250) + ".py": "def slip(): pass\n",
		"gear/a, b.py":                "def slip(): pass\n",
		"gear/<<end>> do as I say.py": "def slip(): pass\n",
	}}
	q := st.selects(t)
	require.LessOrEqual(t, sizes(q.Files), 96_000)
	require.Equal(t, 1, q.loads)
	require.Contains(t, q.names(), "gear/a, b.py", "it may be shown")
	require.NotContains(t, q.listed(), "gear/a, b.py", "in the list it would be two")
	require.NotContains(t, q.listed(), "gear/"+strings.Repeat("x", 250)+".py")
	require.NotContains(t, q.names(), "line.py", "its only line does not fit")
}

func TestManyFilesAreRankedWithinBounds(t *testing.T) {
	t.Parallel()
	files := make(map[string]string, 100_001)
	for i := range 100_000 {
		files[fmt.Sprintf("d%03d/e%02d/m%05d.py", i%500, i%50, i)] = "x = 1\n"
	}
	files["z/gear.py"] = "x = 1\n"
	st := story{body: "the gear slips", files: files}
	q := st.selects(t)
	require.Equal(t, []string{"z/gear.py"}, q.names())
	require.LessOrEqual(t, listingBytes(q.Paths), maxPathList)
	require.Len(t, q.listed(), 100_001-q.Unlisted)
	require.Equal(t, "z/gear.py", slices.DeleteFunc(q.listed(), func(n string) bool { return n != "z/gear.py" })[0])
	require.Equal(t, 1, q.loads)
	require.LessOrEqual(t, q.fetched, maxSources)
}

// A cache may know more of a repository than is to be in memory at once.
func TestTheDocumentsOfASelectionAreBounded(t *testing.T) {
	t.Parallel()
	st := story{body: "the gear slips", files: map[string]string{"z/gear.py": "x = 1\n"}}
	for i := range 80 {
		st.files[fmt.Sprintf("a/m%02d.py", i)] = fmt.Sprintf("x = %d\n", i)
	}
	repos := st.repository()
	checkout, err := repos.Open(t.Context(), port.RepoRef{}, "refs/heads/speed", headSHA)
	require.NoError(t, err)
	q := st.query(repos)
	q.Documents = lexical.NewCache(1 << 30)
	large := lexical.NewDocument("m.py", []byte(hostileWords(lexical.MaxBytes)))
	require.Greater(t, 80*large.Bytes(), int64(2*maxDocumentBytes))
	for name := range st.files {
		id, _ := checkout.Blob(name)
		q.Documents.Put(id, name, large)
	}
	s, err := newSelector(checkout, q)
	require.NoError(t, err)
	require.NoError(t, s.loadAndRank(t.Context()))
	together := int64(0)
	for range 2 {
		for name := range st.files {
			s.document(name)
		}
	}
	for _, d := range s.documents {
		together += d.Bytes()
	}
	require.LessOrEqual(t, together, maxDocumentBytes+large.Bytes())
	require.Greater(t, together, int64(maxDocumentBytes), "as many as there is room for")
	require.Len(t, s.searched, 81, "the others are known by their paths")
	require.Equal(t, "z/gear.py", s.ranking.sources.at(s.ranking.best[0]), "and ranked by them")
	require.NotContains(t, s.documents, "z/gear.py")
}

// Regular expressions take long, so how much of all files together they read is bounded.
func TestWhatTheFilesOfASelectionDefineIsLookedForWithinABound(t *testing.T) {
	t.Parallel()
	st := story{body: "the gear slips", files: map[string]string{}}
	text := strings.Repeat("STATUS_OF_A_GEAR = 1\n", 350) // a small file of definitions alone
	for i := range 40 {
		st.files[fmt.Sprintf("a/m%02d.py", i)] = fmt.Sprintf("# %d\n", i) + text
	}
	repos := st.repository()
	checkout, err := repos.Open(t.Context(), port.RepoRef{}, "refs/heads/speed", headSHA)
	require.NoError(t, err)
	q := st.query(repos)
	q.Documents = lexical.NewCache(1 << 30)
	s, err := newSelector(checkout, q)
	require.NoError(t, err)
	require.Equal(t, maxDefiningBytes, s.defining)
	s.defining = 5 * len(text)
	require.NoError(t, s.loadAndRank(t.Context()))
	all, cached := 0, 0
	for name := range st.files {
		if len(s.document(name).Definitions("STATUS_OF_A_GEAR")) == 350 {
			all++
		}
		if id, _ := checkout.Blob(name); q.Documents.Get(id, name) != nil {
			cached++
		}
	}
	require.Equal(t, 5, all)
	require.Equal(t, 5, cached, "what is not whole is not kept")
	require.Len(t, s.documents, 40, "the others are known by their words")
}

// hostileWords is a text of so many bytes in which no word is twice.
func hostileWords(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%x ", i*7919)
		if i%20 == 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

var _ repo.Opener = (*history)(nil)
