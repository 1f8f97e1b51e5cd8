package gh

import (
	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

func fromIssue(c *github.IssueComment) port.Comment {
	return port.Comment{
		Kind: port.IssueComment, ID: c.GetID(), NodeID: c.GetNodeID(), URL: c.GetHTMLURL(), Body: c.GetBody(),
		Author: fromUser(c.GetUser()), Updated: c.GetUpdatedAt().Time,
	}
}

func fromReviewComment(c *github.PullRequestComment) port.Comment {
	out := port.Comment{
		Kind: port.ReviewComment, ID: c.GetID(), NodeID: c.GetNodeID(), URL: c.GetHTMLURL(), Body: c.GetBody(),
		Author: fromUser(c.GetUser()), Updated: c.GetUpdatedAt().Time, InReplyTo: c.GetInReplyTo(), Path: c.GetPath(),
		Line: c.GetLine(), Side: c.GetSide(), Hunk: c.GetDiffHunk(), Commit: c.GetCommitID(),
	}
	// A range may start on the other side of the diff, and then in another file than Line.
	if c.GetStartSide() == c.GetSide() {
		out.StartLine = c.GetStartLine()
	}
	return out
}

// fromReview does not set Updated: for a review, GitHub sends only the time of its submission.
func fromReview(r *github.PullRequestReview) port.Comment {
	return port.Comment{
		Kind: port.Review, ID: r.GetID(), NodeID: r.GetNodeID(), URL: r.GetHTMLURL(), Body: r.GetBody(),
		Author: fromUser(r.GetUser()), Commit: r.GetCommitID(),
	}
}

// fromBody returns an issue's text as a comment, whose id is the issue's number.
func fromBody(is *github.Issue) port.Comment {
	return port.Comment{
		Kind: port.IssueBody, ID: int64(is.GetNumber()), NodeID: is.GetNodeID(), URL: is.GetHTMLURL(), Body: is.GetBody(),
		Author: fromUser(is.GetUser()),
	}
}

func fromUser(u *github.User) port.User {
	return port.User{ID: u.GetID(), Login: u.GetLogin(), Bot: u.GetType() == "Bot"}
}

func fromCommits(commits []*github.RepositoryCommit) []port.LoggedCommit {
	list := make([]port.LoggedCommit, len(commits))
	for i, c := range commits {
		author := c.GetCommit().GetAuthor()
		list[i] = port.LoggedCommit{SHA: c.GetSHA(), Message: c.GetCommit().GetMessage(), Author: port.Author{
			Name: author.GetName(), Email: author.GetEmail(), When: author.GetDate().UTC(), User: fromUser(c.GetAuthor()),
		}, Committed: c.GetCommit().GetCommitter().GetDate().UTC()}
		for _, parent := range c.Parents {
			list[i].Parents = append(list[i].Parents, parent.GetSHA())
		}
	}
	return list
}
