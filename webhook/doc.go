// Package webhook receives GitHub's deliveries: it checks who sent them, reduces each to a small bot.Event, and answers only
// after the queue has it.
//
// A delivery that GitHub signed is either refused with a sentence that says why, found to be of no interest (204), or stands
// in the queue when 202 goes out. GitHub never sends a delivery again by itself, so nothing is acknowledged before it is safe.
package webhook
