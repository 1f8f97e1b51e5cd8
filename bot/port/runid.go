package port

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// RunID is the id of the run of a delivery: 12 lower-case letters and digits, 60 bits of a hash. What says that a run
// waits can so be found again before there is a record of it.
func RunID(delivery string) string {
	sum := sha256.Sum256([]byte("tenon run " + delivery))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:12])
}

// isRunID says whether a text can be the id of a run.
func IsRunID(id string) bool {
	odd := strings.IndexFunc(id, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return len(id) == 12 && odd < 0
}
