package replies

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// maxCaseLine bounds one case, in bytes: the engine's largest reply, and a few of its largest files.
const maxCaseLine = 32 << 20

// The ends of the names of files with cases.
const (
	linesEnd   = ".jsonl"
	archiveEnd = ".txtar"
)

// Read calls each for the cases in a file, or in all *.jsonl and *.txtar files at and below a folder: in the order of
// the files' names and of the lines in them. A file that is named itself may have any name; unless that ends in .txtar,
// it has a case as JSON on each line. An error of each ends Read, which returns it as it is; other errors name the file
// and the line.
func Read(fsys fs.FS, root string, each func(Case) error) error {
	return fs.WalkDir(fsys, root, func(name string, entry fs.DirEntry, err error) error {
		end := path.Ext(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir(), name != root && end != linesEnd && end != archiveEnd:
			return nil
		case end == archiveEnd:
			return readArchive(fsys, name, each)
		}
		return readLines(fsys, name, each)
	})
}

func readArchive(fsys fs.FS, name string, each func(Case) error) error {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	c, err := parseArchive(strings.TrimSuffix(name, archiveEnd), data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return each(c)
}

func readLines(fsys fs.FS, name string, each func(Case) error) error {
	in, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), maxCaseLine)
	seen := map[string]int{}
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		c, err := parseCase(lines.Bytes())
		if first, twice := seen[c.ID]; err == nil && twice {
			err = fmt.Errorf("line %d has a case %q too; give each an id of its own", first, c.ID)
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		seen[c.ID] = n
		if err := each(c); err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("%s: line %d is longer than %d MiB", name, n+1, maxCaseLine>>20)
	} else if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: line %d: %w", name, n+1, err)
	}
	return nil
}
