package markdown

// maxBody is how many characters GitHub takes in a comment (422 beyond: "body is too long (maximum is 65536 characters)").
const MaxBody = 65536

// maxCell is the longest piece of a reply or file that an answer shows in one place, in characters.
const MaxCell = 300

// maxListed is how many problems, suggestions or names one list of an answer shows.
const MaxListed = 20
