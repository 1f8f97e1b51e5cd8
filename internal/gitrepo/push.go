package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// push moves one branch from old (zero for a new branch) to id, with the objects for it.
type push struct {
	branch, ref string
	old, id     oid
	pack        []byte
}

// pushCapabilities request a report, and the output of hooks and rules.
const pushCapabilities = "report-status side-band-64k agent=tenon"

// push moves the branch. The server compares the old id, so that the advertisement, which lists all refs of the
// repository, is not needed. For a server that refuses such a push, it is requested first, also for later pushes.
func (r *remote) push(ctx context.Context, p push) error {
	if r.capabilities.needsRefsBeforePush() {
		return r.pushAfterRefs(ctx, p)
	}
	err := r.send(ctx, p)
	var protocol *protocolError
	if !errors.As(err, &protocol) || !protocol.badRequest {
		return r.verifyPush(ctx, p, err)
	}
	if err = r.pushAfterRefs(ctx, p); err == nil {
		r.capabilities.setRefsBeforePush()
	}
	return err
}

// pushAfterRefs requests the advertisement, and pushes if the branch did not move.
func (r *remote) pushAfterRefs(ctx context.Context, p push) error {
	ad, err := r.advertisement(ctx, receivePack, p.ref, oid{})
	if err != nil {
		return fmt.Errorf("asking to push: %w", err)
	}
	switch {
	case ad.id == p.id && ad.hasRef:
		return nil
	case ad.id != p.old:
		return movedError(p, ad.id)
	}
	return r.verifyPush(ctx, p, r.send(ctx, p))
}

// verifyPush returns the result of a push that ended with err. If it may have failed, it asks for the branch's commit:
// that, and not the text of a server's error, tells whether the push succeeded or the branch had moved.
func (r *remote) verifyPush(ctx context.Context, p push, err error) error {
	var notSent *guardError
	switch {
	case err == nil || ctx.Err() != nil || errors.As(err, &notSent):
		return err
	case errors.Is(err, port.ErrDenied) || errors.Is(err, port.ErrNotFound):
		return err
	}
	at, _, askErr := r.resolve(ctx, p.ref)
	switch {
	case askErr != nil:
		return errors.Join(err, askErr)
	case at == p.id:
		return nil
	case at != p.old:
		return movedError(p, at)
	}
	return err
}

func movedError(p push, at oid) error {
	if at.IsZero() {
		return fmt.Errorf("%s was deleted: %w", p.branch, port.ErrMoved)
	}
	return fmt.Errorf("%s points to %s: %w", p.branch, at, port.ErrMoved)
}

// send sends the push and reads the report.
func (r *remote) send(ctx context.Context, p push) error {
	req := &packetWriter{}
	req.linef("%s %s %s\x00%s", p.old, p.id, p.ref, pushCapabilities)
	req.flush()
	req.Write(p.pack)
	body, err := r.do(ctx, call{service: receivePack, body: req.Bytes(), maxBytes: maxReport})
	if err != nil {
		return err
	}
	defer body.close()
	band := &sidebandReader{packets: newPacketReader(body)}
	reason, err := readReport(newPacketReader(band), p.ref)
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, band); err != nil {
		return err
	}
	if reason != "" {
		text := serverText(strings.TrimSpace(band.progress.String() + "\n" + reason))
		return &port.RejectedError{Branch: p.branch, Text: text}
	}
	return nil
}

// maxReport bounds the response to a push, in bytes: a few lines of report, and the output of hooks.
const maxReport = 1 << 20

// readReport reads a report-status and returns why ref was rejected, or "" if it was not.
func readReport(p *packetReader, ref string) (reason string, err error) {
	_, line, err := p.line()
	if err != nil {
		return "", err
	}
	unpacked, ok := strings.CutPrefix(line, "unpack ")
	if !ok {
		return "", malformed("a report of a push that begins %.80q", line)
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
			return "", malformed("a report of a push that does not name %s", ref)
		case kind != packetData:
			return reason, nil
		case line == "ok "+ref:
			named = true
		case strings.HasPrefix(line, "ng "+ref+" "):
			named, reason = true, strings.TrimPrefix(line, "ng "+ref+" ")
		}
	}
}
