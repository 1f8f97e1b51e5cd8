package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// errTurnedAway ends the handling of somebody who may not give the command, and has been told.
var errTurnedAway = errors.New("turned away")

// admit reads the settings and decides whether the sender may give the command; errTurnedAway when not. An answer that GitHub does
// not give counts as no: nothing happens until it is known.
func (s *session) admit(ctx context.Context) error {
	if !s.serves(s.ev.Repo.Owner) {
		if s.unsure(s.ev) || s.overReplyLimit() {
			return errTurnedAway
		}
		return s.turnAway(ctx, fmt.Sprintf("This tenon does not serve repositories of %s. Whoever runs it can add the owner to its `TENON_ALLOWED_OWNERS`.", markdown.Code(s.ev.Repo.Owner)))
	}
	err := together(
		func() (err error) { s.has, err = s.permission(ctx); return err },
		func() (err error) { s.policy, err = s.policyOf(ctx, s.ev); return err },
	)
	if err != nil {
		return err
	}
	if s.ev.Kind == port.Labeled && !strings.EqualFold(s.ev.Label, s.policy.Label) { // GitHub's labels are one in any case
		return errTurnedAway
	}
	if !s.has.Allows(port.PermissionWrite) && s.overReplyLimit() {
		return errTurnedAway
	}
	if needs := s.policy.Needs(s.inv.Command); !s.has.Allows(needs) {
		return s.turnAway(ctx, fmt.Sprintf("%s, `/tenon %s` needs %s permission in this repository, and you have %s. Ask a maintainer to give the command.",
			markdown.PlainLogin(s.ev.Sender.Login), s.inv.Command.Verb, needs, s.has.Words()))
	}
	return nil
}

// permission is what the sender may do here.
func (s *session) permission(ctx context.Context) (port.Permission, error) {
	has, err := s.GitHub.Permission(ctx, s.ev.Repo, s.ev.Sender.Login)
	if errors.Is(err, port.ErrNotFound) {
		return port.PermissionNone, nil
	}
	if err != nil {
		return "", fmt.Errorf("asking for the permission of %s: %w", s.ev.Sender.Login, err)
	}
	return has, nil
}

func (s *session) serves(owner string) bool {
	return len(s.Owners) == 0 || slices.ContainsFunc(s.Owners, func(o string) bool { return strings.EqualFold(o, owner) })
}

// turnAway refuses somebody with a thumb down and, once per person and thread, a sentence.
func (s *session) turnAway(ctx context.Context, text string) error {
	s.log.InfoContext(ctx, "turned away", "sender", s.ev.Sender.Login, "verb", s.inv.Command.Verb)
	s.react(ctx, port.ReactionDown)
	if err := s.untick(ctx, s.ev); err != nil {
		return err
	}
	marker := fmt.Sprintf("<!-- tenon:refused=%d -->", s.ev.Sender.ID)
	text += "\n\n" + marker
	if over, err := s.overwrite(ctx, text); over || err != nil {
		return cmp.Or(err, errTurnedAway)
	}
	_, stands, err := s.GitHub.FindComment(ctx, s.ev.Repo, s.replyPlace(), marker, time.Time{})
	if err != nil {
		return fmt.Errorf("looking for an earlier refusal: %w", err)
	}
	if stands {
		return errTurnedAway
	}
	if _, err := s.GitHub.Post(ctx, s.ev.Repo, s.replyPlace(), text); err != nil {
		return fmt.Errorf("refusing: %w", err)
	}
	return errTurnedAway
}

// overwrite puts the last word into an answer that says that the run waits, or how far it was, if there is one.
func (s *session) overwrite(ctx context.Context, text string) (bool, error) {
	if !s.ev.Notified && !s.resumed() {
		return false, nil
	}
	said, stands, err := s.find(ctx)
	if err != nil || !stands {
		return false, err
	}
	if err := s.editAnswer(ctx, said, text); err != nil {
		return false, fmt.Errorf("refusing: %w", err)
	}
	s.endCheck(ctx, text, "failure")
	return true, nil
}
