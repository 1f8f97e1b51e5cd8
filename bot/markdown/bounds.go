package markdown

import "strings"

// Bounds on what is read from a comment.
const (
	// MaxCommentBytes bounds a comment in bytes: GitHub accepts 65,536 characters of up to 4 bytes.
	MaxCommentBytes = 4 * MaxBody
	// MaxNumber is the highest number of a block or suggestion that people can name.
	MaxNumber = 1000
)

// Bounds on what is written into an answer, in characters unless stated otherwise.
const (
	// MaxBody is the longest comment that GitHub accepts. Beyond it, GitHub answers 422 "body is too long (maximum is
	// 65536 characters)".
	MaxBody = 65536
	// MaxAnswer bounds what is shown of a model's answer to a question.
	MaxAnswer = 16_000
	// MaxCell bounds a piece of a reply or file that is shown in one place.
	MaxCell = 300
	// MaxListed is how many problems, suggestions or names one list shows.
	MaxListed = 20
)

// maxDepth bounds how deep quotes and lists are nested: the time of a Markdown parser grows by the square of it.
const maxDepth = 100

// Shallow returns a text without the lines that are nested too deeply for a parser.
func Shallow(body string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		if depth(line) <= maxDepth {
			b.WriteString(line)
		}
	}
	return b.String()
}

// depth counts the markers of quotes and lists that a line begins with.
func depth[T string | []byte](line T) (n int) {
	for i := 0; i < len(line); i++ {
		blank := i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t')
		switch c := line[i]; {
		case c == '>', blank && strings.IndexByte("-*+.)", c) >= 0:
			n++
		case c != ' ' && c != '\t' && (c < '0' || c > '9'):
			return n
		}
	}
	return n
}
