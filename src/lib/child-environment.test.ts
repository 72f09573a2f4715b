import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentEnvironment, childEnvironment, passVariables } from './child-environment.ts'
import { knownFromEnv } from './redact/known.ts'

const value = 'made-up-9f3c'
const all = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, value]))

const secret =
  `OPENAI_API_KEY ANTHROPIC_API_KEY GITHUB_TOKEN GH_TOKEN NPM_TOKEN NODE_AUTH_TOKEN AWS_SECRET_ACCESS_KEY
AWS_SESSION_TOKEN PGPASSWORD MYSQL_PWD DB_PASS GH_PAT SSHPASS_PASSPHRASE REDISCLI_AUTH npm_config__auth MY_CREDENTIALS
COPILOT_GITHUB_TOKEN CLAUDE_CODE_OAUTH_TOKEN HF_TOKEN VAULT_TOKEN CI_JOB_TOKEN stripe_secret`.split(
    /\s+/,
  )

const open =
  `PATH HOME USER SHELL PWD OLDPWD TERM LANG LC_ALL TZ TMPDIR EDITOR PAGER SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS
GIT_ASKPASS GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 GOOGLE_APPLICATION_CREDENTIALS AWS_PROFILE AWS_REGION
AWS_ACCESS_KEY_ID XKB_KEYMAP KEYTIMEOUT GNOME_KEYRING_CONTROL TOKENIZERS_PARALLELISM CLAUDE_CODE_MAX_OUTPUT_TOKENS
PASSWORD_STORE_DIR SSL_CERT_FILE NODE_OPTIONS JAVA_HOME GOPATH VIRTUAL_ENV DOCKER_HOST KUBECONFIG DATABASE_HOST CI
DBUS_SESSION_BUS_ADDRESS DISPLAY XAUTHORITY MONKEY_PATCH BASH_ENV`.split(/\s+/)

test('a program is given every variable but those that look secret', () => {
  assert.deepEqual(childEnvironment(all([...secret, ...open])), all(open))
})

test('an address with a password in it looks secret by its value, but for a proxy', () => {
  const url = 'http://someone:hunter22@db.example:5432/one'
  const env = { DATABASE_URL: url, HTTPS_PROXY: url, http_proxy: url, npm_config_proxy: url }
  const { DATABASE_URL: _withheld, ...proxies } = env
  assert.deepEqual(childEnvironment(env), proxies)
  const plain = { DATABASE_URL: 'postgres://localhost/one', NO_PROXY: 'localhost' }
  assert.deepEqual(childEnvironment(plain), plain)
})

test('a name or a pattern that the configuration passes is given', () => {
  const env: NodeJS.ProcessEnv = all([
    'GH_TOKEN',
    'AWS_SESSION_TOKEN',
    'MY_AWS_TOKEN',
    'GITHUBXTOKEN',
  ])
  passVariables(env, ['GH_TOKEN', 'AWS_*', 'GITHUB.TOKEN'])
  assert.deepEqual(childEnvironment(env), all(['GH_TOKEN', 'AWS_SESSION_TOKEN']))
  passVariables(env, [])
  assert.deepEqual(childEnvironment(env), {})
})

test('a wrapped agent is given what it signs in with', () => {
  assert.deepEqual(agentEnvironment(all(['PATH', ...secret])), all(['PATH', ...secret]))
})

test('what is named as secret is given to nobody, and known to redaction', () => {
  const env: NodeJS.ProcessEnv = { ...all(['PATH', 'INNOCENT', 'GH_TOKEN']), MOOD: 'password' }
  passVariables(env, ['GH_TOKEN', 'INNOCENT'])
  env['REPRISE_SECRET_ENV_VARS'] = 'INNOCENT, GH_TOKEN,MOOD'
  assert.deepEqual(childEnvironment(env), all(['PATH']))
  assert.deepEqual(agentEnvironment(env), all(['PATH']))
  assert.deepEqual(knownFromEnv(env), [value, 'password'])
})
