package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/engine"
)

// maxBatchLine bounds one request, in bytes: a reply with a few hundred files of the engine's largest size.
const maxBatchLine = 512 << 20

func newBatchCmd() *cobra.Command {
	var check syntaxCheck
	cmd := &cobra.Command{
		Use:   "batch",
		Short: "Apply replies to files given as JSON lines",
		Long: `Batch reads one JSON object per line from standard input, applies the reply in it to the
files in it, and writes one JSON object per line to standard output, in the same order. It
touches no files and asks no model: it is only the engine, for tools that have the texts.

A request:
  {"id": "1", "files": {"a.txt": "one\ntwo\n"}, "reply": "a.txt\n<<<<<<< SEARCH\n…"}
The answer:
  id           as in the request
  files        the files that changed, with their new text (null: deleted)
  results      per block: path, status (applied, failed, skipped), reason, detail,
               line of the file (0: none), level (1 exact … 7 drifted context, 8 tokens,
               9 definition; 0: none); match_lines, the lines at which an ambiguous block
               matches (the first 20); and with --syntax, what the edits broke in the file
               as syntax: line (0: none), message; and as unchecked, why a file was not
               checked (size, steps, undecided, broken-before, not-text, no-parser)
  problems     what is wrong with the reply itself: line of the reply, severity, kind, text
  suggestions  shell commands found in the reply, which are never run: command, line, and
               op (kind, paths, to) when it is one safe operation on files

A line that is not such an object is answered with {"id": …, "error": "what is wrong"}, and the
next line is read.

With --syntax, a file that parsed before and does not parse after its edits is not among those
that changed, and its blocks fail; with --syntax=warn it is, and they do not.

Exit code: 0 all lines were answered, whatever the results of their blocks; 1 a line could not be
understood or, with --syntax, the edits broke a file; 2 usage.`,
		Example: `  tenon batch < requests.jsonl > answers.jsonl
  tenon batch --syntax < requests.jsonl > answers.jsonl
  printf '%s\n' '{"id":1,"files":{"a":"x\n"},"reply":"a\n««« EDIT\nx\n═══════ REPL\ny\n»»» EDIT END\n"}' | tenon batch`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runBatch(cmd.InOrStdin(), cmd.OutOrStdout(), check)
		},
	}
	addSyntaxFlag(cmd.Flags(), &check)
	return cmd
}

type batchRequest struct {
	ID    json.RawMessage    `json:"id"`
	Files map[string]*string `json:"files"`
	Reply *string            `json:"reply"`
}

type batchAnswer struct {
	ID    json.RawMessage    `json:"id"`
	Files map[string]*string `json:"files"`
	replyJSON
}

type batchError struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

// runBatch answers each line of in, and flushes each answer.
func runBatch(in io.Reader, out io.Writer, check syntaxCheck) error {
	reader, writer := bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(out, 1<<16)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	var bad error
	for n := 1; ; n++ {
		line, err := readBatchLine(reader)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return bad
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errLongLine) {
			return fmt.Errorf("reading line %d: %w", n, err)
		}
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		answer, fine, err := answerLine(line, err, check)
		if err != nil || !fine {
			bad = errSome
		}
		if err != nil {
			answer = batchError{ID: batchID(line), Error: fmt.Sprintf("line %d: %v", n, err)}
		}
		if err := encoder.Encode(answer); err != nil {
			return fmt.Errorf("writing the answer to line %d: %w", n, err)
		}
		if err := writer.Flush(); err != nil {
			return fmt.Errorf("writing the answer to line %d: %w", n, err)
		}
	}
}

var errLongLine = fmt.Errorf("longer than %d MiB", maxBatchLine>>20)

// readBatchLine returns the next line with its line feed. It skips the rest of a line that is too long.
func readBatchLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxBatchLine; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && (err == nil || errors.Is(err, io.EOF)) {
			return line, errLongLine
		}
		return line, err
	}
}

// batchID returns the id in a line that is otherwise invalid, or null.
func batchID(line []byte) json.RawMessage {
	var request struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &request) != nil || request.ID == nil {
		return json.RawMessage("null")
	}
	return request.ID
}

// answerLine applies one request, and reports whether all files that were checked parse. lineErr is the error of
// reading the line, if there was one.
func answerLine(line []byte, lineErr error, check syntaxCheck) (answer any, fine bool, err error) {
	if errors.Is(lineErr, errLongLine) {
		return nil, false, lineErr
	}
	var request batchRequest
	if err := json.Unmarshal(line, &request); err != nil {
		return nil, false, fmt.Errorf(`not a JSON object {"id", "files", "reply"}: %w`, err)
	}
	if request.Reply == nil {
		return nil, false, errors.New(`there is no "reply", a string`)
	}
	if request.ID == nil {
		request.ID = json.RawMessage("null")
	}
	tree := make(engine.MemTree, len(request.Files))
	for name, text := range request.Files {
		if text != nil {
			tree[name] = []byte(*text)
		}
	}
	reply := engine.Parse(*request.Reply, engine.ParseOptions{})
	out, err := engine.Apply(tree, reply.Blocks, check.options())
	if err != nil {
		return nil, false, err
	}
	return describeBatch(request.ID, tree, reply, out), parses(out.Results), nil
}

func describeBatch(id json.RawMessage, tree engine.MemTree, reply engine.Reply, out engine.Outcome) batchAnswer {
	answer := batchAnswer{
		ID: id, Files: make(map[string]*string, len(out.Changed)), replyJSON: describeReply(reply, out.Results),
	}
	for _, name := range out.Changed {
		answer.Files[name] = nil
		if data, ok := tree[name]; ok {
			text := string(data)
			answer.Files[name] = &text
		}
	}
	return answer
}
