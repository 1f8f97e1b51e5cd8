package toolcall

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
)

func readXML(text string) ([]block.Block, error) { return XML(strings.Split(text, "\n")) }

// only returns the one block of a call.
func only(t *testing.T, call string) block.Block {
	t.Helper()
	blocks, err := readXML(call)
	require.NoError(t, err, call)
	require.Len(t, blocks, 1, call)
	require.Equal(t, []string{blocks[0].Path}, blocks[0].Candidates)
	return blocks[0]
}

func invoke(tool string, pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<invoke name="` + tool + "\">\n")
	for i := 0; i < len(pairs); i += 2 {
		b.WriteString(`<parameter name="` + pairs[i] + `">` + pairs[i+1] + "</parameter>\n")
	}
	return b.String() + "</invoke>"
}

func TestOnlyCallsThatEditOpen(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"<write_to_file>": "</write_to_file>", "<create_file>": "</create_file>", "<edit_file>": "</edit_file>",
		"<search_and_replace>": "</search_and_replace>", "<insert_content>": "</insert_content>",
		"<tool_use>": "</tool_use>", `<tool_call>{"name": "Edit"}</tool_call>`: "</tool_call>",
		`<invoke name="Edit">`: "</invoke>", `<invoke name="Write">`: "</invoke>",
		"": "", "<": "", "<>": "", "< >": "", "write_to_file": "", "</write_to_file>": "", "<write_to_file": "",
		"<replace_in_file>": "", "<apply_diff>": "", "<execute_command>": "", "<read_file>": "", "<function_calls>": "",
		"<invoke>": "", `<invoke name="">`: "", "<invoke id=1>": "", `<write_to_file name="x">`: "",
		"<html>": "", "<project>": "", "<edit_file/>": "", "<!-- <edit_file> -->": "",
		"<" + strings.Repeat("x", 1000) + ">": "",
	} {
		require.Equal(t, want, Opens(line), line)
	}
}

func TestAFileIsWrittenAsAWhole(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		call string
		want []string
	}{
		"tags on lines of their own": {"<write_to_file>\n<path>a.go</path>\n<content>\nx\n\ny\n</content>\n" +
			"<line_count>3</line_count>\n</write_to_file>", []string{"x", "", "y"}},
		"on one line": {"<create_file><file_path>a.go</file_path><content>x</content></create_file>", []string{"x"}},
		"blank lines stay": {
			"<write_file><path>\na.go\n</path><content>\n\nx\n\n</content></write_file>",
			[]string{"", "x", ""},
		},
		"content before":     {"<write_file><content>\nx\n</content><path>a.go</path></write_file>", []string{"x"}},
		"an empty file":      {"<write_file><path>a.go</path><content></content></write_file>", nil},
		"an empty file, too": {"<write_file><path>a.go</path><content>\n</content></write_file>", nil},
		"an empty line":      {"<write_file><path>a.go</path><content>\n\n</content></write_file>", []string{""}},
		"tags as content": {"<write_to_file><path>a.go</path><content>\n<content>x</content>\n<path>y</path>\n</content>\n" +
			"</write_to_file>", []string{"<content>x</content>", "<path>y</path>"}},
		"entities stay": {
			"<write_file><path>a.go</path><content>a &lt; b && c < d</content></write_file>",
			[]string{"a &lt; b && c < d"},
		},
		"cdata": {
			"<write_file><path>a.go</path><content>\n<![CDATA[\nx\n]]>\n</content></write_file>",
			[]string{"x"},
		},
		"cdata of cdata": {
			"<write_file><path>a.go</path><content><![CDATA[x]]]]><![CDATA[>y]]></content></write_file>",
			[]string{"x]]>y"},
		},
		"Windows endings": {
			"<write_file>\r\n<path>a.go</path>\r\n<content>\r\nx\r\ny\r\n</content>\r\n</write_file>\r",
			[]string{"x", "y"},
		},
		"in a fence": {"<write_file><path>a.go</path><content>\n```go\nx\n```\n</content></write_file>", []string{"x"}},
		"two fences stay": {"<write_file><path>a.go</path><content>\n```\nx\n```\n```\ny\n```\n</content></write_file>",
			[]string{"```", "x", "```", "```", "y", "```"}},
		"of Claude": {invoke("Write", "file_path", "a.go", "content", "x\ny\n"), []string{"x", "y"}},
		"create": {invoke("str_replace_editor", "command", "create", "path", "a.go", "file_text", "x\n", "old_str", ""),
			[]string{"x"}},
	} {
		b := only(t, c.call)
		require.Equal(t, block.Block{Path: "a.go", Candidates: []string{"a.go"}, Format: block.FormatXML, Whole: true,
			Replace: c.want, New: c.want, Find: b.Find, Old: b.Old, Anchor: b.Anchor}, b, story)
		require.Empty(t, b.Find)
	}
}

