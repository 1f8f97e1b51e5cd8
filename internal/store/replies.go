package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// errTooManyReplies undoes the counting of a reply.
var errTooManyReplies = errors.New("too many replies")

// CountReply counts a reply to a person in the present hour, for all processes. within is false, and nothing is
// counted, if the person has had most of them.
func (s *Store) CountReply(ctx context.Context, user, most int64) (within bool, err error) {
	err = s.write(ctx, "counting a reply", func(tx tx) error {
		at := tx.now.UTC()
		used, err := addUse(ctx, tx, account{
			key: fmt.Sprintf("user-replies:%d:%02d", user, at.Hour()), period: at.Format(time.DateOnly), use: 1,
		})
		if err == nil && used > most {
			err = errTooManyReplies
		}
		return err
	})
	if errors.Is(err, errTooManyReplies) {
		return false, nil
	}
	return err == nil, err
}
