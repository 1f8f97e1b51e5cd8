package retrieve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An issue that mentions a file by the way must not hide the file that it is about.
func TestWhatIsOnlyMentionedLeavesHalfOfTheRoom(t *testing.T) {
	t.Parallel()
	st := gears(12)
	st.files["app.py"] = strings.Repeat("def app():\n"+strings.Repeat("    gear\n", 30), 100)
	st.about = "the gear slips, as in a quick `app.py`"
	st.room = 24_000
	q := st.selects(t)
	require.Equal(t, "app.py", q.Files[0].Path)
	require.LessOrEqual(t, size(q.file(t, "app.py")), 24_000/2+maxOutline)
	require.GreaterOrEqual(t, len(q.shownFor(byRank)), 8)
	st.about = "the gear slips in app.py:1700"
	require.Contains(t, st.selects(t).names()[0], "1640-1760", "a place that is named is shown first")
	st.body, st.about = "see app.py", "the gear slips"
	require.Len(t, st.selects(t).Files, 1, "the command names its file")
}

// The first files of the ranking have a place, though the pieces of one file fit better than all of the others.
func TestEachOfTheFirstFilesIsShown(t *testing.T) {
	t.Parallel()
	st := gears(30)
	st.files["all.py"] = strings.Repeat(strings.Repeat("gear slips\n", 40)+"\n", 300)
	st.room = 30_000
	q := st.selects(t)
	require.Len(t, q.Selection.Files, maxLikely)
	require.Equal(t, "all.py", q.Files[0].Path)
	require.Greater(t, size(q.Files[0]), 8*size(q.Files[3]), "the best one has most of the room")
}

func TestADefinitionIsShownWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	st := story{about: "the gear slips", room: 16_000, files: map[string]string{}}
	for i := range 12 {
		var text strings.Builder
		for k := range 20 {
			fmt.Fprintf(&text, "def gear_%02d_%02d():\n", i, k)
			text.WriteString(strings.Repeat("    slip()\n", 5+2*k) + "    return\n")
		}
		st.files[fmt.Sprintf("m%02d.py", i)] = text.String()
	}
	for _, f := range st.selects(t).Files {
		for _, p := range f.Parts {
			require.True(t, strings.HasPrefix(p.Text, "def gear"), "%s:%d", f.Path, p.From)
			require.True(t, strings.HasSuffix(p.Text, "    return\n"), "%s:%d", f.Path, p.To)
		}
	}
}

// The neighbours of what fits are likelier to be what an issue is about than other code.
func TestTheNeighboursOfWhatFitsAreShown(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "def f%02d():\n", i)
		word := "pass"
		if i == 20 {
			word = "gear.slip()"
		}
		text.WriteString(strings.Repeat("    "+word+"\n", 20))
	}
	st := story{about: "the gear slips", room: 3_000, files: map[string]string{"m.py": text.String()}}
	shown := st.selects(t).text()
	require.Contains(t, shown, "def f20")
	require.Contains(t, shown, "def f19")
	require.Contains(t, shown, "def f21")
	require.NotContains(t, shown, "def f30")
}

func TestAnOutlineListsWhatIsNotShown(t *testing.T) {
	t.Parallel()
	st := gears(12)
	st.room = 20_000
	for _, f := range st.selects(t).Files {
		for _, p := range f.Parts {
			if strings.Contains(p.Text, "def other") {
				require.NotContains(t, f.Outline, "def other", f.Path)
			}
		}
	}
}

// Of a repository with too many sources, those are read whose paths fit, and what is beside the best of them.
func TestFilesBesideTheBestAreReadInALargeRepository(t *testing.T) {
	t.Parallel()
	st := story{about: "the gear slips: ratchet is not released", files: map[string]string{}}
	for i := range maxSources {
		st.files[fmt.Sprintf("gear/other%d/m%04d.py", i%100, i)] = "x = 1\n"
	}
	st.files["gear/turn/gear.py"] = "gear slips\n"
	st.files["gear/zzz/turn/gear.py"] = "gear slips\n"
	st.files["zzz/aaa.py"] = "ratchet released gear slips ratchet\n"
	st.files["zzz/gear/slip.py"] = "ratchet\n"
	st.files["zzz/gear/pawl.py"] = "ratchet released ratchet released gear slips\n"
	q := st.selects(t)
	require.Contains(t, q.shownFor(byRank), "zzz/gear/pawl.py")
	require.LessOrEqual(t, q.fetched, maxSources+maxFolderMore+maxLoaded)
}

// Names in a text of any language are found, also where no space is around them, and so are words that comments have.
func TestAnIssueInAnotherLanguageFindsItsFile(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"src/transfer.ts": "// 搜索框: 搜索无结果时显示空状态\n// 検索結果がない場合\n" +
			"// 검색 결과가 없으면\n// пустой результат поиска\n// búsqueda sin resultados\nexport class TransferList { filter() {} }\n",
	}
	for i := range 30 {
		files[fmt.Sprintf("src/other%02d.ts", i)] = "export class Other { run() {} }\n"
	}
	for language, about := range map[string]string{
		"Chinese, by a name":  "TransferList组件出现错误",
		"Chinese, by words":   "输入以后搜索无结果，页面空白",
		"Japanese, by a name": "TransferListの表示がおかしい",
		"Japanese, by words":  "検索結果がない場合に画面が白くなる",
		"Korean, by a name":   "TransferList에서 오류가 납니다",
		"Korean, by words":    "검색 결과가 없을 때 오류",
		"Russian":             "После поиска пустой результат не показан",
		"Spanish":             "La búsqueda sin resultados falla",
	} {
		q := story{about: about, files: files}.selects(t)
		require.NotEmpty(t, q.Files, language)
		require.Equal(t, "src/transfer.ts", q.Files[0].Path, language)
	}
}
