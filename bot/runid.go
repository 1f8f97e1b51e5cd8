package bot

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// RunID is the id of the run of a delivery: 12 lower-case letters and digits, 60 bits of a hash. What says that a run waits can
// so be found again before there is a record of it.
func RunID(delivery string) string {
	sum := sha256.Sum256([]byte("tenon run " + delivery))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:12])
}
