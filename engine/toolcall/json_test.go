package toolcall

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
)

const anEdit = `{"path": "a.go", "old_string": "x", "new_string": "y"}`

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestAnEditIsReadFromEachFormOfJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		anEdit, " \n" + anEdit + "\n", "[" + anEdit + "]",
		`{"file_path": "a.go", "old_str": "x", "new_str": "y", "expected": 1, "file_text": null}`,
		`{"filePath": "a.go", "oldText": "x", "newText": "y"}`, `{"filepath": "a.go", "old_text": "x", "new_text": "y"}`,
		`{"target_file": "a.go", "oldString": "x", "newString": "y"}`, `{"file": "a.go", "search": "x", "replace": "y"}`,
		`{"filename": "a.go", "edits": [{"search": "x", "replace": "y"}]}`,
		`{"edits": [` + anEdit + `]}`, `{"path": "b", "edits": [` + anEdit + `]}`,
		`{"path": "a.go", "edits": "[{\"old_string\": \"x\", \"new_string\": \"y\"}]"}`,
		`{"command": "str_replace", "path": "a.go", "old_str": "x", "new_str": "y", "insert_line": 0}`,
		`{"name": "Edit", "input": ` + anEdit + `}`, `{"tool": "edit_file", "args": ` + anEdit + `}`,
		`{"name": "create_file", "parameters": ` + anEdit + `}`, `{"name": "another", "parameters": ` + anEdit + `}`,
		`{"type": "another", "arguments": ` + quoted(anEdit) + `}`,
		`{"type": "tool_use", "id": "1", "name": "str_replace_based_edit_tool", "input": ` + anEdit + `}`,
		`{"type": "function_call", "name": "x", "arguments": ` + quoted(anEdit) + `}`,
		`[{"tool_calls": [{"type": "function", "function": {"name": "x", "arguments": ` + quoted(anEdit) + `}}]}]`,
		`[{"name": "read_file", "arguments": {"path": "a.go"}}, {"name": "Edit", "arguments": ` + anEdit + `}]`,
	} {
		blocks, ok, err := JSON(text)
		require.NoError(t, err, text)
		require.True(t, ok, text)
		require.Equal(t, []block.Block{{Path: "a.go", Candidates: []string{"a.go"}, Format: block.FormatJSON, Within: true,
			Find: []string{"x"}, Replace: []string{"y"}, Anchor: []string{}, Old: []string{"x"}, New: []string{"y"}}},
			blocks, text)
	}
}

