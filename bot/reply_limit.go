package bot

import (
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxCourtesies is how many commands of one person who may not write are answered in an hour, be it by help or by a refusal:
// in a public repository that is anybody, and GitHub lets an app write no more than 500 times an hour.
const maxReplies = 10

// courtesies counts them, by the user's id. The zero value is ready; safe for concurrent use.
type replyLimit struct {
	mu   sync.Mutex
	hour time.Time
	used map[int64]int
}

// use says whether another one is left at the given time, and uses it.
func (c *replyLimit) allow(user int64, at time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if hour := at.Truncate(time.Hour); c.used == nil || !hour.Equal(c.hour) {
		c.hour, c.used = hour, map[int64]int{}
	}
	if c.used[user] == maxReplies {
		return false
	}
	c.used[user]++
	return true
}

// bothers says that a sender who may not write has used up what is answered. Then nothing is said, and nothing shown, but where
// something stands that has to be ended: a waiting answer, a tick, an attempt that died.
func (s *session) overReplyLimit() bool {
	if s.ev.Kind == port.Ticked || s.ev.Notified || s.resumed() || s.replies.allow(s.ev.Sender.ID, s.Now()) {
		return false
	}
	s.log.Info("passed over: too many commands of somebody who may not write", "sender", s.ev.Sender.Login)
	return true
}
