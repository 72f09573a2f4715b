/**
 * Kinds of secrets, each by a template from which made-up values are drawn: `<w36>` stands for 36 letters or digits.
 * No value of any kind is written down here.
 */
import { randomFrom, type Random } from './random.ts'

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'
export const HEX = `${DIGITS}abcdef`
export const WORD = `${UPPER}${UPPER.toLowerCase()}${DIGITS}`
export const BASE64 = `${WORD}+/`

const SIGNS: Readonly<Record<string, string>> = {
  w: WORD,
  u: `${WORD}_-`,
  h: HEX,
  d: DIGITS,
  a: `${UPPER.toLowerCase()}${DIGITS}`,
  A: `${UPPER}${DIGITS}`,
  L: UPPER,
  b: BASE64,
  p: `${WORD}!#%^*+_-`,
}

/** What shows what it is by its own shape, wherever it stands. */
const SHAPED = `
adobe p8e-<a32>
age AGE-SECRET-KEY-1<A58>
airtable pat<w14>.<h64>
alibaba LTAI<w20>
anthropic sk-ant-api03-<u93>AA
artifactory AKCp<w69>
artifactory-reference cmVmd<w59>
atlassian ATATT3xFfGF0<u60>=<A8>
aws-access-key AKIA<A16>
aws-session IQoJb3JpZ2lu<b300>=
aws-temporary ASIA<A16>
azure-client <w3>8Q~<w34>
bitbucket ATBB<w32>
braintree access_token$production$<a16>$<h32>
brevo xkeysib-<h64>-<w16>
buildkite bkua_<h40>
circleci CCIPAT_<w22>_<h40>
clickhouse 4b1d<w38>
clojars CLOJARS_<a60>
cloudflare cfut_<w40><h8>
cloudflare-origin v1.0-<h24>-<h146>
contentful CFPAT-<u43>
crates cio<w32>
databricks dapi<h32>
digitalocean dop_v1_<h64>
digitalocean-oauth doo_v1_<h64>
discord M<w23>.G<w5>.<u38>
discord-webhook https://discord.com/api/webhooks/1<d17>/<u68>
docker dckr_pat_<u27>
docker-organisation dckr_oat_<u32>
doppler dp.pt.<w43>
doppler-service dp.st.prd.<w43>
duffel duffel_live_<u43>
dynatrace dt0c01.<A24>.<A64>
easypost EZAK<w54>
facebook EAAC<w180>
figma figd_<u48>
flutterwave FLWSECK-<h32>-X
fly fm2_<b140>
frameio fio-u-<u64>
github ghp_<w36>
github-app ghs_<w36>
github-fine-grained github_pat_<w22>_<w59>
github-oauth gho_<w36>
gitlab glpat-<u20>
gitlab-agent glagent-<u50>
gitlab-deploy gldt-<u20>
gitlab-feed glft-<u20>
gitlab-runner GR1348941<u20>
google-api-key AIza<u35>
google-oauth GOCSPX-<u28>
google-access ya29.<u120>
grafana glsa_<w32>_<h8>
grafana-cloud glc_<b120>
groq gsk_<w52>
harness pat.<u22>.<w24>.<w20>
heroku HRKU-AA<u58>
hubspot pat-na1-<U>
huggingface hf_<w34>
infracost ico-<w32>
jwt eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIx<w40>.<u43>
langsmith lsv2_pt_<h32>_<h10>
linear lin_api_<w40>
mailchimp <h32>-us1<d1>
mailgun key-<h32>
mapbox sk.eyJ1Ijoi<w60>.<u22>
maxmind <w6>_<w29>_mmk
neon napi_<a64>
netlify nfp_<w36>
newrelic NRAK-<A27>
notion ntn_<d11><w35>
npm npm_<w36>
nuget oy2<a43>
nvidia nvapi-<u64>
octopus API-<A26>
onepassword ops_eyJ<b260>
openai sk-proj-<u64>
openai-legacy sk-<w48>
openrouter sk-or-v1-<h64>
openshift sha256~<u43>
perplexity pplx-<w48>
pinecone pcsk_<w5>_<w63>
plaid access-production-<U>
planetscale pscale_tkn_<u43>
planetscale-oauth pscale_oauth_<u43>
planetscale-password pscale_pw_<u43>
posthog phx_<w43>
postman PMAK-<h24>-<h34>
prefect pnu_<w36>
private-key -----BEGIN <P> KEY-----\\nMII<b61>\\n<b64>\\n<b64>\\n-----END <P> KEY-----
pulumi pul-<h40>
putty-key Private-Lines: 2\\n<b64>\\n<b40>=\\nPrivate-MAC: <h64>
pypi pypi-AgEIcHlwaS5vcmc<u120>
readme rdme_<a70>
replicate r8_<w37>
resend re_<w8>_<w24>
rubygems rubygems_<h48>
scalingo tk-us-<u48>
sendgrid SG.<u22>.<u43>
sentry sntrys_<b120>_<b43>
sentry-user sntryu_<h64>
shippo shippo_live_<h40>
shopify shpat_<h32>
slack xoxb-<d12>-<d12>-<w24>
slack-app xapp-1-A<A10>-<d13>-<h64>
slack-webhook https://hooks.slack.com/services/T<L8>/B<L10>/<w24>
sonar squ_<h40>
sourcegraph sgp_<h40>
square sq0csp-<u43>
ssh-key -----BEGIN OPENSSH <P> KEY-----\\nb3BlbnNzaC1rZXktdjE<b50>\\n<b64>\\n<b40>\\n-----END OPENSSH <P> KEY-----
stripe sk_live_<w24>
stripe-restricted rk_live_<w99>
supabase sbp_<h40>
tailscale tskey-auth-<w12>-<w32>
tavily tvly-<w32>
teams-webhook https://contoso.webhook.office.com/webhookb2/<U>@<U>/IncomingWebhook/<h32>/<U>
telegram 7<d9>:AA<u33>
telegram-url https://api.telegram.org/bot7<d9>:AA<u33>/getMe
terraform <w14>.atlasv1.<u67>
twilio SK<h32>
typeform tfp_<u59>
vault hvs.<u95>
vault-batch hvb.<u140>
vercel vcp_<w40>
webhook-secret whsec_<b32>
xai xai-<w80>
yandex AQVN<u36>
zoho 1000.<h32>.<h32>
`

