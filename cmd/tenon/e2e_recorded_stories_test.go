package main

// committedSteps are the steps of a run that asked a model and committed.
var committedSteps = []string{"open", "answer", "context", "ask.1", "committing", "apply.1", "commit", "report",
	"check.closed"}

// recordedStories are told so that each step of each command is recorded, each field of a step is set, and each way of
// committing, or of not committing, is taken.
var recordedStories = map[string]recordedStory{
	"fix": {
		about:   "A fix is committed by GitHub's API.",
		play:    recordFix,
		records: committedSteps,
	},
	"autofix": {
		about:   "CI fails on the commit of a fix, and a round of autofix follows.",
		play:    recordAutofix,
		records: committedSteps,
	},
	"fix-by-push": {
		about:   "A fix is pushed by git.",
		env:     []string{"TENON_COMMITS=push"},
		play:    recordFix,
		records: committedSteps,
	},
	"fix-through-an-app": {
		about:   "A fix is asked for through an App that the settings name, and undone by a button.",
		play:    recordThroughApp,
		records: []string{"ask.1", "commit", "report"},
	},
	"fix-in-a-review-thread": {
		about:   "A fix is asked for in the thread of a line.",
		play:    recordFixOfALine,
		records: committedSteps,
	},
	"fix-by-review": {
		about:   "A fix is asked for in a review.",
		play:    recordFixByReview,
		records: committedSteps,
	},
	"fix-by-label": {
		about:   "A label asks for what a pull request says.",
		play:    recordFixByLabel,
		records: committedSteps,
	},
	"fix-by-label-of-a-new-issue": {
		about:   "An issue is opened with a label, and what looks like a command in its text is code.",
		play:    recordLabelWhileOpening,
		records: []string{"commit", "pull"},
	},
	"fix-on-an-issue": {
		about: "A fix on an issue makes a branch and a draft pull request; the next goes on there, and " +
			"one is given in the pull request.",
		play:    recordIssue,
		records: []string{"commit", "pull"},
	},
	"fix-of-the-issue": {
		about:   "A fix that says no more on a stranger's issue means the issue.",
		play:    recordBareFix,
		records: []string{"commit", "pull"},
	},
	"fix-by-a-new-issue": {
		about:   "A new issue asks for a fix in its own text, and GitHub opens no pull request.",
		play:    recordNewIssue,
		records: []string{"commit", "pull"},
	},
	"fix-held": {
		about:   "partial: hold, and one of two edits does not fit, so nothing is committed.",
		play:    recordHeld,
		records: []string{"commit", "ask.3"},
	},
	"fix-ambiguous": {
		about:   "An edit matches at more places than are listed.",
		play:    recordAmbiguous,
		records: []string{"commit", "ask.3"},
	},
	"fix-branch-moved": {
		about:   "The branch moves while the model writes, so the edits are applied again on its new tip.",
		play:    recordMoved,
		records: []string{"apply.1", "apply.2", "commit"},
	},
	"fix-branch-moved-before": {
		about: "The branch of a private repository moves after a command on a line was given, before the run looks at it " +
			"for the first time.",
		play:    recordMovedBefore,
		records: []string{"open", "context", "apply.1", "commit", "report"},
	},
	"fix-closed-meanwhile": {
		about:   "The pull request is closed while the model writes, so what fits is a patch.",
		play:    recordClosedMeanwhile,
		records: []string{"apply.1", "commit"},
	},
	"fix-on-a-locked-thread": {
		about: "A conversation is locked, so there is not even an answer.",
		play:  recordLocked,
	},
	"fix-ci": {
		about: "Checks failed: many are fixed, then the permission for logs is missing, then GitHub does not tell the " +
			"checks.",
		play:    recordCI,
		records: []string{"context", "ask.1", "commit"},
	},
	"fix-rejected": {
		about:   "GitHub refuses the commit by the rules of the branch.",
		play:    recordRejected,
		records: []string{"apply.1", "report"},
	},
	"fix-rejected-and-kept": {
		about:   "GitHub refuses the commit by the rules of the branch, so what fits is a patch, with GitHub's words.",
		play:    recordRejected,
		records: []string{"apply.1", "commit", "report"},
	},
	"fix-offered": {
		about:   "GitHub refuses the commit by the rules of the branch, and a box opens a pull request from another one.",
		play:    recordOffered,
		records: []string{"offer", "choice", "pull"},
	},
	"fix-asked-again": {
		about:   "The branch moves over the same lines while the model writes, so it is asked again.",
		play:    recordAskedAgain,
		records: []string{"apply.1", "ask.2", "apply.2", "commit"},
	},
	"fix-in-conflict": {
		about:   "The branch moves over the same lines while the model writes: both sides are kept.",
		play:    recordConflict,
		records: []string{"apply.2", "commit"},
	},
	"fix-tested": {
		about:   "A workflow fails on the edits, and passes on them with further ones.",
		play:    recordTested,
		records: []string{"verify.1", "verify.6", "ask.2", "commit"},
	},
	"fix-untested": {
		about:   "There is no workflow to test the edits, and the next command is cancelled during its test.",
		play:    recordUntested,
		records: []string{"verify.1", "verify.3", "commit"},
	},
	"fix-repaired": {
		about:   "An edit that fails is corrected, and so are those that wait for it.",
		play:    recordRepaired,
		records: []string{"ask.2", "commit"},
	},
	"fix-breaks-a-file": {
		about: "An edit breaks its file, and is committed by its number; so is one of a preview; a repository is " +
			"content with a warning.",
		play:    recordBroken,
		records: []string{"ask.3", "apply.1", "commit", "preview", "choice"},
	},
	"fix-unchecked": {
		about:   "An edit after which a file cannot be checked is committed, and refused by the settings.",
		play:    recordUnchecked,
		records: committedSteps,
	},
	"fix-continued": {
		about:   "A reply that was cut off is continued.",
		play:    recordContinued,
		records: []string{"ask.2", "commit"},
	},
	"fix-continued-after-a-break": {
		about:   "The connection breaks inside a reply that says what each edit is for, and the rest is asked for.",
		play:    recordBreak,
		records: []string{"ask.2", "commit"},
	},
	"fix-nothing-to-change": {
		about:   "A reply without edits is asked for edits, and the model finds nothing to change.",
		play:    recordNothing,
		records: []string{"ask.2", "commit"},
	},
	"fix-chooses-files": {
		about:   "The model chooses files before it sees code; then a choice cannot be read, and another fails.",
		play:    recordChoice,
		records: []string{"files", "context", "ask.1", "commit"},
	},
	"fix-asks-with-a-key": {
		about:   "The model asks for a file. The prompt has a key of its own.",
		play:    recordNeed,
		records: []string{"ask.2", "commit"},
	},
	"fix-asks-in-rounds": {
		about:   "The model asks for a text, a definition, a name and a file, in three rounds.",
		play:    recordRounds,
		records: []string{"ask.4", "commit"},
	},
	"fix-needs-files": {
		about:   "The model asks for files.",
		play:    recordNeed,
		records: []string{"ask.2", "ask.3", "commit"},
	},
	"fix-over-budget": {
		about:   "A budget is nearly used up, and the model cannot be asked again.",
		env:     []string{"TENON_BUDGET_REPOSITORY_TOKENS=16000", "TENON_BUDGET_USER_COMMANDS=1"},
		play:    recordBudget,
		records: []string{"ask.2", "commit"},
	},
	"fix-waits": {
		about:   "The quota of the model is used up for a while: the answer says so, and the run goes on.",
		play:    recordWait,
		records: []string{"answer", "wait", "ask.1", "commit"},
	},
	"fix-model-fails": {
		about:   "The model does not answer; retry gives the command again.",
		play:    recordModelFailure,
		records: []string{"context", "retry", "commit"},
	},
	"fix-with-secrets": {
		about:   "Files are shown in part, without their secrets, or not at all.",
		play:    recordSecrets,
		records: committedSteps,
	},
	"fix-interrupted": {
		about:      "The server dies behind the commit, before it is recorded.",
		play:       recordInterrupted,
		unfinished: true,
		records:    []string{"committing", "apply.1"},
	},
	"fix-resumed": {
		about:   "A run that died behind its commit goes on.",
		play:    recordResumed,
		records: committedSteps,
	},
	"fork": {
		about:   "A fix, an undo and file operations on a fork that takes pushes.",
		play:    recordFork,
		records: []string{"commit", "undo", "run"},
	},
	"fork-suggestions": {
		about:   "On a fork that takes no pushes, changes are suggestions and a patch.",
		play:    recordSuggestions,
		records: []string{"commit", "suggest"},
	},
	"fork-refuses-push": {
		about:   "A fork takes no push, though its author allowed it.",
		play:    recordForkRefuses,
		records: []string{"commit"},
	},
	"ask": {
		about:   "A question is answered, after a look at another file.",
		play:    recordAsk,
		records: []string{"open", "answer", "context", "ask.1", "ask.2", "report"},
	},
	"address": {
		about:   "Review threads are settled by one commit, one is answered in words, and one is left.",
		play:    recordAddress,
		records: []string{"context", "commit"},
	},
	"address-some": {
		about:   "There are more review threads than one command takes.",
		play:    recordManyThreads,
		records: []string{"context", "commit"},
	},
	"preview-of-a-priced-model": {
		about:   "A preview tells what it cost, and that a budget is nearly used up.",
		env:     []string{"TENON_BUDGET_USER_COMMANDS=1"},
		play:    recordPrice,
		records: []string{"preview"},
	},
	"fix-cautioned": {
		about:   "The settings hold edits with a caution, so a fix becomes a preview, of which boxes are ticked.",
		play:    recordCautioned,
		records: []string{"preview", "source", "choice", "sums", "commit"},
	},
	"preview-ticked": {
		about:   "Boxes of a preview are ticked: one, then the others, one of which fits no more.",
		play:    recordTicks,
		records: []string{"preview", "source", "choice", "sums", "commit"},
	},
	"preview-seen": {
		about: "Edits of a preview without a box are applied by number, what is unusual in one is marked, and one that " +
			"changed meanwhile is shown again.",
		play:    recordSeen,
		records: []string{"preview", "choice", "commit", "seen"},
	},
	"preview-applied": {
		about:   "Edits of a preview are applied by number, undone, and applied again; then the rest.",
		play:    recordApply,
		records: []string{"preview", "source", "choice", "sums", "undo"},
	},
	"preview-applied-pressed": {
		about:   "The button of a preview's check is pressed.",
		play:    recordApplyButton,
		records: []string{"preview", "source", "choice", "sums"},
	},
	"commands-on-pages": {
		about:   "Edits of a preview are selected on the page of its run, and undone on the page of the commit's.",
		play:    recordOnPages,
		records: []string{"preview", "source", "choice", "undo"},
	},
	"preview-on-an-issue": {
		about:   "A preview of an issue is applied, which makes its branch and pull request.",
		play:    recordPreviewOfAnIssue,
		records: []string{"preview", "choice", "pull"},
	},
	"apply-pasted": {
		about:   "Edits that stand in the command's own comment are applied, and those in the comment before it.",
		play:    recordPasted,
		records: []string{"source", "choice", "commit"},
	},
	"retry": {
		about:   "Edits that failed are asked for again, by a command and by the button of a check.",
		play:    recordRetry,
		records: []string{"retry", "commit"},
	},
	"update": {
		about:   "The base branch is merged, which is undone; a later commit of it is in conflict.",
		play:    recordUpdate,
		records: []string{"merge", "apply.1", "commit", "undo"},
	},
	"resolve": {
		about:   "Conflicts are settled by a model, by a box, by a command and by an apply, and some stay open.",
		play:    recordResolve,
		records: []string{"merge", "ask.1", "resolve.1", "commit"},
	},
	"resolve-numbered": {
		about:   "A model is asked about conflicts, and the record says which they are.",
		play:    recordResolveNumbered,
		records: []string{"merge", "ask.1", "resolve.1", "commit"},
	},
	"resolve-broken": {
		about:   "The choices of a model would break a file, and the branch moves over the conflict.",
		play:    recordResolveBroken,
		records: []string{"merge", "ask.2", "resolve.1"},
	},
	"backport": {
		about: "A merge starts a backport by a label; commands make others, in each way in which they can end, " +
			"and one is undone.",
		play:    recordBackport,
		records: []string{"backport", "pick.1", "backported.1", "pick.6", "backported.6", "undo"},
	},
	"backport-settled": {
		about:   "A model settles a conflict of backports with new lines that would break a file, or leaves it open.",
		play:    recordSettledBackport,
		records: []string{"backport", "ask.2", "settled.1", "pick.1", "backported.1"},
	},
	"backport-whole": {
		about:   "Pull requests whose commits are backported as one, because the base was merged into it, or they are many.",
		play:    recordWholeBackport,
		records: []string{"backport", "pick.1", "backported.1"},
	},
	"undo": {
		about:   "A commit is undone, brought back, undone by the button of its check, and another cannot be.",
		play:    recordUndo,
		records: []string{"undo", "commit"},
	},
	"run": {
		about:   "File operations that an answer suggests are carried out.",
		play:    recordRun,
		records: []string{"run", "commit"},
	},
	"ready": {
		about:   "The pull request of an issue is described again by another command, and marked as ready for review.",
		play:    recordReady,
		records: []string{"commit", "pull", "report"},
	},
	"cancel": {
		about:   "A running fix and a queued one are cancelled, after a look at the queue.",
		play:    recordCancel,
		records: []string{"context", "report"},
	},
	"help-config-and-refusals": {
		about: "What is answered with no model asked: help, config, status, commands that cannot be run, " +
			"and a stranger.",
		play:    recordRefusals,
		records: []string{"report"},
	},
}
