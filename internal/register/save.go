package register

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/internal/config"
)

// The names of the files, in one folder.
const (
	SettingsName = "tenon.yaml"
	KeyName      = "tenon.private-key.pem"
)

// schema is for editors, which complete and check the settings by it.
const schema = "# yaml-language-server: $schema=" +
	"https://raw.githubusercontent.com/tenon-bot/tenon/main/docs/schemas/tenon.schema.json\n"

// Files are where an App is saved.
type Files struct {
	// Settings is the server file. If there is one, the App's settings are appended to it. Key is the file of the App's
	// private key. Both paths are absolute.
	Settings, Key string
	// Now is the time that the server file names as its beginning.
	Now time.Time
}

// FilesIn returns the files in a folder, which need not exist.
func FilesIn(dir string, now time.Time) (Files, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Files{}, fmt.Errorf("naming the folder of the settings: %w", err)
	}
	return Files{Settings: filepath.Join(dir, SettingsName), Key: filepath.Join(dir, KeyName), Now: now}, nil
}

// Check returns an error that says what to do, unless an App can be saved. It changes nothing, except that it makes the
// folders.
func (f Files) Check() error {
	if _, err := os.Lstat(f.Key); err == nil {
		return fmt.Errorf("%s exists, and is not overwritten: move it away, or choose another folder", f.Key)
	}
	for _, path := range []string{f.Settings, f.Key} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("making the folder of the settings: %w", err)
		}
	}
	probe, err := os.CreateTemp(filepath.Dir(f.Key), ".tenon-setup-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", filepath.Dir(f.Key), cause(err))
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return fmt.Errorf("%s cannot be written: %w", filepath.Dir(f.Key), cause(err))
	}
	if _, err := os.Lstat(f.Settings); err == nil {
		return f.checkAppend()
	}
	return nil
}

// checkAppend returns an error unless the App's settings can be appended to the server file.
func (f Files) checkAppend() error {
	file, err := os.OpenFile(f.Settings, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("%s exists, and the App's settings cannot be added to it: %w", f.Settings, cause(err))
	}
	info, err := file.Stat()
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("looking at %s: %w", f.Settings, cause(err))
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return fmt.Errorf("%s can be read by other users, and the App's webhook secret would be added to it: "+
			"run chmod 600 %s", f.Settings, f.Settings)
	}
	old, err := os.ReadFile(f.Settings)
	if err != nil {
		return fmt.Errorf("reading %s: %w", f.Settings, cause(err))
	}
	var keys map[string]any
	sample := f.settings(Registered{App: App{ID: 1, ClientID: "a", ClientSecret: config.NewSecret("b")}})
	if err := yaml.Unmarshal(append(newline(old), sample...), &keys); err != nil || keys["app_id"] != 1 {
		return fmt.Errorf("%s has a form to which the App's settings cannot be added, or has some already: "+
			"tenon setup --print prints them, for you to add", f.Settings)
	}
	return nil
}

// newline returns a text that ends at the end of a line.
func newline(text []byte) []byte {
	if len(text) == 0 || strings.HasSuffix(string(text), "\n") {
		return text
	}
	return append(text, '\n')
}

// Save writes the files, which only their owner can read. After an error, neither the key's file nor a new server file
// is there.
func (f Files) Save(r Registered) error {
	if err := create(f.Key, r.App.PrivateKey.Reveal()); err != nil {
		return err
	}
	err := f.saveSettings(r)
	if err != nil {
		return errors.Join(err, os.Remove(f.Key))
	}
	return nil
}

func (f Files) saveSettings(r Registered) error {
	old, err := os.ReadFile(f.Settings)
	if errors.Is(err, fs.ErrNotExist) {
		return create(f.Settings, schema+"# docs/settings.md lists all settings.\n"+f.settings(r)+modelLines)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", f.Settings, cause(err))
	}
	file, err := os.OpenFile(f.Settings, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("opening %s: %w", f.Settings, cause(err))
	}
	added := strings.TrimPrefix(string(newline(old)), string(old)) + f.settings(r)
	_, err = file.WriteString(added)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("adding the App's settings to %s: %w", f.Settings, cause(err))
	}
	return nil
}

// create writes a new file that only its owner can read.
func create(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists, and is not overwritten: move it away", path)
	}
	if err != nil {
		return fmt.Errorf("making %s: %w", path, cause(err))
	}
	_, err = file.WriteString(text)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(fmt.Errorf("writing %s: %w", path, cause(err)), os.Remove(path))
	}
	return nil
}

// cause returns an error without the path, which is said before it.
func cause(err error) error {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		return inner.Err
	}
	return err
}

// settings returns the lines of the server file that are about the App.
func (f Files) settings(r Registered) string {
	return about(r, f.Now) + "private_key_file: " + quote(f.Key) + "\n"
}

// Print returns a server file with the key in it. It is a secret.
func Print(r Registered, now time.Time) string {
	key := "private_key: |\n"
	for line := range strings.Lines(r.App.PrivateKey.Reveal()) {
		key += "  " + strings.TrimSpace(line) + "\n"
	}
	return schema + about(r, now) + key + modelLines
}

// about returns the lines about an App without its key.
func about(r Registered, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n# The GitHub App %s, registered on %s. Its events go to %s.\n", plain(r.App.Slug),
		now.Format(time.DateOnly), plain(r.Hook))
	fmt.Fprintf(&b, "app_id: %d\n", r.App.ID)
	if r.Site.Web != "" && r.Site.Host() != "github.com" {
		b.WriteString("github_url: " + quote(r.Site.Web) + "\n")
	}
	b.WriteString("webhook_secret: " + quote(r.App.WebhookSecret.Reveal()) + "\n")
	if r.App.ClientID != "" && r.App.ClientSecret.IsSet() {
		b.WriteString("client_id: " + quote(r.App.ClientID) + "\n")
		b.WriteString("client_secret: " + quote(r.App.ClientSecret.Reveal()) + "\n")
		if origin := originOf(r.Hook); origin != "" {
			b.WriteString("# The pages on which people see runs are off without this line.\n" +
				"# public_url: " + quote(origin) + "\n")
		}
	}
	return b.String()
}

// modelLines show how the model is set.
const modelLines = `
# Without a model, tenon answers commands, but changes nothing. The environment will do, too (TENON_MODEL_API_KEY).
# model: gpt-5
# model_api_key_file: /etc/tenon/model-api-key
`

// quote returns a text as YAML writes it on one line, which is as JSON does.
func quote(text string) string {
	data, _ := json.Marshal(text) // a text has no error
	return string(data)
}

// plain returns a text for a comment of one line.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return '?'
		}
		return r
	}, text)
}
