package gitrepo

import (
	"bytes"
	"context"
	"crypto"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/go-git/go-git/v5/plumbing/hash"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// A fork need not have the commits of the repository that it was forked from, and git refuses a commit whose parent it
// does not have. So these commits are fetched, as a pack, and pushed in one pack with the merge. Whatever is in that
// pack, the branch gets the merge alone, whose parents are named by their hashes.

// maxHistory bounds the pack of the commits that a fork lacks, in bytes. It is in memory three times while it is
// pushed. 1,000 commits of eight repositories took 1 to 16 MB, and once 39.
const maxHistory = 32 << 20

// packWithHistory encodes the new objects, and all that the second parent has and a fork lacks, as a pack.
func (b *commitBuilder) packWithHistory(ctx context.Context, req repo.CommitRequest) ([]byte, error) {
	tip, err := parseID(req.Merge)
	if err != nil {
		return nil, err
	}
	common, err := parseID(req.Common)
	if err != nil {
		return nil, err
	}
	access := b.checkout.remote.access
	from, err := b.checkout.repos.remote(access, access)
	if err != nil {
		return nil, err
	}
	pack, known, err := from.history(ctx, tip, common)
	if err != nil {
		return nil, fmt.Errorf("fetching what the fork lacks of %s: %w", access, err)
	}
	own, err := b.pack(known) // git takes no pack that has an object twice
	if err != nil {
		return nil, err
	}
	return joinPacks(pack, own)
}

// history fetches a commit with all that is behind it and not behind another commit, blobs included, as a pack and as
// its objects; blobs over Limits.ObjectBytes are in the pack alone.
func (r *remote) history(ctx context.Context, tip, common oid) (pack []byte, objects map[oid]object, err error) {
	c, _, err := r.serverCapabilities(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !c.v2 {
		return nil, nil, userError("The git server is too old for tenon to merge into a fork: it does not speak protocol v2.")
	}
	var raw bytes.Buffer
	objects, err = r.fetchWith(ctx, c, fetchRequest{at: tip, haves: []oid{common}, pack: &raw})
	var user *port.UserError
	switch {
	case errors.As(err, &user), errors.Is(err, errTimeout):
		return nil, nil, fmt.Errorf("%w: %s", repo.ErrTooMuchHistory, err.Error())
	case errors.Is(err, port.ErrNotFound): // it is there, so this is not the error of a fork that is gone
		return nil, nil, malformed("%v", err)
	}
	return raw.Bytes(), objects, err
}

// historyCommand returns a fetch request for what a commit has and the haves have not. A server that does not know one
// of these sends more.
func historyCommand(c capabilities, w fetchRequest) []byte {
	req := c.command("fetch")
	req.linef("no-progress\n")
	req.linef("ofs-delta\n")
	req.linef("want %s\n", w.at)
	for _, id := range w.haves {
		req.linef("have %s\n", id)
	}
	req.linef("done\n")
	req.flush()
	return req.Bytes()
}

// The parts of a pack: a header of a magic word, a version and a number of objects, the objects, and a sum.
const (
	packHeader = 12
	packSum    = 20
)

// joinPacks returns one pack with the objects of two, which have none in common. In both, a delta refers to another
// object by its distance, which stays the same, or by its name.
func joinPacks(a, b []byte) ([]byte, error) {
	out, count := bytes.NewBuffer(make([]byte, packHeader, len(a)+len(b)-packHeader-packSum)), uint64(0)
	for _, pack := range [][]byte{a, b} {
		if len(pack) < packHeader+packSum || string(pack[:8]) != "PACK\x00\x00\x00\x02" {
			return nil, malformed("it is not a pack of version 2")
		}
		end := len(pack) - packSum
		if !bytes.Equal(sumOf(pack[:end]), pack[end:]) {
			return nil, malformed("the sum of a pack is wrong")
		}
		count += uint64(binary.BigEndian.Uint32(pack[8:]))
		out.Write(pack[packHeader:end])
	}
	if count > math.MaxUint32 {
		return nil, malformed("there are %d objects in a pack", count)
	}
	joined := out.Bytes()
	copy(joined, "PACK\x00\x00\x00\x02")
	binary.BigEndian.PutUint32(joined[8:], uint32(count))
	return append(joined, sumOf(joined)...), nil
}

// sumOf returns the sum at the end of a pack.
func sumOf(data []byte) []byte {
	h := hash.New(crypto.SHA1)
	h.Write(data)
	return h.Sum(nil)
}