/** What only the words around it tell: the name of a variable for each. */
const NAMED = `
alphanumeric SERVICE_TOKEN <w40>
api-key API_KEY <w32>
aws-secret AWS_SECRET_ACCESS_KEY <b40>
client-secret OAUTH_CLIENT_SECRET <u40>
cohere COHERE_API_KEY <w40>
datadog DD_API_KEY <h32>
fastly FASTLY_API_TOKEN <u32>
heroku-legacy HEROKU_API_KEY <U>
hex-token DEPLOY_TOKEN <h40>
mistral MISTRAL_API_KEY <w32>
password DB_PASSWORD <p14>
signing-key SIGNING_KEY <h64>
snyk SNYK_TOKEN <U>
twilio-auth TWILIO_AUTH_TOKEN <h32>
`

export type SecretKind = {
  readonly kind: string
  readonly isShaped: boolean
  /** The name of a variable that holds it. */
  readonly name: string
  make(random: Random): MadeUp
}

/** A value, and the parts of it that were drawn: what must not be left of it. */
export type MadeUp = { readonly secret: string; readonly parts: readonly string[] }

const shaped = (line: string): SecretKind => {
  const [kind = '', template = ''] = line.split(/ (.*)/)
  const name = `${kind.replaceAll('-', '_').toUpperCase()}_TOKEN`
  return { kind, isShaped: true, name, make: (random) => drawn(template, random) }
}

const named = (line: string): SecretKind => {
  const [kind = '', name = '', template = ''] = line.split(' ')
  return { kind, isShaped: false, name, make: (random) => drawn(template, random) }
}

const SHORTEST_PART = 10

function drawn(template: string, random: Random): MadeUp {
  const parts: string[] = []
  const secret = template
    .replaceAll('\\n', '\n')
    .replaceAll('<P>', ['PRI', 'VATE'].join(''))
    .replaceAll('<U>', '<h8>-<h4>-<h4>-<h4>-<h12>')
    .replace(/<(\w)(\d+)>/g, (_, signs: string, length: string) => {
      const part = random.text(Number(length), SIGNS[signs] ?? '')
      if (part.length >= SHORTEST_PART) parts.push(part)
      return part
    })
  return { secret, parts }
}

export const secretKinds: readonly SecretKind[] = [
  ...SHAPED.trim().split('\n').map(shaped),
  ...NAMED.trim().split('\n').map(named),
]

type Put = (secret: string, kind: SecretKind) => string

const flagOf = (name: string) => name.split('_').slice(-2).join('-').toLowerCase()

/** The places in which every kind is looked for. What has no shape is given its name in all but the first. */
const COLUMNS: Readonly<Record<string, Put>> = {
  bare: (secret) => secret,
  'NAME=value': (secret, { name }) => `${name}=${secret.includes('\n') ? `"${secret}"` : secret}`,
  JSON: (secret, { name }) => JSON.stringify({ id: 7, [name.toLowerCase()]: secret }),
  URL: (secret, { isShaped, name }) =>
    `https://host.internal/cb?${isShaped ? 'code' : name.toLowerCase()}=${encodeURIComponent(secret)}&state=1`,
  command: (secret, { isShaped, name }) =>
    `$ tool login ${isShaped ? '' : `--${flagOf(name)} `}'${secret}' --now`,
}

export type CorpusEntry = {
  readonly kind: string
  readonly isShaped: boolean
  readonly column: string
  readonly text: string
  readonly parts: readonly string[]
}

/** Every kind, three values each, in every place. */
export function secretCorpus(seed: number): CorpusEntry[] {
  const random = randomFrom(seed)
  return secretKinds.flatMap((kind) =>
    Array.from({ length: 3 }, () => kind.make(random)).flatMap(({ secret, parts }) =>
      Object.entries(COLUMNS)
        .filter(([column]) => column !== 'URL' || !secret.includes('\n'))
        .map(([column, put]) => ({
          kind: kind.kind,
          isShaped: kind.isShaped,
          column,
          text: put(secret, kind),
          parts,
        })),
    ),
  )
}

/** Whether ten signs in a row of what was drawn stand in a text, as they are or as part of a URL. */
export function isLeft(text: string, { parts }: Pick<CorpusEntry, 'parts'>): boolean {
  const plain = text.replaceAll('%2B', '+').replaceAll('%2F', '/')
  return parts.some((part) => {
    for (let at = 0; at + SHORTEST_PART <= part.length; at += 1)
      if (plain.includes(part.slice(at, at + SHORTEST_PART))) return true
    return false
  })
}
