package llm

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/tenon-bot/tenon/bot/port"
)

// attempt sends the request once. The fault says whether a retry may help.
func (c *Client) attempt(
	parent context.Context, req port.Request, onText func(string),
) (port.Answer, received, *fault) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	dog := newWatchdog(cancel)
	defer dog.stop()

	var resp *http.Response
	var refused *fault
	// The middleware returns a fault for every response but a 200, before the library reads its body.
	_, err := c.chat.New(ctx, c.params(req), append(c.fields(), option.WithResponseBodyInto(&resp),
		option.WithMiddleware(func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
			resp, err := dog.send(r, next)
			if err != nil || resp.StatusCode == http.StatusOK {
				return resp, err
			}
			dog.tail()
			refused = faultOfResponse(resp)
			return nil, refused
		}))...)
	if refused != nil {
		return port.Answer{}, received{}, refused
	}
	if err != nil {
		return port.Answer{}, received{}, faultOf(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()

	reply := &reply{model: c.model, onText: onText, ended: dog.tail}
	err = readBody(resp.Body, reply)
	if parent.Err() != nil && reply.finish == "" {
		failed := faultOf(parent, err) // a partial answer is of no use to a cancelled caller
		failed.usage, failed.begun = reply.got.usage, reply.text.Len() > 0
		return port.Answer{}, reply.got, failed
	}
	if failed := reply.verdict(ctx, err); failed != nil {
		failed.usage, failed.begun = reply.got.usage, reply.text.Len() > 0
		return port.Answer{}, reply.got, failed
	}
	answer := reply.answer()
	answer.Name = c.name
	if answer.Broken {
		broke := reply.broke(ctx, err)
		ended := reply.finish == "" && errors.Is(err, io.EOF) // as HTTP wants it: some servers send no finish reason
		if !ended && broke.isOutage() {
			answer.RetryAt = restAt(retryAfter(resp.Header, time.Now()))
		}
		c.log.WarnContext(parent, "the answer of the model broke off", "model", c.name, "fault", broke.String())
	}
	return answer, reply.got, nil
}

// params returns the request, without the fields that the library does not know.
func (c *Client) params(req port.Request) openai.ChatCompletionNewParams {
	params := openai.ChatCompletionNewParams{Model: c.model}
	if req.System != "" {
		params.Messages = append(params.Messages, openai.SystemMessage(req.System))
	}
	for _, m := range req.Messages {
		if m.Role == "assistant" {
			params.Messages = append(params.Messages, openai.AssistantMessage(m.Text))
		} else {
			params.Messages = append(params.Messages, openai.UserMessage(m.Text))
		}
	}
	if c.usage {
		params.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	return params
}

// fields returns the request's fields whose names differ between providers.
func (c *Client) fields() []option.RequestOption {
	list := []option.RequestOption{option.WithJSONSet("stream", true)}
	if c.maxTokens > 0 {
		list = append(list, option.WithJSONSet(c.tokenField, c.maxTokens))
	}
	return list
}

// readBody reads a stream of events, or the one JSON document that some servers send instead, into r.
func readBody(body io.Reader, r *reply) error {
	in := bufio.NewReaderSize(body, 32<<10)
	first, err := firstByte(in)
	switch {
	case err != nil:
		return err
	case first == '{' || first == '[':
		return r.whole(io.LimitReader(in, maxWhole+1))
	case first == '<':
		return &fault{kind: notAModel}
	}
	events := newEvents(in)
	for {
		ev, err := events.next()
		if err != nil {
			return err
		}
		if done, err := r.take(ev); done || err != nil {
			return err
		}
	}
}

// firstByte returns the first byte that is not white space or a byte order mark, without consuming it.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		b, err := in.ReadByte()
		if errors.Is(err, io.EOF) {
			return 0, &fault{kind: empty}
		}
		if err != nil {
			return 0, err
		}
		switch b {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF:
			continue
		}
		return b, in.UnreadByte()
	}
}
