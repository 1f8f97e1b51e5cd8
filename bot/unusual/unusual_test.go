package unusual

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostile are lines in which a reader sees something else than is there.
func hostile() []string {
	var lines []string
	for _, r := range []rune{ // controls of direction
		0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200e, 0x200f, 0x061c,
		// not shown
		0x200b, 0x200c, 0x200d, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xfeff, 0x00ad, 0x034f, 0x115f, 0x1160, 0x17b4,
		0x180b, 0x180e, 0x206a, 0x206f, 0x2065, 0x3164, 0xffa0, 0xfff9, 0xfffb, 0x1d173, 0xfff0,
		// variation selectors, tags, private use, no characters
		0xfe00, 0xfe01, 0xfe0e, 0xfe0f, 0xe0100, 0xe01ef, 0xe0001, 0xe0020, 0xe0041, 0xe007f, 0xe000, 0xf8ff, 0xf0000,
		0x10fffd, 0xfdd0, 0xfffe,
		// controls and line breaks
		'\r', 0x85, 0x2028, 0x2029, 0x1b, 0x08, 0x07, 0x0b, 0x7f, 0x9b, 0x00,
	} {
		lines = append(lines, "if isAdmin"+string(r)+"(user) {", string(r)+"return nil", "// done"+string(r),
			"x := \"a"+string(r)+string(r)+"b\"")
	}
	lines = append(lines,
		"👍"+strings.Repeat("\ufe0f", 3), "漢"+strings.Repeat("\U000e0101", 2), "न\u200d\u200d", // runs that encode data
		"🏴\U000e0068\U000e0069\U000e007f", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067",
		"return nil"+strings.Repeat(" ", 120)+"; evil()", strings.Repeat(" ", 101)+"evil()",
		"x"+strings.Repeat("\t", 150)+"y",
		"x = 1;"+strings.Repeat("\t", 14)+"evil()", "x"+strings.Repeat("\u3000", 52)+"y",
		"x = 1;"+strings.Repeat(" ", 60)+"·"+strings.Repeat(" ", 60)+"evil()",
		"if(env\u01c3=PROD){", "is\ufe4dadmin()", "x\u02d0y", "a\u01c1b", "\"admin\u2800\"", "x\u203fy", "x\u02c6y",
		"contr\u0430seña == x", "cr\u0435éé()", "p\u0430sswordЖ = 1", "\"p\u0430sswordЖ\"", "citro\u0451n()", "adm\u0131n()",
		"f<'a>(x: &\u0441\u043e\u0440\u0443<'b>)", "x // \u0441\u043e\u0440\u0443(x)",
		"x"+strings.Repeat("\u00a0", 130)+"y", "x"+strings.Repeat(" \u3000", 70)+"y")
	for _, word := range []string{
		"\u0430dmin", "p\u0430ssword", "us\u0435r", "\u0441onfig", "is\u0391dmin", "\u0415val", "t\u043eken", "m\u0430in",
		"\u0440rint", "s\u0443stem", "\u0455ystem", "\u0456nit", "\u0458son", "\u04bbash", "scop\u0435", "\u0501ata",
		"\u051bueue", "\u051dork", "\u03bfpen", "nu\u217cl", "\u217cog", "\u0261et", "te\u0455t", "\u13aauth", "\u0555pen",
		"n\u0585de", "\u0578ame", "_\u0430", "x\u0430", "a\u0441", "ex\u0435c_1", "is_\u03bf", "id_\u03bd", "roo" + "\u0430",
		"\u0435\u0445\u0435\u0441", "\u0441\u043e\u0440\u0443", "\u0455\u0441\u043e\u0440\u0435", "\u0430", "\u0456",
		"\u0410\u0420\u0406", "\u0420\u0410\u0422\u0425", "\u039f\u039a", "\u0391", "\u039d\u0391\u039d",
		"\uff45\uff56\uff41\uff4c", "\U0001d41eval", "\U0001d41e\U0001d42f\U0001d41a\U0001d425", "\U0001d5ba", "adm\u2139n",
		"\u2115\u2102", "\u212f\u210a", "\u13a0\u13bb", "\ua4d0\ua4d3", "\U00010404pen",
	} {
		lines = append(lines, word+"(x)", "\treturn "+word, "var "+word+" = 1")
	}
	return lines
}

