package match

import "github.com/tenon-bot/tenon/engine/text"

// trailingSpace also ignores whitespace at the end of lines.
func trailingSpace(f File, p Pattern) []Match { return consecutive(f, p, text.TrimRight) }
