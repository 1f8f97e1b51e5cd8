package signin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// accessLife is how long what GitHub said of a repository is taken as true.
const accessLife = time.Minute

// repository is one that somebody may read or not.
type repository struct {
	session string
	id      int64
	name    string
}

// MayRead reports whether GitHub lets the visitor of a request read a repository, as it said within the last minute. An
// error means that GitHub did not say.
func (s *Sessions) MayRead(r *http.Request, repo port.RepoRef) (bool, error) {
	v := of(r)
	v.mu.Lock()
	session, fault := v.session, v.fault
	v.mu.Unlock()
	switch {
	case session == nil:
		return false, nil
	case fault != nil:
		return false, fault
	}
	if _, ended := s.ended.get(session.ID); ended || !session.Tokens.validFor(0, s.Now()) {
		return false, nil
	}
	key := repository{session.ID, repo.ID, repo.Owner + "/" + repo.Name}
	if may, ok := s.access.get(key); ok {
		return may, nil
	}
	may, err, _ := s.asking.Do(fmt.Sprintf("access %s %d %s", key.session, key.id, key.name), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), askTimeout)
		defer cancel()
		id, err := s.GitHub.Repository(ctx, session.Tokens.Access, repo.Owner, repo.Name)
		switch {
		case errors.Is(err, port.ErrDenied): // the token was renewed or revoked meanwhile
			return false, nil
		case err != nil && !errors.Is(err, port.ErrNotFound):
			return false, err
		}
		may := err == nil && id > 0 && id == repo.ID // the name may have become that of another repository
		s.access.put(key, may, accessLife)
		return may, nil
	})
	if err != nil {
		return false, err
	}
	return may.(bool), nil
}
