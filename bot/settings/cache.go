package settings

import (
	"maps"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// siblingTTL is how long it is remembered whether an owner has a repository for settings; its content is read each
	// time. It bounds for how long one that was just made is missed, where GitHub does not tell this process of it.
	siblingTTL = 10 * time.Minute
	// maxCached bounds the cache of settings, in files and in owners.
	maxCached = 512
)

// Cache remembers files of settings by commit, and owners' repositories for a while. The zero value is ready; safe for
// concurrent use.
type Cache struct {
	mu       sync.Mutex
	files    map[policy.SettingsFile]file
	siblings map[owner]sibling
}

// owner is an owner as an installation sees it.
type owner struct {
	installation int64
	name         string
}

// sibling is the owner's repository for settings, as it was at a time; err is port.ErrNotFound, port.ErrDenied or nil.
type sibling struct {
	repo port.RepoRef
	err  error
	at   time.Time
}

func (c *Cache) file(at policy.SettingsFile) (file, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.files[at]
	return f, ok
}

func (c *Cache) keepFile(f file) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil || len(c.files) >= maxCached {
		c.files = map[policy.SettingsFile]file{}
	}
	c.files[f.at] = f
}

func (c *Cache) sibling(o owner) (sibling, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.siblings[o]
	return s, ok
}

func (c *Cache) keepSibling(o owner, s sibling) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.siblings == nil || len(c.siblings) >= maxCached {
		c.siblings = map[owner]sibling{}
	}
	c.siblings[o] = s
}

func (c *Cache) dropSibling(o owner) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.siblings, o)
}

// ForgetRepositories is RepositoriesChanged for all installations.
func (c *Cache) ForgetRepositories() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.siblings)
}

// RepositoriesChanged forgets what is known of the repositories of an installation, one of which may have been made or
// removed.
func (c *Cache) RepositoriesChanged(installation int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.siblings, func(o owner, _ sibling) bool { return o.installation == installation })
}
