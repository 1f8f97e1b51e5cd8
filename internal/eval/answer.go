package eval

import (
	"context"
	"strings"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// answerer answers replies of a model that was shown what selection says, as the bot does.
func answerer(checkout repo.Checkout, query retrieve.Query, selection retrieve.Selection) respond {
	query.Seen.Selection = selection
	return func(ctx context.Context, reply string) (response, error) {
		query.Command = reply + "\n" + command
		answers, err := retrieve.Answer(ctx, checkout, query, retrieve.ParseAsks(reply), retrieve.RoundBytes)
		if err != nil {
			return response{}, err
		}
		query.Seen = query.Seen.After(answers.Selection, answers.Given)
		return responseOf(answers), nil
	}
}

// responseOf returns what of an answer is of the repository.
func responseOf(answers retrieve.Answers) (out response) {
	var text []string
	for _, f := range answers.Prompt.Files {
		v := View{Path: f.Path, Count: f.Lines}
		text = append(text, f.Path, f.Outline)
		for _, p := range f.Parts {
			v.Parts = append(v.Parts, retrieve.Span{From: p.From, To: p.To})
			text = append(text, p.Text)
		}
		out.files = append(out.files, v)
	}
	for _, l := range answers.Prompt.Lists {
		text = append(text, l.Names...)
	}
	for _, f := range answers.Prompt.Finds {
		text = append(text, f.Lines...)
	}
	for _, w := range answers.Prompt.Withheld {
		text = append(text, w.Near...)
	}
	out.text = strings.Join(text, "\n")
	return out
}
