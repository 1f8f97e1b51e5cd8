package simhttp

// doors are the parts of a server that others come to.
type doors struct {
	forms
	threadForms
	checkForms
	hooks
	payloads
	signIn
	logHost
	gitDoor
	traffic
}

func doorsOf(s *Server) doors {
	return doors{forms{s.Core}, threadForms{s.Core}, checkForms{s.Core}, hooks{s}, payloads{s}, signIn{s}, logHost{s},
		gitDoor{s}, traffic{s}}
}

// hooks
type hooks struct{ *Server }

// payloads
type payloads struct{ *Server }

// signIn
type signIn struct{ *Server }

// logHost
type logHost struct{ *Server }

// gitDoor
type gitDoor struct{ *Server }

// traffic
type traffic struct{ *Server }