func TestTheFenceOfAMarkdownFileIsItsContent(t *testing.T) {
	t.Parallel()
	b := only(t, "<write_file><path>A.MD</path><content>\n```sh\nmake\n```\n</content></write_file>")
	require.Equal(t, []string{"```sh", "make", "```"}, b.Replace)
}

func TestATextIsReplaced(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		call          string
		find, replace []string
	}{
		"inside a line": {
			"<edit_file><path>a.go</path><search>x</search><replace>y</replace></edit_file>",
			[]string{"x"}, []string{"y"},
		},
		"on lines of their own": {"<search_replace>\n<path>a.go</path>\n<search>\n  x\n\n</search>\n" +
			"<replace>\n  y\n</replace>\n</search_replace>", []string{"  x", ""}, []string{"  y"}},
		"by nothing": {
			invoke("Edit", "file_path", "a.go", "old_string", "x", "new_string", ""),
			[]string{"x"}, []string{""},
		},
		"by nothing, on a line": {"<edit_file><path>a.go</path><search>\nx\n</search><replace>\n</replace></edit_file>",
			[]string{"x"}, []string{""}},
		"with its line feed": {
			invoke("str_replace_editor", "command", "str_replace", "path", "a.go", "old_str", "x\n", "new_str", "x\ny\n"),
			[]string{"x", ""}, []string{"x", "y", ""}},
		"a line feed before it": {invoke("text_editor", "path", "a.go", "old_str", "\nx", "new_str", "\ny"),
			[]string{"", "x"}, []string{"", "y"}},
		"tags of its own": {invoke("Edit", "path", "a.go", "old_string", "x</parameter></b>", "new_string", "</parameter>"),
			[]string{"x</parameter></b>"}, []string{"</parameter>"}},
	} {
		b := only(t, c.call)
		require.Equal(t, c.find, b.Find, story)
		require.Equal(t, c.replace, b.Replace, story)
		require.True(t, b.Within)
		require.False(t, b.All || b.Whole || b.Create)
		require.Equal(t, "a.go", b.Path)
	}
}

func TestTheCommonLinesAreTheAnchor(t *testing.T) {
	t.Parallel()
	b := only(t, invoke("Edit", "path", "a.go", "old_string", "a\nb\nc", "new_string", "a\nB\nc"))
	require.Equal(t, []string{"a"}, b.Anchor)
	require.Equal(t, []string{"b", "c"}, b.Old)
	require.Equal(t, []string{"B", "c"}, b.New)
}

func TestPrefixesOfNamesMakeNoDifference(t *testing.T) {
	t.Parallel()
	call := invoke("Edit", "path", "a.go", "old_string", "x", "new_string", "y", "replace_all", "true")
	prefixed := call
	for _, tag := range []string{"invoke", "parameter"} {
		prefixed = strings.ReplaceAll(strings.ReplaceAll(prefixed, "<"+tag, "<antml:"+tag), "</"+tag, "</antml:"+tag)
	}
	require.NotEqual(t, call, prefixed)
	require.Equal(t, only(t, call), only(t, prefixed))
	require.True(t, only(t, call).All)
	require.Equal(t, "</antml:invoke>", Opens(strings.Split(prefixed, "\n")[0]))
}

func TestSearchAndReplaceIsForAllPlaces(t *testing.T) {
	t.Parallel()
	head := "<search_and_replace>\n<path>a.go</path>\n"
	pair := "<search>x</search>\n<replace>y</replace>\n"
	for story, c := range map[string]struct {
		arguments string
		all       bool
		at        int
	}{
		"without lines":  {pair + "<use_regex>false</use_regex>\n", true, 0},
		"with none":      {pair + "<start_line></start_line><end_line></end_line>", true, 0},
		"in a line":      {pair + "<start_line>7</start_line><end_line>7</end_line>", false, 7},
		"in lines":       {pair + "<start_line>7</start_line><end_line>9</end_line>", false, 0},
		"from a line on": {pair + "<start_line>7</start_line>", false, 0},
		"as a list":      {`<operations>[{"search": "x", "replace": "y"}]</operations>`, true, 0},
		"as a list, in a line": {
			`<operations>[{"search":"x","replace":"y","start_line":7,"end_line":7}]</operations>`, false, 7,
		},
		"with other empty values": {pair + "<operations></operations>", true, 0},
	} {
		b := only(t, head+c.arguments+"</search_and_replace>")
		require.Equal(t, []string{"x"}, b.Find, story)
		require.Equal(t, []string{"y"}, b.Replace, story)
		require.Equal(t, c.all, b.All, story)
		require.Equal(t, c.at, b.At, story)
	}
}

func TestACallHasSeveralEdits(t *testing.T) {
	t.Parallel()
	blocks, err := readXML(invoke("MultiEdit", "file_path", "a.go", "edits", `[
		{"old_string": "\nx\n", "new_string": "y", "replace_all": true}, {"old_string": "", "new_string": "z\n"}]`))
	require.NoError(t, err)
	require.Len(t, blocks, 2)
	require.Equal(t, []string{"", "x", ""}, blocks[0].Find, "JSON is exact")
	require.True(t, blocks[0].All)
	require.True(t, blocks[1].Create)
	require.Equal(t, []string{"z"}, blocks[1].Replace)
	require.False(t, blocks[1].Within)
}

