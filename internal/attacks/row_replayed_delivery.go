package attacks

var replayedDelivery = Attack{
	Name:      "replayed-delivery",
	Surface:   Delivery,
	Mechanism: "A signed delivery is sent again, under its own id and under others.",
	Defence:   "An event is identified by what was signed, and is carried out once.",
	Act: func(w *World) {
		w.Says("maria", "/tenon ask what does `main.go` print?")
		last := w.Newest("/tenon ask")
		w.Deliver(last.Body, last.Header)
		header := last.Header.Clone()
		header.Set("X-GitHub-Delivery", "00000000-0000-4000-8000-000000000000")
		w.Deliver(last.Body, header)
		w.Says("maria", Next)
	},
	Ask:   func(w *World) { w.Says("maria", "/tenon help") },
	Works: func(w *World) bool { return w.Told("/tenon fix") },
	Never: []Effect{askedMoreThan(2)},
}
