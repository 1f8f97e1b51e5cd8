package sim

import (
	"encoding/base64"
	"fmt"
)

// NodeID returns a global node id in GitHub's form, which contains the kind and the id.
func NodeID(kind string, id int64) string {
	return kind + "_" + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s:%d", kind, id))
}
