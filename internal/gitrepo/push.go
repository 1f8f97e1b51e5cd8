package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// push is one branch to move from old (zero when it is new) to id, with the objects for it.
type push struct {
	branch, ref string
	old, id     oid
	pack        []byte
}

// pushCaps ask for a report, and for what hooks and rules have to say.
const pushCaps = "report-status side-band-64k agent=tenon"

// push moves the branch. The server compares the old id itself, so no advertisement is asked for, which would list all refs
// of the repository; only a server that does not take it like this is asked first, from then on.
func (r *remote) push(ctx context.Context, p push) error {
	if r.facts.asksPush() {
		return r.pushAsked(ctx, p)
	}
	err := r.send(ctx, p)
	var no *protocolError
	if !errors.As(err, &no) || !no.refused {
		return r.settle(ctx, p, err)
	}
	if err = r.pushAsked(ctx, p); err == nil {
		r.facts.setAsksPush()
	}
	return err
}

func (r *remote) pushAsked(ctx context.Context, p push) error {
	ad, err := r.advertisement(ctx, receivePack, p.ref, oid{})
	if err != nil {
		return fmt.Errorf("asking to push: %w", err)
	}
	switch {
	case ad.id == p.id && ad.hasRef:
		return nil
	case ad.id != p.old:
		return moved(p, ad.id)
	}
	return r.settle(ctx, p, r.send(ctx, p))
}

// settle finds out, after a push that did not go through or may not have, where the branch stands: that, and not a server's
// wording, says whether it moved.
func (r *remote) settle(ctx context.Context, p push, err error) error {
	if err == nil || errors.Is(err, port.ErrDenied) || errors.Is(err, port.ErrNotFound) || ctx.Err() != nil {
		return err
	}
	at, _, askErr := r.resolve(ctx, p.ref)
	switch {
	case askErr != nil:
		return errors.Join(err, askErr)
	case at == p.id:
		return nil
	case at != p.old:
		return moved(p, at)
	}
	return err
}

func moved(p push, at oid) error {
	if at.IsZero() {
		return fmt.Errorf("%s is gone: %w", p.branch, port.ErrMoved)
	}
	return fmt.Errorf("%s stands at %s: %w", p.branch, at, port.ErrMoved)
}

func (r *remote) send(ctx context.Context, p push) error {
	req := &packetWriter{}
	req.linef("%s %s %s\x00%s", p.old, p.id, p.ref, pushCaps)
	req.flush()
	req.Write(p.pack)
	body, err := r.do(ctx, call{service: receivePack, body: req.Bytes(), most: maxReport})
	if err != nil {
		return err
	}
	defer body.done()
	band := &bandReader{packets: newPacketReader(body)}
	reason, err := readReport(newPacketReader(band), p.ref)
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, band); err != nil {
		return err
	}
	if reason != "" {
		return &port.RejectedError{Branch: p.branch, Text: serverText(strings.TrimSpace(band.talk.String() + "\n" + reason))}
	}
	return nil
}

// maxReport bounds the answer to a push: some lines of report, and what hooks have to say.
const maxReport = 1 << 20

// readReport reads a report-status and returns why ref was refused; empty when it was not.
func readReport(p *packetReader, ref string) (reason string, err error) {
	_, line, err := p.line()
	if err != nil {
		return "", err
	}
	unpacked, ok := strings.CutPrefix(line, "unpack ")
	if !ok {
		return "", garbled("a report of a push that begins %.80q", line)
	}
	if unpacked != "ok" {
		reason = unpacked
	}
	for named := false; ; {
		kind, line, err := p.line()
		switch {
		case err != nil:
			return "", err
		case kind != packetData && !named && reason == "":
			return "", garbled("a report of a push that does not name %s", ref)
		case kind != packetData:
			return reason, nil
		case line == "ok "+ref:
			named = true
		case strings.HasPrefix(line, "ng "+ref+" "):
			named, reason = true, strings.TrimPrefix(line, "ng "+ref+" ")
		}
	}
}
