package attacks

import (
	"regexp"
	"strings"
)

// commentID is the id of a comment in a delivery.
var commentID = regexp.MustCompile(`("comment":\{.*?"id":)\d+`)

var forgedDelivery = Attack{
	Name:      "forged-delivery",
	Surface:   Delivery,
	Mechanism: "Somebody sends a command to the webhook in the name of a maintainer.",
	Defence:   "Each delivery is signed by GitHub, which is checked before anything of it is read.",
	Act: func(w *World) {
		w.Says("maria", "/tenon help")
		real := w.Newest("/tenon help")
		forged := strings.Replace(real.Body, "/tenon help", Fix, 1)
		forged = commentID.ReplaceAllString(forged, "${1}987654321")
		for n, signature := range []string{"", "sha256=" + strings.Repeat("0", 64), "sha1=" + strings.Repeat("0", 40)} {
			header := real.Header.Clone()
			header.Set("X-Hub-Signature-256", signature)
			header.Set("X-GitHub-Delivery", "00000000-0000-4000-8000-00000000000"+itoa(n))
			w.Deliver(forged, header)
		}
		w.Says("maria", Next)
	},
	Ask:   func(w *World) { w.Says("maria", "/tenon help") },
	Works: func(w *World) bool { return w.Told("/tenon fix") },
	Never: []Effect{anyCommit, asked},
}
