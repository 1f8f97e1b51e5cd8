package gitmerge

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// maxBlob is the size of the largest blob that is read, in bytes.
const maxBlob = 16 << 20

// objects is a git that sends the objects that it is asked for.
type objects struct {
	cmd *exec.Cmd
	ask io.WriteCloser
	out *bufio.Reader
}

// objectLine is what git says of an object that it sends: its id, type and size.
var objectLine = regexp.MustCompile(`^[0-9a-f]{40,64} ([a-z]+) ([0-9]{1,18})\n$`)

func startObjects(cmd *exec.Cmd) (*objects, error) {
	ask, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &objects{cmd: cmd, ask: ask, out: bufio.NewReader(out)}, nil
}

func (o *objects) close() error {
	return errors.Join(o.ask.Close(), o.cmd.Wait())
}

// Blob returns the blob of an id, or at "COMMIT:path". It is not ok if there is none, or if it is over 16 MiB.
func (r *Repository) Blob(name string) (data []byte, ok bool, err error) {
	if data, ok, err = r.objects.blob(name); err != nil {
		return nil, false, fmt.Errorf("reading %q of %s: %w", name, r.folder, err)
	}
	return data, ok, nil
}

func (o *objects) blob(name string) (data []byte, ok bool, err error) {
	if strings.ContainsRune(name, '\n') {
		return nil, false, nil // git cannot be asked for it
	}
	if _, err := io.WriteString(o.ask, name+"\n"); err != nil {
		return nil, false, err
	}
	head, err := o.out.ReadString('\n')
	if err != nil {
		return nil, false, err
	}
	found := objectLine.FindStringSubmatch(head)
	if found == nil {
		return nil, false, nil // missing, or a submodule
	}
	size, err := strconv.Atoi(found[2])
	if err != nil {
		return nil, false, err
	}
	if found[1] != "blob" || size > maxBlob {
		_, err := o.out.Discard(size + 1)
		return nil, false, err
	}
	data = make([]byte, size+1)
	if _, err := io.ReadFull(o.out, data); err != nil {
		return nil, false, err
	}
	return data[:size], true, nil
}