func TestACallIsJSONInATag(t *testing.T) {
	t.Parallel()
	edit := `{"path": "a.go", "old_string": "x", "new_string": "y"}`
	for _, call := range []string{
		"<tool_call>" + `{"name": "Edit", "arguments": ` + edit + "}</tool_call>",
		"<tool_call>\n```json\n" + edit + "\n```\n</tool_call>",
		"<tool_use>" + edit + "</tool_use>",
	} {
		b := only(t, call)
		require.Equal(t, block.FormatJSON, b.Format)
		require.Equal(t, []string{"x"}, b.Find)
		require.Equal(t, "a.go", b.Path)
	}
}

func TestOtherCallsHaveNoBlocks(t *testing.T) {
	t.Parallel()
	for _, call := range []string{
		invoke("bash", "command", "make"), invoke("Read", "file_path", "a.go"), invoke("apply_patch", "input", "x"),
		invoke("str_replace_editor", "command", "view", "path", "a.go", "old_str", "", "new_str", ""),
		invoke("view", "path", "a.go"),
		`<tool_call>{"name": "bash", "arguments": {"command": "make"}}</tool_call>`,
		"<tool_call>make</tool_call>", "<tool_use><name>bash</name><arguments>{}</arguments></tool_use>",
	} {
		blocks, err := readXML(call)
		require.NoError(t, err, call)
		require.Empty(t, blocks, call)
	}
}

func TestACallThatIsNotCompleteIsRefused(t *testing.T) {
	t.Parallel()
	const insert = "inserts at a line number, which is not read: replace a text beside it instead"
	edit := func(arguments string) string { return "<edit_file><path>a</path>" + arguments + "</edit_file>" }
	pair := "<search>x</search><replace>y</replace>"
	for _, c := range []struct{ call, want string }{
		{"", "no opening tag"},
		{"<html></html>", "no opening tag"},
		{"<write_file>", "no </write_file>"},
		{"<write_file></write_file>", "no <path>"},
		{"<write_file><path>a</path></write_file>", "no <content>"},
		{"<write_file><path> </path><content>x</content></write_file>", "no <path>"},
		{"<write_file><path>a\nb</path><content>x</content></write_file>", "no <path>"},
		{"<write_file><path>a</path><content>x</write_file>", "no </content>"},
		{"<write_file><path>a</path>x</write_file>", "text between its arguments"},
		{"<write_file><path>a</path><path>b</path></write_file>", `"path" twice`},
		{"<write_file><path>a</path><file>b</file><content>x</content></write_file>", `both "path" and "file"`},
		{
			"<write_file><path>a</path><content>x</content><contents>y</contents></write_file>",
			`both "content" and "contents"`,
		},
		{edit("x<search>y</search>"), "text between its arguments"},
		{edit("<search"), "text between its arguments"},
		{edit(""), "no <old_string>"},
		{edit("<code_edit>x</code_edit>"), "no <old_string>"},
		{edit("<search>x</search>"), "no <replace>"},
		{edit("<replace>x</replace>"), "no <search>"},
		{edit("<search></search><replace>x</replace>"), "no <search>"},
		{edit(pair + "<old_str>x</old_str><new_str>y</new_str>"), `both "old_str" and "search"`},
		{edit(pair + "<search>z</search>"), `"search" twice`},
		{edit("<search>x</search><replace>y</replace><path>z</path>"), `"path" twice`},
		{edit(pair + "<use_regex>true</use_regex>"), "has a regular expression, which is not read: write the text itself"},
		{
			edit(pair + "<ignore_case>True</ignore_case>"),
			"ignores the case of letters, which is not read: write the text as it is in the file",
		},
		{"<edit_file>" + pair + "</edit_file>", "no <path>"},
		{"<search_and_replace><path>a</path></search_and_replace>", "no <search>"},
		{"<insert_content><path>a</path><line>0</line><content>x</content></insert_content>", insert},
		{invoke("text_editor", "command", "insert", "path", "a", "insert_line", "3", "new_str", "x"), insert},
		{invoke("Edit", "path", "a", "old_string", "x"), `no "new_string"`},
		{invoke("Write", "path", "a"), `no "content"`},
		{invoke("MultiEdit", "path", "a", "edits", "x"), `"edits" is not a JSON list`},
		{invoke("MultiEdit", "path", "a", "edits", "[]"), `no "old_string"`},
		{invoke("MultiEdit", "path", "a", "edits", "[3]"), "edit 1: no text to find"},
		{invoke("MultiEdit", "path", "a", "edits", `[{"old_string":"x"}]`), `edit 1: no "new_string"`},
		{`<tool_call>{"path": "a", "old_str": "x"}</tool_call>`, `no "new_str"`},
	} {
		blocks, err := readXML(c.call)
		require.EqualError(t, err, c.want, c.call)
		require.Empty(t, blocks)
	}
}
