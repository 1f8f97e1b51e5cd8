// Package view turns the record of a run, and what is known of it while it goes on, into what a page shows. It is pure:
// it reads no clock, no disk and no network, and writes no HTML.
package view
