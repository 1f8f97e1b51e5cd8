package policy

// ShownSetting is a setting as people read it.
type ShownSetting struct {
	Key string
	// Value is Markdown.
	Value string
	// Changed reports that somebody set it, or that it is not the default value.
	Changed bool
}

// Shown returns all settings as people read them.
func (p Policy) Shown() []ShownSetting {
	var rows []ShownSetting
	initial := DefaultPolicy()
	for _, s := range settings {
		value := s.value.show(p)
		changed := len(p.Marks[s.name]) > 0 || value != s.value.show(initial)
		rows = append(rows, ShownSetting{s.name, value, changed})
	}
	return rows
}
