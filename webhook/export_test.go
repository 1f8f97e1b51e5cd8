package webhook

// Reserved returns how many bytes the bodies of deliveries have reserved, and how many bodies there are.
func Reserved(h *Handler) (bytes, bodies int) {
	h.room.mu.Lock()
	defer h.room.mu.Unlock()
	return h.room.used, len(h.room.bodies)
}
