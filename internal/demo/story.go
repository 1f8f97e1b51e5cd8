package demo

import _ "embed"

// The built-in story: a small program, a comment, the model's reply, and its second one, which corrects what did not
// fit.
var (
	//go:embed story/project.txtar
	storyProject []byte
	//go:embed story/comment.md
	storyComment string
	//go:embed story/reply.md
	storyReply string
	//go:embed story/correction.md
	storyCorrection string
)
