{{- define "redraft.labels" -}}
app.kubernetes.io/name: redraft
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "redraft.environment" -}}
envFrom:
  - secretRef:
      name: {{ .Values.secret }}
env:
  - name: REDRAFT_DRAIN_SECONDS
    value: {{ .Values.drainSeconds | quote }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end }}

{{- define "redraft.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  runAsUser: 10001
  capabilities:
    drop: [ALL]
{{- end }}
