package localrepo

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// Bounds on the changes of the person, which are those of a pull request for the bot.
const (
	maxChanged   = 300      // files, as GitHub's page of a pull request has
	maxUntracked = 50       // of more, nobody has just made them
	maxPatch     = 64 << 10 // bytes of a file's patch; of a longer one, only the path is told
)

// Changed returns what the person has changed since HEAD and not committed: tracked files, and new ones that git does
// not ignore, unless there are many of them, as they were when the work tree was opened. It returns nothing if there is
// no commit yet.
func (r *Repo) Changed(ctx context.Context) ([]port.ChangedFile, error) {
	s, err := r.current(ctx)
	if err != nil || r.head.SHA == "" {
		return nil, err
	}
	<-r.diff
	if r.diffErr != nil {
		return nil, fmt.Errorf("looking for changes that are in no commit: %w", r.diffErr)
	}
	var changed []port.ChangedFile
	for _, d := range r.diffs {
		changed = append(changed, changedFile(d.Name, d.Patch))
	}
	var untracked []string
	for _, name := range s.names {
		if s.untracked[name] {
			untracked = append(untracked, name)
		}
	}
	if len(untracked) > maxUntracked {
		untracked = nil
	}
	for _, name := range untracked {
		stat, _ := s.stat(name)
		if stat.Size > maxPatch {
			changed = append(changed, changedFile(name, ""))
			continue
		}
		if err := s.Load(ctx, name); err != nil {
			return nil, err
		}
		if data, err := s.ReadFile(name); err == nil {
			changed = append(changed, changedFile(name, patchOfNew(data)))
		}
	}
	return changed[:min(len(changed), maxChanged)], nil
}

func changedFile(name, patch string) port.ChangedFile {
	if len(patch) > maxPatch {
		patch = ""
	}
	return port.ChangedFile{Path: name, Patch: patch}
}

// patchOfNew returns the patch that creates a file; empty if it is no text.
func patchOfNew(data []byte) string {
	if len(data) == 0 || bytes.IndexByte(data, 0) >= 0 {
		return ""
	}
	text, whole := strings.CutSuffix(string(data), "\n")
	lines := strings.Split(text, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "@@ -0,0 +1,%d @@", len(lines))
	for _, line := range lines {
		b.WriteString("\n+" + line)
	}
	if !whole {
		b.WriteString("\n\\ No newline at end of file")
	}
	return b.String()
}
