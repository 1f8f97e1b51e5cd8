package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const chat = `
# aider chat started at 2025-01-02 03:04:05

> Main model: m with diff edit format  
> Git repo: .git with 2 files  

#### Fix the sum  
####   
#### please  

I fix it.

> a quote of the reply

#### A heading of the reply

a.go
` + "```go" + `
<<<<<<< SEARCH
	return a - b
=======
	return a + b
>>>>>>> REPLACE
` + "```" + `

> Tokens: 1k sent, 2 received.  
> Commit 1111111 what the user left  
> Applied edit to dir\a.go  
> Commit 2222222 fix: Fix the sum  
> You can use /undo to undo and discard each aider commit.  

#### Why?  

Because of b.

> Tokens: 1k sent, 3 received.  

Another reply.

> # 1 SEARCH/REPLACE block failed to match!  
`

func TestReadHistoryTellsTheTextsOfTheReplyFromThoseOfTheTool(t *testing.T) {
	t.Parallel()
	var replies, users []string
	for _, e := range readHistory(chat) {
		switch e.kind {
		case assistant:
			replies = append(replies, e.text)
		case user:
			users = append(users, e.text)
		}
	}
	require.Equal(t, []string{"Fix the sum\n\nplease\n", "Why?\n"}, users)
	require.Len(t, replies, 3)
	require.Contains(t, replies[0], "I fix it.\n\n> a quote of the reply\n\n#### A heading of the reply\n\na.go\n```go\n")
	require.Regexp(t, ">>>>>>> REPLACE\n```$", replies[0])
	require.Equal(t, "Because of b.", replies[1])
}

func TestReadHistoryWithWindowsLineEndings(t *testing.T) {
	t.Parallel()
	require.Equal(t, []entry{{user, "Hi\n"}, {assistant, "Hello\nyou"}, {tool, "Tokens: 1"}},
		readHistory("\r\n#### Hi  \r\n\r\nHello\r\nyou\r\n\r\n> Tokens: 1  \r\n"))
}

func TestReadRepliesFindsTheCommitOfTheEdits(t *testing.T) {
	t.Parallel()
	replies := readReplies(readHistory(chat))
	require.Len(t, replies, 3)
	first := *replies[0]
	first.text = ""
	require.Equal(t, reply{applied: []string{"dir/a.go"}, commit: "2222222", alone: true, last: true}, first)
	require.Equal(t, reply{text: "Because of b.", before: "2222222", alone: true}, *replies[1])
	require.Equal(t, reply{text: "Another reply.", before: "2222222", last: true, failed: true}, *replies[2])
}
