package secret

import (
	"path"
	"strings"
)

// FileName reports whether a path is, by the conventions of the programs that write or read such files, that of a file
// with credentials. A template, as .env.example, is none, and neither is a source, as secrets.go.
func FileName(name string) bool {
	name = strings.ToLower(name)
	base := path.Base(name)
	ext := path.Ext(base)
	if keyExtensions[ext] || secretNames[base] || isKeyName(base) || secretPath(name) {
		return true
	}
	if isTemplate(base) {
		return false
	}
	return secretExtensions[ext] || strings.HasPrefix(base, ".env.") || base == ".env" ||
		strings.HasSuffix(base, ".tfvars.json") || strings.HasSuffix(base, ".tfstate.backup") ||
		isSecretWord(name, base, ext)
}

// set makes a set of words.
func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// The tables are in lower case.
var (
	// keyExtensions are those of keys, key stores and encrypted containers, of which not even an example is shown.
	keyExtensions = set(`.pem .key .p12 .pfx .pkcs12 .p8 .pk8 .keystore .jks .jceks .bks .ppk .kdb .kdbx .psafe3 .asc .gpg
		.pgp .keytab .snk .agilekeychain .opvault .1pif .keychain .keychain-db .mobileprovision .provisionprofile`)
	// secretExtensions are those of settings that programs keep credentials in.
	secretExtensions = set(`.env .tfvars .tfstate .ovpn .tblk .rdp .publishsettings .cscfg .kubeconfig .netrc .pgpass
		.secret
		.secrets .credentials`)
	secretNames = set(`
		.netrc _netrc .npmrc .pypirc .pgpass pgpass.conf .my.cnf .mylogin.cnf .htpasswd .htdigest .passwd .git-credentials
		.dockercfg .dockerconfigjson .vault-token .vault_pass .vault_pass.txt .vault-pass .vault_password vault_pass
		vault_pass.txt vault-pass.txt vault_password vault_password.txt vault-password vault-password.txt vault.yml vault.yaml
		.boto .s3cfg .rclone.conf rclone.conf .msmtprc .fetchmailrc .esmtprc .smbcredentials .ftpconfig .sentryclirc .edgerc
		.databrickscfg .terraformrc terraform.rc .dev.vars .envrc .renviron .secrets .secret .credentials .twurlrc .trc
		.bash_history .zsh_history .sh_history .psql_history .mysql_history .rediscli_history .python_history
		.node_repl_history .irb_history .dbshell
		sftp-config.json .sftp-config.json sftp.json .remote-sync.json filezilla.xml recentservers.xml sitemanager.xml
		webservers.xml datasources.local.xml robomongo.json ngrok.yml kaggle.json
		kubeconfig kubeconfig.yml kubeconfig.yaml wallet.dat otr.private_key
		client_secret.json client_secrets.json service-account.json service_account.json serviceaccount.json
		service-account-key.json service_account_key.json serviceaccountkey.json application_default_credentials.json
		google-credentials.json gcp-credentials.json accesstokens.json accesskeys.csv rootkey.csv
		token.json wp-config.php localsettings.php local_settings.py secret_token.rb credentials.yml.enc
		settings-security.xml hudson.util.secret jenkins.plugins.publish_over_ssh.bapsshpublisherplugin.xml
		ventrilo_srv.ini gshadow shadow`)
	// secretFolders are folders of which every file is hidden, but for those in openNames; secretPaths are ends of paths.
	secretFolders = []string{".ssh", ".gnupg", ".password-store"}
	openNames     = set("known_hosts config authorized_keys allowed_signers")
	secretPaths   = []string{
		".aws/credentials", ".aws/config", ".azure/azureprofile.json", ".bundle/config", ".cargo/credentials",
		".cargo/credentials.toml", ".chef/knife.rb", ".composer/auth.json", "containers/auth.json",
		".config/doctl/config.yaml", ".config/gh/hosts.yml",
		".config/hub", ".config/op/config", ".dbt/profiles.yml", ".docker/config.json", ".gem/credentials",
		".gradle/gradle.properties", ".huggingface/token", ".kube/config", ".m2/settings.xml", ".oci/config",
		".pulumi/credentials.json", ".snowsql/config", ".streamlit/secrets.toml", ".vscode/sftp.json", "etc/shadow",
	}
	// secretWords are names of files of settings and lists, whatever their extension, which is one of wordExtensions.
	secretWords = set(`secrets credentials creds password passwords passwd apikey apikeys api_key api_keys api-key api-keys
		access_keys access-keys accesstoken access_token access-token`)
	wordExtensions = set(`.yml .yaml .json .json5 .toml .ini .env .properties .xml .conf .cfg .cnf .txt .csv .plist .enc
		.tfvars .config .ps1xml`)
	// locales are folders with texts for people: a file there is about passwords.
	locales = set(`locale locales i18n l10n lang langs languages translations messages`)
	// templateWords are parts of the names of files that are copied and filled in.
	templateWords = set(`example examples sample samples template templates tmpl tpl dist default defaults schema stub
		skeleton dummy`)
	// keyKinds are those of SSH's keys.
	keyKinds = []string{"rsa", "dsa", "ecdsa", "ed25519", "ecdsa_sk", "ed25519_sk", "xmss"}
)

