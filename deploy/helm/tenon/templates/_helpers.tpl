{{- define "tenon.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{- define "tenon.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tenon.labels" -}}
{{ include "tenon.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}

{{- define "tenon.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default (printf "v%s" $.Chart.AppVersion) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "tenon.claim" -}}
{{ .Values.persistence.existingClaim | default (printf "%s-data" (include "tenon.name" .)) }}
{{- end -}}

{{- define "tenon.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "tenon.name" .) }}
{{- end -}}

{{/* What values.schema.json cannot say, or says less clearly. */}}
{{- define "tenon.check" -}}
{{- $sqlite := eq .Values.database.kind "sqlite" -}}
{{- if and $sqlite (gt (int .Values.replicas) 1) -}}
{{- fail (printf "\n\nreplicas is %d, and SQLite allows one: its file belongs to one process. Set replicas to 1, or set database.kind to postgresql and database.urlSecret.name to the Secret with the URL of a PostgreSQL database (docs/scaling.md)." (int .Values.replicas)) -}}
{{- end -}}
{{- if and (not $sqlite) (not .Values.database.urlSecret.name) -}}
{{- fail "\n\ndatabase.kind is postgresql: set database.urlSecret.name to the Secret with the URL of the database, as\n\n  kubectl create secret generic tenon-database --from-literal=database-url='postgres://tenon:…@db:5432/tenon?sslmode=verify-full'" -}}
{{- end -}}
{{- if and $sqlite .Values.database.urlSecret.name -}}
{{- fail "\n\ndatabase.urlSecret.name is set, and database.kind is sqlite: set database.kind to postgresql, or leave the Secret out." -}}
{{- end -}}
{{- if .Values.app.settingsSecret.name -}}
{{- if or .Values.app.secret.name .Values.config -}}
{{- fail "\n\napp.settingsSecret has all settings: leave app.secret and config out, or use them instead." -}}
{{- end -}}
{{- else if not .Values.app.secret.name -}}
{{- if not $sqlite -}}
{{- fail "\n\napp.secret.name is empty: registering the App keeps its keys in the volume of SQLite, and with PostgreSQL there is none. Register it with `tenon setup` on your machine, and name its Secret in app.settingsSecret or app.secret (docs/deploying.md)." -}}
{{- end -}}
{{- if .Values.config -}}
{{- fail "\n\napp.secret.name is empty, and config is not: an App that is registered from the log's URL keeps its settings in the volume. Set app.secret.name, or leave config out and use extraEnv." -}}
{{- end -}}
{{- else if not (get .Values.config "app_id") -}}
{{- fail "\n\nconfig.app_id is missing: it is the number called App ID on the page of your GitHub App." -}}
{{- end -}}
{{- range $key, $instead := dict "webhook_secret" "app.secret" "private_key" "app.secret" "private_key_file" "app.secret" "webhook_secret_file" "app.secret" "model_api_key" "model.apiKeySecret" "model_api_key_file" "model.apiKeySecret" "database_url" "database.urlSecret" "database_url_file" "database.urlSecret" "client_secret" "extraEnv" "listen" "service.port" "data_dir" "persistence" "admin_listen" "metrics" -}}
{{- if hasKey $.Values.config $key -}}
{{- fail (printf "\n\nconfig.%s does not belong in the values: %s is for that. Secrets are read from Secrets, and the container's paths and ports are the chart's." $key $instead) -}}
{{- end -}}
{{- end -}}
{{- if and (gt (len (get .Values.config "models" | default dict)) 1) (not (get .Values.config "model")) -}}
{{- fail "\n\nconfig.models has several models, and config.model does not say which is the default: Helm does not keep their order, so there is no first one." -}}
{{- end -}}
{{- if and .Values.metrics.serviceMonitor.enabled (not .Values.metrics.enabled) -}}
{{- fail "\n\nmetrics.serviceMonitor.enabled needs metrics.enabled." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "\n\ningress.enabled needs ingress.host, the host name in the webhook URL of your GitHub App." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "\n\nhttpRoute.enabled needs httpRoute.parentRefs, the Gateway to attach to." -}}
{{- end -}}
{{- end -}}

{{- define "tenon.hasSecrets" -}}
{{- if or .Values.app.settingsSecret.name .Values.app.secret.name .Values.model.apiKeySecret.name (eq .Values.database.kind "postgresql") -}}yes{{- end -}}
{{- end -}}

{{/* The ports that tenon connects to beside DNS, in order, each once, as a JSON list. */}}
{{- define "tenon.egressPorts" -}}
{{- $urls := list .Values.proxy.https (get .Values.config "github_url") (get .Values.config "github_api_url") (get .Values.config "github_git_url") (get .Values.config "model_base_url") -}}
{{- range $name, $model := get .Values.config "models" | default dict -}}
{{- $urls = append $urls (get $model "base_url") -}}
{{- end -}}
{{- $ports := list 443 -}}
{{- if eq .Values.database.kind "postgresql" -}}
{{- $ports = append $ports (int .Values.database.port) -}}
{{- end -}}
{{- range compact $urls -}}
{{- $url := urlParse . -}}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) -}}
{{- if $port -}}
{{- $ports = append $ports (int $port) -}}
{{- else if eq $url.scheme "http" -}}
{{- $ports = append $ports 80 -}}
{{- end -}}
{{- end -}}
{{ uniq $ports | toJson }}
{{- end -}}

{{/* The paths of the pages beside "/", which config.public_url turns on. */}}
{{- define "tenon.pages" -}}
{{ list "/runs" "/queue" "/repos" "/orgs" "/dead-letters" "/installations" "/signin" "/auth" "/static" | toJson }}
{{- end -}}
