package config

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
)

// value is a setting as it was found: its text and the name that a problem with it goes by.
type value struct {
	text, name string
	fromFile   bool
}

// reader looks settings up, the environment first, and collects what is wrong.
type reader struct {
	src      Source
	file     map[string]value
	models   []Model
	policy   policy.Layer
	problems []Problem
}

func newReader(src Source) *reader {
	r := &reader{src: src.withDefaults()}
	r.file = r.readServerFile()
	return r
}

// lookup finds a setting by its key in the file; the variable is the same in upper case behind "TENON_".
func (r *reader) lookup(key string) (value, bool) {
	name := variable(key)
	if text := r.src.Getenv(name); text != "" {
		return value{text: text, name: name}, true
	}
	v, ok := r.file[key]
	return v, ok && v.text != ""
}

func variable(key string) string { return "TENON_" + strings.ToUpper(key) }

func (r *reader) apply(row setting, s *Server) {
	v, ok := r.lookup(row.key)
	if !ok || row.set == nil {
		return
	}
	if err := row.set(s, v.text); err != nil {
		r.problem(v.name, err.Error())
	}
}

func (r *reader) problem(name, text string) {
	r.problems = append(r.problems, Problem{Name: name, Text: text})
}

func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	return &Error{Problems: r.problems}
}

// app checks the three settings without which there is no App.
func (r *reader) app(s *Server) {
	if _, set := r.lookup("app_id"); !set {
		r.problem(variable("app_id"), "is not set; it is the number called App ID on the page of your GitHub App")
	}
	r.privateKey(s)
	if _, set := r.lookup("webhook_secret"); !set {
		r.problem(variable("webhook_secret"),
			"is not set; give it the webhook secret of your GitHub App, or choose one and set it there too")
	}
}

func (r *reader) privateKey(s *Server) {
	inline, hasInline := r.lookup("private_key")
	file, hasFile := r.lookup("private_key_file")
	if hasInline && hasFile && inline.fromFile == file.fromFile {
		r.problem(inline.name, "is set, and "+file.name+" too; set one of them")
		return
	}
	switch {
	case hasInline && (!hasFile || file.fromFile):
		// Many places where variables are set allow no line breaks.
		r.useKey(s, inline.name, strings.ReplaceAll(inline.text, `\n`, "\n"))
	case hasFile:
		data, err := r.src.ReadFile(file.text)
		if err != nil {
			r.problem(file.name, unreadable(err))
			return
		}
		r.useKey(s, file.name, string(data))
	default:
		r.problem(variable("private_key"), "is not set; generate a private key on the page of your GitHub App and set its "+
			"text here, or its path as TENON_PRIVATE_KEY_FILE")
	}
}

func (r *reader) useKey(s *Server, name, text string) {
	if err := checkKey(text); err != nil {
		r.problem(name, err.Error())
		return
	}
	s.PrivateKey = NewSecret(text)
}

// checkKey accepts what GitHub gives out (PKCS #1), and the same key converted (PKCS #8).
func checkKey(text string) error {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return errors.New(`is not a PEM file; it must begin with "-----BEGIN RSA PRIVATE KEY-----" as downloaded from ` +
			`GitHub; a path goes into TENON_PRIVATE_KEY_FILE`)
	}
	if _, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return nil
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if _, ok := key.(*rsa.PrivateKey); err != nil || !ok {
		return errors.New("is a PEM file without an RSA private key; download the key of your GitHub App again")
	}
	return nil
}