func TestAFileIsWrittenIfTheNameOfTheToolSaysSo(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"name": "write_file", "arguments": {"path": "a.go", "content": "x\n\ny\n"}}`,
		`{"name": "Write", "input": {"file_path": "a.go", "content": "x\n\ny"}}`,
		`{"name": "functions.create_file", "input": {"file_path": "a.go", "contents": "x\n\ny"}}`,
		`{"name": "mcp__files__write_file", "input": {"file_path": "a.go", "content": "x\r\n\r\ny\r\n"}}`,
		`{"tool": "write_to_file", "path": "a.go", "content": "x\n\ny"}`,
		`{"command": "create", "path": "a.go", "file_text": "x\n\ny"}`,
		`{"name": "str_replace_editor", "input": {"command": "create", "path": "a.go", "file_text": "x\n\ny"}}`,
	} {
		blocks, ok, err := JSON(text)
		require.NoError(t, err, text)
		require.True(t, ok, text)
		require.Len(t, blocks, 1, text)
		require.True(t, blocks[0].Whole)
		require.False(t, blocks[0].Create)
		require.Equal(t, "a.go", blocks[0].Path)
		require.Equal(t, []string{"x", "", "y"}, blocks[0].Replace, text)
		require.Equal(t, blocks[0].Replace, blocks[0].New)
	}
}

func TestAnEmptyTextToFindCreatesTheFile(t *testing.T) {
	t.Parallel()
	blocks, ok, err := JSON(`{"path": "a.go", "old_string": "", "new_string": "x\ny\n", "replace_all": true}`)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, []block.Block{{Path: "a.go", Candidates: []string{"a.go"}, Format: block.FormatJSON, Create: true,
		Replace: []string{"x", "y"}, New: []string{"x", "y"}}}, blocks)
}

func TestLineFeedsInStringsAreReadIfNothingElseIsEscaped(t *testing.T) {
	t.Parallel()
	blocks, ok, err := JSON("{\"path\": \"a.go\",\n\"old_string\": \"x\n\ty \\\"z\\\"\", \"new_string\": \"\r\n\"}")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, []string{"x", "\ty \"z\""}, blocks[0].Find)
	require.Equal(t, []string{"", ""}, blocks[0].Replace)
	text := "{\"path\": \"a.go\", \"old_string\": \"x\ny\", \"new_string\": \"print('\\n')\"}"
	_, ok, err = JSON(text)
	require.True(t, ok)
	require.EqualError(t, err, "not valid JSON", "the escape may be meant literally")
}

func TestOtherJSONIsNoEdit(t *testing.T) {
	t.Parallel()
	schema := `{"type": "object", "properties": {"path": {"type": "string"}, "old_string": {"type": "string"},
		"new_string": {"type": "string"}}, "required": ["path", "old_string", "new_string"]}`
	for story, text := range map[string]string{
		"nothing": "", "blank": " \n", "text": "x", "a number": "3", "a string": `"{}"`, "null": "null", "empty": "{}",
		"an empty list": "[]", "lists": "[[[[[[[[[[1]]]]]]]]]]", "not JSON": `{"path": `, "a template": `{{ path }}`,
		"text after": anEdit + " is the edit",
		"package.json": `{"name": "write", "version": "1.0.0", "files": ["a"], "scripts": {"edit": "vim"},
			"type": "module"}`,
		"tsconfig.json": `{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}, "files": ["a.ts"], "include": ["src"]}`,
		"a file":        `{"path": "a.go", "content": "x"}`,
		"files":         `[{"path": "a.go", "content": "x"}, {"file": "b.go", "contents": "y"}]`,
		"file_text":     `{"path": "a.go", "file_text": "x"}`,
		"OpenAPI": `{"openapi": "3.1.0", "paths": {"/a": {"get": {"parameters": [{"name": "search", "in": "query"}],
			"operationId": "edit"}}}, "components": {"schemas": {"Edit": ` + schema + `}}}`,
		"a schema":       schema,
		"its properties": `{"path": {"type": "string"}, "old_str": {"type": "string"}, "new_str": {"type": "string"}}`,
		"a tool":         `{"name": "str_replace", "description": "edits", "parameters": ` + schema + `}`,
		"a write tool":   `{"name": "write_file", "input": {"type": "object", "properties": {"content": {}}}}`,
		"tools":          `[{"type": "function", "function": {"name": "edit_file", "parameters": ` + schema + `}}]`,
		"JSON-RPC": `{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
			"params": {"name": "edit", "arguments": ` + anEdit + `}}`,
		"a translation":   `{"file": "Datei", "edit": "Bearbeiten", "search": "Suchen", "replace": "Ersetzen"}`,
		"with dots":       `{"file": "Open file...", "search": "Search...", "replace": "Replace..."}`,
		"with ellipses":   `{"file": "Open…", "search": "Search…", "replace": "Replace…"}`,
		"translations":    `[{"search": "Suche", "replace": "Ersetzen"}]`,
		"a location":      `{"path": "/a.html", "search": "", "replace": "x", "hash": ""}`,
		"a half":          `{"path": "a.go", "search": "x"}`,
		"a text":          `{"old_string": "x"}`,
		"LSP":             `{"changes": {"file:///a.go": [{"range": {}, "newText": "x"}]}}`,
		"a JSON patch":    `[{"op": "replace", "path": "/a", "value": "x"}]`,
		"an operation":    `{"type": "insert", "path": "a.go", "text": "x"}`,
		"a list of edits": `{"path": "a.go", "edits": [{"line": 3, "text": "x"}]}`,
		"edits":           `{"edits": 3, "path": "a.go"}`,
		"to view":         `{"command": "view", "path": "a.go", "old_str": "", "new_str": ""}`,
		"to run":          `{"command": "make", "path": "a"}`,
		"to create":       `{"command": "create", "path": "a"}`,
		"to insert":       `{"command": "insert", "path": "a"}`,
		"a note":          `{"name": "create", "arguments": {"content": "x"}}`,
		"another tool":    `{"name": "bash", "arguments": {"command": "make"}}`,
		"of nobody":       `{"arguments": ` + anEdit + `}`,
		"a message":       `{"role": "assistant", "content": "x", "tool_calls": []}`,
	} {
		blocks, ok, err := JSON(text)
		require.NoError(t, err, story)
		require.False(t, ok, story)
		require.Empty(t, blocks, story)
	}
}

func TestAnEditThatIsNotCompleteIsRefused(t *testing.T) {
	t.Parallel()
	const patch = "has a patch as a JSON string, which is not read: write the patch itself"
	const insert = "inserts at a line number, which is not read: replace a text beside it instead"
	for _, c := range []struct{ text, want string }{
		{`{"path": "a", "old_string": "x"}`, `no "new_string"`},
		{`{"path": "a", "newText": "x"}`, `no "oldText"`},
		{`{"old_str": "x", "new_str": "y"}`, `no "path"`},
		{`{"path": 3, "old_str": "x", "new_str": "y"}`, `no "path"`},
		{`{"path": "", "old_str": "x", "new_str": "y"}`, `no "path"`},
		{`{"path": "a", "old_str": "x", "new_str": 3}`, `"new_str" is not a string`},
		{`{"path": "a", "old_str": ["x"], "new_str": "y"}`, `"old_str" is not a string`},
		{`{"path": "a", "old_str": "x", "old_str": "z", "new_str": "y"}`, `"old_str" twice`},
		{`{"path": "a", "file": "b", "old_str": "x", "new_str": "y"}`, `both "path" and "file"`},
		{`{"path": "a", "old_str": "x", "new_str": "y", "oldText": "x"}`, `both "old_str" and "oldText"`},
		{
			`{"path": "a", "old_str": "x", "new_str": "y", "use_regex": true}`,
			"has a regular expression, which is not read: write the text itself",
		},
		{`{"path": "a", "edits": [{"old_str": "x", "new_str": "y"}, {"old_str": "x"}]}`, `edit 2: no "new_str"`},
		{`{"path": "a", "edits": [{"old_str": "x", "new_str": "y"}, {}]}`, "edit 2: no text to find"},
		{`{"edits": [{"old_str": "x", "new_str": "y"}]}`, `edit 1: no "path"`},
		{`{"path": "a", "edits": [{"old_str": "x", "new_str": "y", "new_str": "z"}]}`, `edit 1: "new_str" twice`},
		{`{"name": "MultiEdit", "input": {"path": "a", "edits": {}}}`, `"edits" is not a JSON list`},
		{`{"name": "search_and_replace", "input": {"path": "a", "search": "x"}}`, `no "replace"`},
		{`{"name": "write_file", "input": {"content": "x"}}`, `no "path"`},
		{`{"name": "write_file", "input": {"path": "a", "content": {}}}`, `"content" is not a string`},
		{`{"name": "a", "input": ` + anEdit + `, "input": ` + anEdit + `}`, `"input" twice`},
		{`{"command": "insert", "path": "a", "insert_line": 3, "new_str": "x"}`, insert},
		{`{"name": "insert_content", "input": {"path": "a", "line": 3}}`, insert},
		{`{"command": ["apply_patch", "*** Begin Patch\n*** End Patch"]}`, patch},
		{`{"name": "apply_patch", "arguments": {"input": "*** Begin Patch\n"}}`, patch},
		{`{"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch\n"}`, patch},
		{`{"path": "a", "old_str": "x" "new_str": "y"}`, "not valid JSON"},
		{`{"name": "Edit", "arguments": "{\"path\": \"a\", \"old_str\": \"x, \"new_str\": \"y\"}"}`, "not valid JSON"},
		{`[` + anEdit + `, {"path": "a", "old_string": "x"}]`, `no "new_string"`},
		{
			`{"` + strings.Repeat("k", 1<<16) + `": 1, "` + strings.Repeat("k", 1<<16) + `": 1, ` + anEdit[1:],
			`"` + strings.Repeat("k", maxTag) + `" twice`,
		},
		{strings.Repeat("[", 9) + anEdit + strings.Repeat("]", 9), "calls nested too deeply"},
	} {
		blocks, ok, err := JSON(c.text)
		require.True(t, ok, c.text)
		require.EqualError(t, err, c.want, c.text)
		require.Empty(t, blocks)
	}
}

func TestTheNumberOfEditsIsBounded(t *testing.T) {
	t.Parallel()
	list := func(n int) string { return "[" + strings.Repeat(anEdit+",", n-1) + anEdit + "]" }
	blocks, _, err := JSON(list(maxEdits))
	require.NoError(t, err)
	require.Len(t, blocks, maxEdits)
	_, ok, err := JSON(list(maxEdits + 1))
	require.True(t, ok)
	require.EqualError(t, err, "more than "+strconv.Itoa(maxEdits)+" edits")
}

// Without bounds, these would take hours.
func TestLargeTextsAreReadInLinearTime(t *testing.T) {
	t.Parallel()
	const n = 1 << 18
	for open, end := range map[string]string{"[": "]", `{"a":`: "}", `{"name":"a","input":`: "}", `{"tool_calls":[`: "]}",
		`{"path":"a","edits":[`: "]}", `{"function":`: "}"} {
		const depth = 4000
		wide := "[" + strings.Repeat(open+"0"+end+",", n/len(open)) + "0]"
		_, ok, err := JSON(wide)
		require.False(t, ok, open)
		require.NoError(t, err, open)
		_, ok, err = JSON(strings.Repeat(open, depth) + quoted(strings.Repeat("x", n)) + strings.Repeat(end, depth))
		require.False(t, ok, open)
		require.NoError(t, err, open)
	}
	for _, unit := range []string{"[", "\"", "\\", "{\"", "\n"} {
		_, ok, _ := JSON("[" + strings.Repeat(unit, n/len(unit)))
		require.False(t, ok, unit)
	}
	for _, unit := range []string{"<a>", "<a></a>", "</new_str>", "</content><", "<path>", "</edit_file>",
		"</new_str><", " ", "</new_str>  "} {
		_, err := readXML("<edit_file><path>a</path><new_str>" + strings.Repeat(unit, n/len(unit)) + "</edit_file>")
		require.Error(t, err, unit)
	}
	deep := anEdit
	for len(deep) < n {
		deep = `{"name": "a", "input": ` + quoted(deep) + `}`
	}
	_, _, err := JSON(deep)
	require.Error(t, err)
}
