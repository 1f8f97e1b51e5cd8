package config

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// Source says where settings are read from. The zero value is the process's environment and disk.
type Source struct {
	// Getenv is os.Getenv when nil. A variable that is set to nothing counts as not set.
	Getenv func(string) string
	// Environ lists all variables as os.Environ does, which it is if Getenv is nil too.
	Environ func() []string
	// ReadFile is os.ReadFile when nil, except that it reads little more than a server file may have.
	ReadFile func(string) ([]byte, error)
	// Mode returns a file's permissions. It is those that os.Stat returns when nil.
	Mode func(string) (fs.FileMode, error)
	// File is the path of the server file. Where it is empty, TENON_CONFIG names the file; else it is tenon.yaml in the
	// current folder or, if there is none, in the data folder. There need not be one.
	File string
}

func (src Source) withDefaults() Source {
	if src.Getenv == nil {
		src.Getenv = os.Getenv
		if src.Environ == nil {
			src.Environ = os.Environ
		}
	}
	if src.Environ == nil {
		src.Environ = func() []string { return nil }
	}
	if src.ReadFile == nil {
		src.ReadFile = readFile
	}
	if src.Mode == nil {
		src.Mode = mode
	}
	return src
}

// pipeTime is how long the program at the other end of a named pipe, such as a shell's <(command), may take.
const pipeTime = 30 * time.Second

// readFile reads a file, but not more than a byte beyond maxFile. A named pipe that nobody writes to is empty: opening
// it must not wait for ever.
func readFile(name string) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	_ = f.SetReadDeadline(time.Now().Add(pipeTime)) // an error says that it is not a pipe
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}

func mode(name string) (fs.FileMode, error) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	if runtime.GOOS == "windows" {
		return 0o600, nil // Windows has other rules for who may read a file, which these bits do not tell
	}
	return info.Mode(), nil
}

// FileName is what the server file is called where nobody says how.
const FileName = "tenon.yaml"

// wrongName is how many spell FileName.
const wrongName = "tenon.yml"

// locate reads the server file and returns its path; "" if there is none.
func (r *reader) locate() (path string, data []byte, err error) {
	if path := cmp.Or(r.src.File, r.src.Getenv(variable("config"))); path != "" {
		data, err = r.src.ReadFile(path)
		return path, data, err
	}
	folder := cmp.Or(r.src.Getenv(variable("data_dir")), defaultOf("data_dir"))
	for _, folder := range []string{"", folder} {
		path = filepath.Join(folder, FileName)
		// Of a data folder that is a file, the database says more.
		if data, err = r.src.ReadFile(path); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return path, data, err
		}
		if other := filepath.Join(folder, wrongName); r.exists(other) {
			r.warn(other, "is not read, as the server file is called "+FileName+"; rename it, or name it with --config")
		}
	}
	return "", nil, nil
}

func (r *reader) exists(path string) bool {
	_, err := r.src.Mode(path)
	return err == nil
}
