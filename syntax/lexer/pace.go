//go:build !race

package lexer

// pace is how many times as long everything may take: the race detector slows regular expressions down.
const pace = 1
