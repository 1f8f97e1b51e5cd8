//go:build race

package lexer

// pace is how many times as long everything may take: the race detector slows regular expressions down, and it is used
// on machines that are busy with other tests.
const pace = 30
