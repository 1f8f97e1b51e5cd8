package config

// LoadListen reads only the address that the server listens on, for a command that asks the server how it is. The error
// is as in Load.
func LoadListen(src Source) (string, error) {
	var s Server
	r := newReader(src)
	r.read(&s, func(row setting) bool { return row.key == "listen" })
	return s.Listen, r.err()
}