func TestWhatAReaderDoesNotSeeIsFound(t *testing.T) {
	t.Parallel()
	all := hostile()
	require.GreaterOrEqual(t, len(all), 300)
	for _, line := range all {
		for _, f := range []*File{NewFile(""), NewFile("package main\n\nfunc main() {}\n")} {
			found := f.Find([]string{"old line"}, []string{"plain", line}, false)
			require.NotEmpty(t, found, "%q", line)
			require.Equal(t, 2, found[0].Line)
			require.Regexp(t, `U\+[0-9A-F]{4,6}|blanks`, found[0].What, "%q", line)
		}
	}
	t.Logf("%d lines, all found", len(all))
}

// honest are lines as people write them, in files that have none like them.
var honest = []string{
	"plain ASCII", "\tindented := \"by a tab\"", "trailing blanks   ", strings.Repeat(" ", 100) + "deep",
	strings.Repeat("\t", 130),
	"naïve café Straße ñandú Łódź Çağrı ışık İstanbul øre", "Trần Hưng Đạo", "Ελληνικά και τα λοιπά", "ο και η το",
	"Привет, мир", "кот а пёс и она в саду", "у нас есть сухо и тепло", "оса и рот",
	"Съешь ещё этих мягких французских булок",
	"json-файл и API-шный", "日本語のテキスト", "東京ＡＢＣ株式会社", "ＡＢＣ は アルファベット", "한국어 텍스트", "中文，全角標點。",
	"עברית ועוד", "שלום\u200f!", "العربية", "می\u200cخواهم", "क्\u200dष", "ക്\u200d", "ශ්\u200dරී", "ໄປ\u200bຕະຫຼາດ",
	"👍 👩\u200d⚕️ 👨\u200d👩\u200d👧 🏳️\u200d🌈 👍🏽 ❤️ ☎️ ©️ 1️⃣ #️⃣ ℹ️ ‼️ ↔️",
	"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "葛\U000e0100城市", "≨\ufe00",
	"α, β := sin(θ), cos(φ)", "Δx = σ_x * ρ0 + λ", "max_α2", "µs ± 5 °C × 3 → ∞ ≠ ½ € £ “quotes” ‘x’ – — … • ✓",
	"x² + y³ ≤ 10⁶", "x ∈ ℝ ⊂ ℂ", "e = mc²", "№ 5", "½", "«текст»", "non\u00a0breaking", "ɸ ʃ ʒ ŋ",
	"/ɡəʊ/ /ˈkæt/", "Ἀχιλλεύς", "Հայերեն լեզու", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "እንግሊዝኛ", "ภาษาไทย", "ქართული", "ᠮᠣᠩᠭᠣᠯ\u180e\u1820"[:18],
	"re.compile('[а-яА-ЯёЁ]')", "T = {'а': 'a', 'б': 'b'}", "# не больше 5 с.", "# energy hν", "dα = cosα * 3",
	"s = 'СССР'", "{\"and\": \"і\"}", "ν = 0.5", "f(\"%d с. осталось\")", "x = 1 // кот, пёс: 5 с.",
	"\"ılık bir gün, Çağrı\"", "⠀⠀⣿⣿⠀⠀", "(◕‿◕)",
	"box ┌──┐ │ │ └──┘ ░▒▓", "arrow => ⇒ ⟶", "math ∑ ∏ ∫ √ ≈", "\u0600 12",
}

func TestWhatPeopleWriteIsNotUnusual(t *testing.T) {
	t.Parallel()
	for _, line := range honest {
		require.Empty(t, NewFile("").Find(nil, []string{line}, false), "%q", line)
		require.Empty(t, NewFile("package main\n").Find([]string{"x"}, []string{line}, false), "%q", line)
	}
	require.Empty(t, NewFile("").Find(nil, []string{"\ufeffusing System;"}, true), "a byte order mark")
}

