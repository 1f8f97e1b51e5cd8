// Package eval measures how well the bot finds the code that an issue is about. It compares what the bot selects for
// issues whose fixes are known with the lines that the fixes changed.
package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// Pair is an issue and what its fix changed.
type Pair struct {
	ID string `json:"id"`
	// Repo is "owner/name", and Base the full id of the commit that the fix was made on.
	Repo string `json:"repo"`
	Base string `json:"base"`
	// Lang is the language of the repository, and Kind tells what Text is, such as "issue" or "commit-message".
	Lang string `json:"lang"`
	Kind string `json:"kind"`
	// Text is the title of the issue in its first line, and then its body.
	Text string `json:"text"`
	// Gold are the source files that the fix modified. Lines are those of Base that it removed from each, or inserted at,
	// from 1; one after the last line for what it appended.
	Gold  []string         `json:"gold"`
	Lines map[string][]int `json:"lines"`
	// Fix is the full id of the commit with the fix; empty if it is to be found by Lines. Only the ceiling needs it.
	Fix string `json:"fix,omitempty"`
}

// Repository returns Repo as a reference.
func (p Pair) Repository() port.RepoRef {
	owner, name, _ := strings.Cut(p.Repo, "/")
	return port.RepoRef{Owner: owner, Name: name}
}

// maxPairLine bounds one pair, in bytes: far more than the 64 KiB of the longest issue, and as much again for lines.
const maxPairLine = 16 << 20

// ReadPairs reads pairs, one JSON object on a line. An error names the line.
func ReadPairs(in io.Reader) ([]Pair, error) {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 1<<16), maxPairLine)
	var pairs []Pair
	n := 0
	for scanner.Scan() {
		n++
		if len(bytes.TrimSpace(scanner.Bytes())) == 0 {
			continue
		}
		pair, err := readPair(scanner.Bytes())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		pairs = append(pairs, pair)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	return pairs, nil
}

func readPair(line []byte) (Pair, error) {
	var p Pair
	if err := json.Unmarshal(line, &p); err != nil {
		return p, fmt.Errorf("no pair: %w", err)
	}
	owner, name, found := strings.Cut(p.Repo, "/")
	switch {
	case p.ID == "":
		return p, errors.New(`a pair needs an "id"`)
	case !found || !plainName(owner) || !plainName(name):
		return p, fmt.Errorf(`"repo" must be "owner/name", not %q`, p.Repo)
	case p.Base == "":
		return p, errors.New(`a pair needs a "base", the commit that the fix was made on`)
	case len(p.Gold) == 0:
		return p, errors.New(`a pair needs "gold", the files that the fix changed`)
	}
	for name, lines := range p.Lines {
		if !slices.Contains(p.Gold, name) {
			return p, fmt.Errorf(`"lines" has %q, which is not in "gold"`, name)
		}
		if len(lines) > 0 && slices.Min(lines) < 0 {
			return p, fmt.Errorf(`"lines" of %q has a line %d`, name, slices.Min(lines))
		}
	}
	return p, nil
}

// changedLines returns the changed lines of a file: the first one if the pair does not say which.
func (p Pair) changedLines(name string) []int {
	if lines := p.Lines[name]; len(lines) > 0 {
		return lines
	}
	return []int{1}
}

// plainName reports whether a name can be a part of a folder's name.
func plainName(name string) bool {
	return name != "" && !strings.HasPrefix(name, ".") && !strings.ContainsAny(name, `/\`+"\x00")
}
