package policy

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/schema"
)

// CI is what is done with the CI results of a commit.
type CI string

// What is done with it: it is told in the answer, with a mention of whoever asked if CI failed, or it is not asked for.
const (
	FollowCI  CI = "follow"
	MentionCI CI = "mention"
	IgnoreCI  CI = "ignore"
)

// continuousIntegration is follow, mention or ignore.
func continuousIntegration() kind[CI, CI] {
	parse := func(text string) (CI, error) {
		switch c := CI(text); c {
		case FollowCI, MentionCI, IgnoreCI:
			return c, nil
		}
		return "", fmt.Errorf("must be %s, %s or %s, not %q", FollowCI, MentionCI, IgnoreCI, clip(text))
	}
	form := schema.Words(string(FollowCI), string(MentionCI), string(IgnoreCI))
	return kind[CI, CI]{scalar(parse), func(c CI) string { return markdown.Code(string(c)) }, form}
}