// A file that has such characters can be edited: they may be in the new lines as often as in the old ones, and what
// turns no text around may be written once more.
func TestAFileThatHasSuchCharactersStaysEditable(t *testing.T) {
	t.Parallel()
	for _, line := range hostile() {
		f := NewFile(line + "\n")
		require.Empty(t, f.Find([]string{line}, []string{line + " // more"}, false), "%q", line)
	}
	for added, before := range map[string]string{
		"icon = \ue0b0": "\ue0b0 = left", "a\u200bb": "x\u200by", "x\ry": "1\r2\r", "p\u0430th()": "p\u0430th := 1",
		"| a" + strings.Repeat(" ", 120) + "| b": "| x" + strings.Repeat(" ", 110) + "| y", "\u200etext": "a\u200eb",
		"f\fg": "\f", "нос := ухо": "ухо := 1",
	} {
		require.Empty(t, NewFile(before+"\n").Find([]string{"z"}, []string{added}, false), "%q", added)
	}
	for _, turning := range []string{"\u202e", "\u2066", "\U000e0041"} {
		f := NewFile("x" + turning + "y\n")
		require.NotEmpty(t, f.Find([]string{"z"}, []string{turning}, false), "one more turns other text around")
	}
	require.NotEmpty(t, NewFile("a\r\nb\r\n").Find(nil, []string{"x\ry"}, false), "CRLF is another line break")
}

// In a file of another alphabet a word of it is one, unless a name of ASCII looks the same.
func TestAWordOfTheFilesOwnAlphabetIsNoDeceitUnlessItLooksLikeAName(t *testing.T) {
	t.Parallel()
	f := func() *File { return NewFile("copy(a, b) // копирует список\n") }
	require.Empty(t, f().Find(nil, []string{"\"ухо\": 1"}, false))
	found := f().Find(nil, []string{"сору(x)"}, false)
	require.Equal(t, []Finding{{1, `a word that looks like "copy" and is written with 'с' (U+0441)`}}, found)
	require.NotEmpty(t, f().Find(nil, []string{"а = 1"}, false), "a is a name there")
	require.NotEmpty(t, f().Find(nil, []string{"\u0430dmin = 1"}, false), "no alphabet mixes letters")
	require.Empty(t, f().Find(nil, []string{"x() // кот, а пёс"}, false), "in a sentence it is a word")
}

func TestFindingsAreFewAndQuoteNothingUnprintable(t *testing.T) {
	t.Parallel()
	var added []string
	for i := range 50 {
		added = append(added, fmt.Sprintf("%d \u202e x", i))
	}
	found := NewFile("").Find(nil, added, false)
	require.Len(t, found, maxFindings)
	require.Equal(t, Finding{3, "a character that changes the direction of text (U+202E)"}, found[2])

	for line, what := range map[string]string{
		"x\u07fa":            "a word that looks like \"x_\" and is written with U+07FA",
		"p\u0430s\u01c3d(x)": "a word that looks like \"pas⟨U+01C3⟩d\" and is written with '\u0430' (U+0430)",
	} {
		found := NewFile("").Find(nil, []string{line}, false)
		require.Equal(t, Finding{1, what}, found[len(found)-1], "%q", line)
	}
}

// Work grows with the text, whatever it is.
func BenchmarkFind(b *testing.B) {
	for name, line := range map[string]string{
		"ASCII": strings.Repeat("x := call(a, b) ", 10), "Russian": strings.Repeat("сухо и тепло ", 10),
		"look-alikes": strings.Repeat("сору ", 30), "unseen": strings.Repeat("\u200b", 60),
	} {
		lines := strings.Split(strings.Repeat(line+"\n", 5000), "\n")
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line) * 5000))
			for b.Loop() {
				NewFile(strings.Join(lines, "\n")).Find(nil, lines, false)
			}
		})
	}
}

func FuzzFind(f *testing.F) {
	for _, line := range hostile()[:20] {
		f.Add("", line, "x")
	}
	f.Add("0", "\u202dret ", "x\x17ǀ\xf8\xf8") // a word with a letter that looks like an operator
	f.Add("", "", "x\u07fa")                   // one that looks like an operator beside ASCII only
	f.Add("", "", "p\u0430s\u01c3d(x)")        // one in a word that another letter makes suspicious
	f.Fuzz(func(t *testing.T, before, removed, added string) {
		file := NewFile(before)
		found := file.Find(strings.Split(removed, "\n"), strings.Split(added, "\n"), true)
		require.LessOrEqual(t, len(found), maxFindings)
		for _, x := range found {
			require.Empty(t, charactersIn(x.What, false))
		}
		require.Empty(t, file.Find(strings.Split(added, "\n"), strings.Split(added, "\n"), true), "what was there is kept")
	})
}
