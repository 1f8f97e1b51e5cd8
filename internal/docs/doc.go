// Package docs has the tests of the documentation that belong to no other package: that no link is dead, and that the
// tables of commands are those of the program.
package docs
