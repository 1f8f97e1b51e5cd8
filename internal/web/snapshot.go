package web

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/view"
)

// snapshot is a run's page at a moment. It is not changed after it is made.
type snapshot struct {
	sections []section
	// hashes are those of the sections by their ids.
	hashes map[string]uint64
	// blocks are those of the blocks, with what they were made from.
	blocks map[int]madeBlock
	// digest changes with the sections.
	digest uint64
	// reply is the number of the reply that arrives, 0 if none does, and text what has arrived of it.
	reply int
	text  string
	// ended means that nothing more will change.
	ended bool
}

// snapshot renders a run, with what has not changed since a snapshot before; nil if there is none.
func (p *pages) snapshot(run view.Run, split bool, before *snapshot) (*snapshot, error) {
	press := p.newPress(split, cmp.Or(p.Colours, workForPage))
	if before != nil {
		press.before = before.blocks
	}
	sections, err := press.sections(run)
	if err != nil {
		return nil, err
	}
	s := &snapshot{sections: sections, hashes: make(map[string]uint64, len(sections)), ended: run.State == view.Ended,
		blocks: press.made}
	h := fnv.New64a()
	for _, one := range sections {
		s.hashes[one.ID] = one.hash
		_, _ = h.Write([]byte(one.ID))
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, one.hash))
	}
	s.digest = h.Sum64()
	for i, reply := range run.Replies {
		if reply.Arriving {
			s.reply, s.text = i+1, reply.Text
		}
	}
	return s, nil
}

// place is how far a watcher is: which sections it has, and how much of the reply that arrives.
type place struct {
	digest        uint64
	reply, length int
}

// place returns the place of a watcher who has all of the snapshot, and so much of the reply.
func (s *snapshot) place(length int) place { return place{s.digest, s.reply, length} }

// String returns the place as readPlace reads it.
func (p place) String() string { return fmt.Sprintf("%x.%d.%d", p.digest, p.reply, p.length) }

// readPlace reads a place. One that is none is the zero value, of a watcher who has nothing.
func readPlace(text string) place {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return place{}
	}
	digest, err := strconv.ParseUint(parts[0], 16, 64)
	reply, err2 := strconv.Atoi(parts[1])
	length, err3 := strconv.Atoi(parts[2])
	if err != nil || err2 != nil || err3 != nil || reply < 0 || length < 0 {
		return place{}
	}
	return place{digest, reply, length}
}
