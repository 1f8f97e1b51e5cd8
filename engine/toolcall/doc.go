// Package toolcall reads calls of editors' tools, as models and tools print them in a chat, into blocks. It is pure.
//
// # XML
//
// A call is an element named after the tool, with an element for each argument, or <invoke name="TOOL"> with
// <parameter name="ARGUMENT">:
//
//   - <write_to_file>, <write_file> and <create_file> with <path> and <content>: the whole file. These are the tools of
//     Cline and Roo Code;
//   - <search_and_replace> of Roo Code with <path>, <search> and <replace>, or with <operations>, a JSON list: all
//     places. <search_replace> and <edit_file> with a text to find and its replacement: one place;
//   - <invoke> of str_replace_editor, str_replace_based_edit_tool and text_editor with the commands str_replace and
//     create, and of Edit, MultiEdit and Write. These are the tools of Claude;
//   - <tool_call> and <tool_use> with a call as JSON.
//
// Texts are taken as they are: models write code without escaping it, so entities such as &lt; stay. A CDATA section
// is its content. A text that begins on the line after its tag ends on the line before the closing tag. A code fence
// around the whole content of a file is dropped, unless the file is Markdown.
//
// # JSON
//
// An edit is an object with a path, a text to find and its replacement, under the names that editors use, such as
// "old_string" and "new_string", or with a list "edits" of such. A file to write has a path and "content", and the name
// of a tool or command that says so. A call has them as "arguments", "input", "parameters" or "args", which may be a
// JSON text in a string. An empty text to find creates the file.
//
// Other data looks much the same, so JSON without these names is not an edit. JSON that has them in part is an error.
package toolcall
