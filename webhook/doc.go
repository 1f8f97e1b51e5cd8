// Package webhook receives GitHub's deliveries: it checks their signature, reduces each to a small port.Event, and
// responds after the event was queued.
//
// A delivery that GitHub signed is queued (202), not needed (204), or refused with a sentence that says why. GitHub
// does not send a delivery again without being asked, so 202 is sent only when the event is stored.
package webhook