// isKeyName reports whether a base name is that of a private key of SSH.
func isKeyName(base string) bool {
	if strings.HasSuffix(base, ".pub") {
		return false
	}
	if strings.HasPrefix(base, "ssh_host_") && strings.HasSuffix(base, "_key") {
		return true
	}
	own, isOwn := strings.CutPrefix(base, "id_")
	for _, kind := range keyKinds {
		if rest, ok := strings.CutPrefix(own, kind); ok && isOwn && !isSource(rest) {
			return true
		}
		if name, ok := strings.CutSuffix(base, kind); ok && len(name) > 1 && strings.HasSuffix(name, "_") {
			return true
		}
	}
	return isOwn && !strings.ContainsAny(own, "._")
}

// isSource reports whether what follows the name of a key makes it that of a source or a page: id_rsa_test.go.
func isSource(rest string) bool {
	switch path.Ext(rest) {
	case ".go", ".py", ".rb", ".js", ".ts", ".rs", ".java", ".kt", ".c", ".h", ".cc", ".cpp", ".cs", ".php", ".md", ".rst":
		return true
	}
	return false
}

// secretPath reports whether a path ends like one of a program's settings in somebody's home.
func secretPath(name string) bool {
	at := strings.LastIndexByte(name, '/')
	if at < 0 {
		return name == "auth.json" // of Composer
	}
	for _, end := range secretPaths {
		if strings.HasSuffix(name, end) && (len(name) == len(end) || name[len(name)-len(end)-1] == '/') {
			return true
		}
	}
	if !strings.Contains(name, "/.") && !strings.HasPrefix(name, ".") {
		return false
	}
	for folder := range strings.SplitSeq(name[:at], "/") {
		for _, secret := range secretFolders {
			if folder == secret {
				return !openNames[name[at+1:]] && !strings.HasSuffix(name, ".pub")
			}
		}
	}
	return false
}

// isTemplate reports whether a base name is that of a file to be copied and filled in.
func isTemplate(base string) bool {
	for word := range strings.FieldsFuncSeq(base, func(r rune) bool { return r == '.' || r == '-' || r == '_' }) {
		if templateWords[word] {
			return true
		}
	}
	return false
}

// isSecretWord reports whether a file of settings is called by what it keeps: secrets.prod.yaml,
// google-credentials.json.
func isSecretWord(name, base, ext string) bool {
	stem := strings.TrimSuffix(base, ext)
	if ext != "" && !wordExtensions[ext] {
		return false
	}
	first, _, _ := strings.Cut(stem, ".")
	last := stem[strings.LastIndexByte(stem, '.')+1:]
	found := secretWords[first] || secretWords[last] || ext != "" && ext != ".txt" && endsInSecret(first, ext)
	if !found {
		return false
	}
	for folder := range strings.SplitSeq(path.Dir(name), "/") {
		if locales[folder] {
			return false
		}
	}
	return true
}

// endsInSecret reports whether the last word of a stem says what the file keeps: db-credentials, prod_secrets, and keys
// of Google's service accounts, x-firebase-adminsdk-1a2b3.
func endsInSecret(stem, ext string) bool {
	for _, end := range []string{"-secrets", "_secrets", "-credentials", "_credentials", "-creds", "_creds", "-passwords",
		"_passwords"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	return ext == ".json" && (strings.HasSuffix(stem, "service-account") || strings.HasSuffix(stem, "service_account") ||
		strings.Contains(stem, "firebase-adminsdk") || strings.HasPrefix(stem, "client_secret_"))
}
