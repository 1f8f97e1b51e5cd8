//go:build race

package markdown

// raced reports whether the race detector runs.
const raced = true
