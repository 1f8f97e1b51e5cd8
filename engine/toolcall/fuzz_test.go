package toolcall

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
)

// FuzzXML checks that XML returns for any text, and that blocks have a path and what the text has.
func FuzzXML(f *testing.F) {
	for _, s := range []string{
		"<write_file><path>a.go</path><content>\n```go\nx\n```\n</content></write_file>",
		"<edit_file><path>a.go</path><search>\nx\n</search><replace><![CDATA[y]]]]><![CDATA[>]]></replace></edit_file>",
		"<search_and_replace><path>a</path><search>x</search><replace>y</replace>" +
			"<start_line>3</start_line></search_and_replace>",
		invoke("MultiEdit", "path", "a.go", "edits", `[{"old_string": "x\\n", "new_string": "y"}]`),
		invoke("text_editor", "command", "create", "path", "a.go", "file_text", "x\r\ny\r\n"),
		`<invoke name="other">x</invoke>`,
		"<tool_call>" + anEdit + "</tool_call>", "<tool_use><name>a</name><arguments>" + anEdit + "</arguments></tool_use>",
	} {
		f.Add(s)
		f.Add(strings.ReplaceAll(s, "\n", "\r\n"))
	}
	f.Fuzz(func(t *testing.T, s string) {
		blocks, err := readXML(s)
		if Opens(strings.TrimSpace(s)) == "" {
			require.Empty(t, blocks)
		}
		if err != nil {
			require.Empty(t, blocks)
		}
		wellFormed(t, s, blocks)
	})
}

// FuzzJSON checks that JSON returns for any text, and that blocks have a path and what the text has.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		anEdit, "[" + anEdit + "," + anEdit + "]", "{\"path\": \"a\", \"old_string\": \"x\ny\", \"new_string\": \"\"}",
		`{"path": "a", "edits": [{"search": "x", "replace": "y\n\u00e9"}, {"oldText": "", "newText": "\ud800"}]}`,
		`{"tool_calls": [{"function": {"name": "x", "arguments": ` + quoted(anEdit) + `}}]}`,
		`{"command": "create", "path": "a.go", "file_text": "x\n"}`, `{"command": ["apply_patch", "*** Begin Patch"]}`,
		`{"name": "search_and_replace", "input": {"path": "a", "search": "x", "replace": "y", "start_line": 1e3}}`,
	} {
		f.Add(s)
		f.Add(strings.ReplaceAll(s, "\\n", "\\r\\n"))
	}
	f.Fuzz(func(t *testing.T, s string) {
		blocks, ok, err := JSON(s)
		require.True(t, ok || err == nil && len(blocks) == 0)
		require.True(t, err == nil || len(blocks) == 0)
		wellFormed(t, s, blocks)
	})
}

func wellFormed(t *testing.T, s string, blocks []block.Block) {
	t.Helper()
	require.LessOrEqual(t, len(blocks), maxEdits)
	if len(blocks) == 0 {
		return
	}
	known := strings.ReplaceAll(decoded(s, 0), "\r", "")
	for _, b := range blocks {
		require.NotEmpty(t, b.Path)
		require.NotContains(t, b.Path, "\n")
		require.Equal(t, []string{b.Path}, b.Candidates)
		require.Equal(t, len(b.Find), len(b.Anchor)+len(b.Old))
		require.Equal(t, len(b.Replace), len(b.Anchor)+len(b.New))
		require.Equal(t, b.Within, len(b.Find) > 0)
		require.True(t, b.Within != (b.Whole != b.Create), "a block is of one kind")
		require.NotContains(t, strings.Join(b.Find, "")+strings.Join(b.Replace, ""), "\n")
		for _, lines := range [][]string{b.Find, b.Replace} {
			require.Contains(t, known, strings.ReplaceAll(strings.Join(lines, "\n"), "\r", ""))
		}
	}
}

// decoded returns a text together with itself without the seams of CDATA sections, and the values of the JSON strings
// in it.
func decoded(s string, depth int) string {
	var b strings.Builder
	b.WriteString(s + "\x00" + strings.ReplaceAll(s, "]]]]><![CDATA[>", "]]>"))
	for i := 0; i < len(s) && depth < 5 && b.Len() < 1<<16; i++ {
		if s[i] != '"' {
			continue
		}
		end := i + 1
		for end < len(s) && s[end] != '"' {
			if s[end] == '\\' {
				end++
			}
			end++
		}
		var value string
		literal := strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s[i:min(end+1, len(s))])
		if json.Unmarshal([]byte(literal), &value) == nil {
			b.WriteString("\x00" + decoded(value, depth+1))
		}
	}
	return b.String()
}
