// Package engine turns the text of a language model's reply into edits of a tree of files.
//
// [Parse] reads a reply into a [Reply]: its edit blocks, the shell commands that it suggests, and what is wrong with
// it. [Apply] finds the one place in a file where each [Block] fits, and edits it there. A block without such a place,
// or with several, changes nothing, and its [Result] says why and what the file has instead. Nothing is guessed:
//
//	reply := engine.Parse(text, engine.ParseOptions{})
//	out, err := engine.Apply(tree, reply.Blocks, engine.Options{})
//	for _, r := range out.Results {
//		fmt.Println(r.Status, r.Path, r.Line, r.Detail)
//	}
//
// The package does no input or output of its own, writes no log, and runs nothing. All lines are counted from 1.
// Functions are safe for concurrent use with different trees and options; where a type is not, it says so.
//
// # Formats
//
// A reply may have blocks of all formats, next to each other, with prose between them: blocks with markers around the
// lines to find and those to put in their place, unified diffs, patches between *** Begin Patch and *** End Patch,
// whole files in code fences, and calls of editors' tools as XML and JSON. The format is found out from the reply.
// [Formats] describes those that a model can be asked for, and the examples of Parse show one of each. No line of a
// reply belongs to two blocks, unless it has several edits in one call or renames a file that it edits. What looks like
// an edit and is not read is a [Problem]. A [Scanner] reads a reply while it arrives, and [Print] writes blocks.
//
// A block may say where it is: by a line number ([Block.At]), by lines above it ([Block.Scope]), or by its position
// among the hunks of a diff. That counts only where its lines fit at several places.
//
// # Files
//
// A [Tree] is what is edited. [MemTree] is one in memory; other programs bring their own, for a folder or a commit.
// Edits keep every byte that they do not mean: line endings, a byte order mark, the missing line feed at the end of a
// file. Apply writes each changed file once, after all blocks.
//
// # Where a block fits
//
// Models copy code almost exactly, so a block is compared at several levels, from [LevelExact] to [LevelFuzzyContext],
// each of which ignores one more kind of difference. The first level at which it fits counts, and only if it fits at
// exactly one place there. [Options.DisabledLevels] turns levels off. With [Options.Base], blocks are applied to what
// the model saw, and merged with what the file has got since.
//
// # Hostile input
//
// Replies and files may be made by somebody who wants to do harm. Paths that lead out of the tree, into .git, or
// through links are refused, and so are new names that mean another file on some system. [Limits] bound what is
// accepted, and [Options.Work] what a call may cost. Texts in results can quote the reply and the file: escape them
// where they are shown. Shell commands in a reply are never passed to a shell.
//
// # Stability
//
// This package, [github.com/tenon-bot/tenon/engine/merge], [github.com/tenon-bot/tenon/meter] and
// [github.com/tenon-bot/tenon/syntax] follow semantic versioning: within a major version, programs that use them
// as described here continue to build and to mean the same. This applies from v1.0.0 on; before it, the changelog names
// each incompatible change. All other packages of the module are details of one program and may change at any time.
//
// What never changes within a major version:
//
//   - exported names, the types of fields, parameters and results, and the methods of [Tree];
//   - the texts of [Reason], [ProblemKind], [Format] and [OpKind] and the numbers of [Level], [Status], [Kind] and
//     [Severity], and what they mean, so that programs can store them;
//   - that zero values of options are valid, and that an edit is made only where it is certain;
//   - that files are changed through the Tree alone.
//
// What may change in any version:
//
//   - new constants, such as another Reason, Level or Format: have a default case for those that you do not know;
//   - new fields of structs: name the fields in literals, and do not convert or compare whole structs;
//   - new functions, types, and methods of types other than Tree;
//   - the wording of Result.Detail, Problem.Text, FileProblem.Message and errors, and which excerpts are shown;
//   - whether a block that is almost right is applied: another Level lets more fit, and one that was found to be
//     uncertain is refused. One with three lines to find or more that are in the file exactly once, as they are, fits
//     in all versions.
package engine
