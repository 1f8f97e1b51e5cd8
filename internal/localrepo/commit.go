package localrepo

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // ids have the form of git's
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/offline"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// Made returns what was written last, if anything was.
func (r *Repo) Made() (Made, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil {
		return Made{}, false
	}
	return *r.last, true
}

// Commit writes the changes of a run to the work tree and stages them; if Options.Commit says so, it makes a git commit
// of these files alone. It is an offline.Commit. port.ErrMoved means that one of the files is another than when it was
// loaded: then nothing was written, and Checkout returns what is there now. What was written is written also if it
// cannot be staged: Made says why. If a file cannot be written, those before it are as they were.
func (r *Repo) Commit(ctx context.Context, u port.Upload) (sha string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.seen[u.Parent]
	if s == nil || r.now != s {
		r.now = nil
		return "", fmt.Errorf("writing to %s: %w", r.tree.Dir(), port.ErrMoved)
	}
	if r.opts.Commit {
		if err := r.tree.MayCommit(ctx); err != nil {
			return "", refusal(err)
		}
	}
	files, err := r.plan(s, u.Changes)
	if err != nil {
		if errors.Is(err, port.ErrMoved) {
			r.now = nil
		}
		return "", err
	}
	made := &Made{Files: files, Message: u.Message}
	if err := r.write(ctx, made); err != nil {
		return "", err
	}
	r.last, r.now = made, nil
	if made.SHA != "" {
		return made.SHA, nil
	}
	return madeUp(u), nil
}

var _ offline.Commit = (*Repo)(nil).Commit

// refusal returns why no commit can be made as something that a person can solve.
func refusal(err error) error {
	var identity *worktree.IdentityError
	var unfinished *worktree.UnfinishedError
	if errors.As(err, &identity) || errors.As(err, &unfinished) {
		return (&port.UserError{Text: "Nothing was written, because it could not be committed: " + err.Error() + "."}).
			Because(port.ReasonState)
	}
	return err
}

// madeUp returns an id for a commit that was not made in git.
func madeUp(u port.Upload) string {
	h := sha1.New() //nolint:gosec // see above
	_, _ = fmt.Fprintf(h, "%s\x00%s\x00", u.Parent, u.Message)
	return hex.EncodeToString(h.Sum(nil))
}

// plan returns the files that changes write, with their contents before. It returns port.ErrMoved if one of them is
// another on the disk than in the snapshot.
func (r *Repo) plan(s *snapshot, changes []port.Change) ([]File, error) {
	var files []File
	for _, c := range changes {
		f := File{Path: c.Path, After: c.Data, Executable: c.Mode == modeExecutable}
		before, executable, err := r.asSeen(s, c.Path)
		if err != nil {
			return nil, err
		}
		f.Before, f.WasExecutable = before, executable
		files = append(files, f)
	}
	for i := range files {
		if changes[i].Removed() || files[i].After != nil {
			continue
		}
		if files[i].After = moved(files, changes, changes[i].Blob); files[i].After == nil {
			return nil, fmt.Errorf("writing %s: its content is unknown", files[i].Path)
		}
	}
	return slices.DeleteFunc(files, func(f File) bool {
		return (f.Before == nil) == (f.After == nil) && bytes.Equal(f.Before, f.After) && f.Executable == f.WasExecutable
	}), nil
}

// moved returns the content of a file that was moved without being loaded: that of a removed one with the same blob.
func moved(files []File, changes []port.Change, blob string) []byte {
	for i, c := range changes {
		if c.OldBlob == blob {
			return files[i].Before
		}
	}
	return nil
}

const modeExecutable = "100755"

// asSeen returns a file as it is on the disk, nil if there is none. It returns port.ErrMoved if it is another than in
// the snapshot.
func (r *Repo) asSeen(s *snapshot, name string) (data []byte, executable bool, err error) {
	data, now, err := r.tree.ReadAtMost(name, maxFile)
	_, was := slices.BinarySearch(s.names, name)
	other := fmt.Errorf("%s changed meanwhile: %w", name, port.ErrMoved)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !was:
		return nil, false, nil
	case errors.Is(err, fs.ErrNotExist), err == nil && !was:
		return nil, false, other
	case err != nil:
		return nil, false, err
	case data == nil:
		return nil, false, fmt.Errorf("%s is larger than %d MiB", name, maxFile>>20)
	}
	seen, _ := s.stat(name)
	s.mu.Lock()
	loaded, isLoaded := s.loaded[name]
	s.mu.Unlock()
	same := now == seen
	if isLoaded {
		same = bytes.Equal(loaded.data, data) && now.Executable == seen.Executable
	}
	if !same {
		return nil, false, other
	}
	return data, now.Executable, nil
}
