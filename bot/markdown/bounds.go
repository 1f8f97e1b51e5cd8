package markdown

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
