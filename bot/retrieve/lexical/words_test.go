package lexical

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func termsOf(line string) (out []Term) {
	eachTerm([]byte(line), func(t Term) { out = append(out, t) })
	return out
}

func TestWordsAreReadWholeAndInParts(t *testing.T) {
	t.Parallel()
	// A whole word is the one that ends with an underscore.
	for text, want := range map[string]string{
		"":                        "",
		"a b 1 _ __":              "",
		"open":                    "open",
		"parse_header":            "pars header parseheader_",
		"parseHeader":             "pars header parseheader_",
		"ParseHEADER":             "pars header parseheader_",
		"PARSE_HEADER":            "pars header parseheader_",
		"HTTPServer":              "http server httpserver_",
		"HTTP":                    "http",
		"aURL":                    "url aurl_",
		"v2Config":                "config v2config_",
		"utf16":                   "utf 16 utf16_",
		"__init__":                "init",
		"$scope":                  "scop",
		"a.b->next(item)":         "next item",
		"CamelCaseÄ":              "camel caseÄ camelcaseÄ_",
		"größe":                   "größ",
		"读取文件":                    "读取 取文 文件",
		"Transfer搜索无结果":           "transfer 搜索 索无 无结 结果",
		"ファイルを読む, 파일을":            "ファ ァイ イル ルを を読 読む 파일 일을",
		"全角（ｆｏｏ）。搜":               "全角 ｆｏ ｏｏ",
		"поиск búsqueda":          "поиск búsqueda",
		"one\ttwo\r":              "one two",
		"left\x00right":           "left right",
		"\xff\xfe":                "",
		strings.Repeat("x", 80):   strings.Repeat("x", 80),
		strings.Repeat("x", 81):   "",
		strings.Repeat(" ", 1000): "",
	} {
		var terms []Term
		for _, word := range strings.Fields(want) {
			terms = append(terms, hash([]byte(word)))
		}
		require.Equal(t, terms, termsOf(text), "%q", text)
	}
	require.NotEmpty(t, termsOf(strings.Repeat(" ", maxLineBytes-4)+"word"))
	require.Empty(t, termsOf(strings.Repeat(" ", maxLineBytes)+"word"), "the end of a long line is data")
}

func TestFormsOfAWordAreOneTerm(t *testing.T) {
	t.Parallel()
	for want, words := range map[string]string{
		"pars":    "parse parses parsed parsing",
		"run":     "run runs running",
		"query":   "query queries",
		"cooky":   "cookie cookies",
		"class":   "class classes",
		"cach":    "cache caches cached caching",
		"install": "install installs installed installing",
		"fil":     "file files",
		"status":  "status",
		"need":    "need needs needed needing",
		"us":      "us",
		"basis":   "basis",
		"ring":    "ring rings",
		"red":     "red reds",
	} {
		for _, word := range strings.Fields(words) {
			got := string(stem([]byte(word)))
			require.Equal(t, want, got, word)
		}
	}
}
