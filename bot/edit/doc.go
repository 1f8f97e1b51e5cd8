// Package edit changes files without a model: it reverts commits, carries out file operations, finds the edit blocks
// that people paste into comments, and decides which files an edit block may change. It works on trees and checkouts in
// memory.
package edit
