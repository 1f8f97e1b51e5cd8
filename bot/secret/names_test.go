package secret

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFilesThatHoldSecretsAreKnownByTheirNames(t *testing.T) {
	t.Parallel()
	names := strings.Fields(`
		.env .env.local .env.production prod.env config/staging.env .envrc .flask/.env .dev.vars .Renviron
		terraform.tfvars prod.auto.tfvars vars.tfvars.json terraform.tfstate terraform.tfstate.backup envs/a.tfstate
		.terraformrc terraform.rc
		.kube/config deploy/kubeconfig kubeconfig.yaml cluster.kubeconfig
		service-account.json service_account.json prod-service-account.json app-firebase-adminsdk-1a2b3.json
		client_secret.json client_secret_123.apps.json application_default_credentials.json google-credentials.json
		.aws/credentials home/.aws/config rootkey.csv accessKeys.csv credentials credentials.csv credentials.json
		db-credentials.yml .docker/config.json .dockercfg .azure/accessTokens.json .oci/config
		keys/release.p12 release.pfx release.jks app.keystore debug.keystore server.pem server.key signing.p8 tls.pk8
		windows.snk me.ppk vault.kdbx old.kdb krb5.keytab secring.gpg private.asc dist.mobileprovision
		a.provisionprofile login.keychain-db
		id_rsa id_dsa id_ecdsa id_ed25519 id_ed25519_sk id_rsa.old id_deploy deploy_rsa keys/github_ed25519
		ssh_host_rsa_key .ssh/work .ssh/id_custom .gnupg/private-keys-v1.d/a .password-store/mail
		client.ovpn office.rdp azure.publishsettings service.cscfg
		.pgpass pgpass.conf .my.cnf .mylogin.cnf .netrc _netrc .npmrc .pypirc .gem/credentials .cargo/credentials.toml
		.bundle/config .composer/auth.json .m2/settings.xml settings-security.xml .gradle/gradle.properties
		.git-credentials .htpasswd .htdigest .passwd .s3cfg .boto rclone.conf .smbcredentials .msmtprc .sentryclirc .edgerc
		.databrickscfg .config/gh/hosts.yml .config/hub .pulumi/credentials.json .streamlit/secrets.toml kaggle.json
		.vault-token .vault_pass .vault_pass.txt vault-password.txt group_vars/all/vault.yml
		config/master.key config/credentials.yml.enc config/secrets.yml secrets.json secrets.prod.yaml app-secrets.yaml
		prod.secrets.toml passwords.txt api_keys.json token.json secret_token.rb
		wp-config.php LocalSettings.php local_settings.py sftp-config.json .vscode/sftp.json filezilla.xml
		.idea/dataSources.local.xml .bash_history .psql_history wallet.dat hudson.util.secret etc/shadow`)
	require.GreaterOrEqual(t, len(names), 90)
	for _, name := range names {
		for _, spelled := range []string{name, "a/b/" + name, strings.ToUpper(name)} {
			require.True(t, FileName(spelled), spelled)
		}
	}
	t.Logf("%d of %d names are hidden", len(names), len(names))
}

func TestTemplatesAndSourcesAreNoFilesWithSecrets(t *testing.T) {
	t.Parallel()
	for _, name := range strings.Fields(`
		.env.example .env.sample example.env .env.production.template .env.dist terraform.tfvars.example example.tfvars
		secrets.example.yml credentials.json.sample secrets.yml.tmpl wp-config-sample.php .npmrc.example auth.json.dist
		secrets.go tokens.ts credentials.md password.rb passwords_controller.rb secret.rs token.go auth.ts Secrets.java
		config/locales/passwords.yml app/i18n/en/credentials.json environment.ts keys.go id_rsa.pub .ssh/id_rsa.pub
		.ssh/config .ssh/known_hosts id_map.go id_rsa_test.go id_generator.rb kube/config.go docker/config.json config.json
		settings.xml package.json tsconfig.json env.ts .editorconfig Gemfile config keyboard.md monkey.py gradle.properties
		templates/secret.yaml design/tokens.json k8s/service-account.yaml commands/auth.json public.crt ca.cer
			token_bucket.py main.tf variables.tf env passwd.go vault.go vault.md history.md`) {
		require.False(t, FileName(name), name)
		require.False(t, FileName("a/b/"+name), name)
	}
}
