package retrieve

import "github.com/tenon-bot/tenon/bot/retrieve/lexical"

// document returns what is known of a file's content, nil if it was not loaded or the documents take too much memory
// together, and withheldDocument if it is not to be found by its content.
func (s *selector) document(name string) *lexical.Document {
	d, ok := s.documents[name]
	if !ok && s.documented < maxDocumentBytes {
		if d = s.indexDocument(name); d != nil {
			s.documents[name] = d
			s.documented += d.Bytes()
		}
	}
	return d
}

func (s *selector) indexDocument(name string) *lexical.Document {
	id, ok := s.checkout.Blob(name)
	if !ok {
		return nil
	}
	if d := s.Documents.Get(id, name); d != nil {
		return d
	}
	data, ok := s.read(name)
	if !ok {
		return nil
	}
	d, whole := withheldDocument, true
	if withheldText(data) == "" && !markedGenerated(data) {
		d, whole = lexical.NewDocumentWithin(&s.defining, name, data)
	}
	if whole { // else it is for this query only
		s.Documents.Put(id, name, d)
	}
	return d
}

// withheldDocument is that of a file whose content says that it is not shown unless somebody names it, if at all.
var withheldDocument = lexical.NewDocument("", nil)
