package simhttp

// Operations returns the routes of the table, "GET /app", so that a test can see that none is left out.
func Operations() []string {
	var all []string
	for _, rt := range routes() {
		all = append(all, rt.method+" "+rt.path)
	}
	return all
}
