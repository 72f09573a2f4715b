/**
 * Secrets that show what they are by their own shape: the mark that begins them, and what stands behind it. Expressions
 * are tried at a mark alone and look at a bounded number of signs before they give up, so time is linear.
 */
import type { Rule } from './range.ts'

type Shape = readonly [kind: string, marks: string, rest: RegExp, more?: More]
export type More = {
  /** What stands before the mark and belongs to the secret. */
  readonly before?: RegExp
  /** The mark may stand within any base64: letters and digits on either side rule it out. */
  readonly alone?: boolean
  readonly also?: Rule['also']
  /** What the secret holds: without it the expression has only run along something that is none. */
  readonly holds?: RegExp
}

const alone = { alone: true } as const

export const SHAPES: readonly Shape[] = [
  ['adobe', 'p8e-', /[a-z0-9]{32}/y, alone],
  ['age', 'AGE-SECRET-KEY-1', /[A-Z0-9]{58}/y],
  ['airtable', 'pat', /[A-Za-z0-9]{14}\.[0-9a-f]{64}/y, alone],
  ['alibaba', 'LTAI', /[A-Za-z0-9]{12,24}/y, alone],
  ['anthropic', 'sk-ant-', /[\w-]{20,}/y, alone],
  ['artifactory', 'AKCp', /[A-Za-z0-9]{69}/y, alone],
  ['artifactory', 'cmVmd', /[A-Za-z0-9]{59}/y, alone],
  ['atlassian', 'ATATT3 ATCTT3', /[\w=-]{60,}/y],
  ['aws-access-key', 'AKIA ASIA ABIA ACCA', /[A-Z0-9]{16}/y, alone],
  ['aws-session', 'IQoJ FwoG FQoG', /(?<![+/].{4})(?:[\w+/=-]|%2[BF]|%3D){100,4096}/y, alone],
  ['azure', 'Q~', /[\w~.-]{31,34}/y, { before: /[\w~.]{3}\d$/, alone: true }],
  ['bitbucket', 'ATBB', /[\w=.-]{28,}/y, alone],
  ['braintree', 'access_token$', /(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-f]{32}/y],
  ['braintree', 'access_token%24', /(?:production|sandbox)%24[a-z0-9]{16}%24[0-9a-f]{32}/y],
  ['brevo', 'xkeysib- xsmtpsib-', /[a-f0-9]{64}-[A-Za-z0-9]{16}/y],
  ['buildkite', 'bkua_', /[0-9a-f]{40}/y],
  ['circleci', 'CCIPAT_ CCIPRJ_', /[A-Za-z0-9]{16,32}_[0-9a-f]{40}/y],
  ['clickhouse', '4b1d', /[A-Za-z0-9]{38}/y, alone],
  ['clojars', 'CLOJARS_', /[a-z0-9]{60}/y],
  ['cloudflare', 'cfk_ cfut_ cfat_', /[A-Za-z0-9]{48}/y],
  ['cloudflare', 'v1.0-', /[a-f0-9]{24}-[a-f0-9]{146}/y, alone],
  ['contentful', 'CFPAT-', /[\w-]{43}/y],
  ['crates', 'cio', /[A-Za-z0-9]{32}/y, alone],
  ['databricks', 'dapi', /[A-Fa-f0-9]{32}(?:-\d)?/y, alone],
  ['datadog', 'ddapp_', /[A-Za-z0-9]{30,}/y],
  ['digitalocean', 'dop_v1_ doo_v1_ dor_v1_', /[0-9a-f]{64}/y],
  ['discord', '.', /[\w-]{6}\.(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[a-z])(?=[\w-]{0,40}[A-Z])[\w-]{27,40}/y, { before: /[MNO][\w-]{22,27}$/, also: [7, '.'], alone: true }], // prettier-ignore
  ['discord-webhook', '/api/webhooks/', /\d{15,22}\/[\w-]{40,}/y],
  ['discord-webhook', '%2Fapi%2Fwebhooks%2F', /\d{15,22}%2F[\w-]{40,}/y],
  ['docker', 'dckr_pat_ dckr_oat_', /[\w-]{27,}/y],
  ['doppler', 'dp.', /(?:pt|ct|sa|scim|audit|st(?:\.[\w-]{1,40})?)\.[A-Za-z0-9]{40,44}/y, alone],
  ['duffel', 'duffel_', /(?:test|live)_[\w=-]{43}/y],
  ['dynatrace', 'dt0c01. dt0s16.', /[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}/y],
  ['easypost', 'EZAK EZTK', /[A-Za-z0-9]{54}/y, alone],
  ['facebook', 'EAAM EAAC EAAB EAAG', /[A-Za-z0-9]{100,}/y, alone],
  ['figma', 'figd_', /[\w-]{40,}/y],
  ['flutterwave', 'FLWSECK', /(?:_TEST)?-[a-z0-9]{12,32}(?:-X)?/y],
  ['fly', 'fo1_ fm1a_ fm1r_ fm2_', /(?:[\w+/=-]|%2[BF]|%3D){43,4096}/y, alone],
  ['frameio', 'fio-u-', /[\w=-]{64}/y],
  ['github', 'ghp_ gho_ ghu_ ghs_ ghr_', /[A-Za-z0-9]{36,}/y],
  ['github', 'ghs_', /\d{1,20}_[\w-]+(?:\.[\w-]+\.[\w-]+)?/y, { holds: /\../ }],
  ['github', 'github_pat_', /\w{36,}/y],
  ['gitlab', 'glpat- gldt- glrt- glcbt- glptt- gloas- glsoat- glffct- glft- glimt- glagent- GR1348941', /[\w-]{20,}(?:\.\w+)*/y], // prettier-ignore
  ['gitlab', '_gitlab_session=', /[0-9a-z]{32}/y],
  ['google-api-key', 'AIza', /[\w-]{35,36}/y, alone],
  ['google-oauth', 'GOCSPX-', /[\w-]{24,}/y],
  ['google-oauth', 'ya29.', /[\w-]{20,}/y],
  ['grafana', 'glsa_', /[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}/y],
  ['grafana', 'glc_', /(?:[\w+/=-]|%2[BF]|%3D){32,4096}/y, alone],
  ['grafana', 'eyJrIjoi', /[A-Za-z0-9]{70,}={0,3}/y, alone],
  ['groq', 'gsk_', /[A-Za-z0-9]{48,}/y],
  ['harness', 'pat. sat.', /[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/y, alone],
  ['heroku', 'HRKU-', /[\w-]{32,}/y],
  ['hubspot', 'pat-', /(?:na|eu)\d-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/y, alone],
  ['huggingface', 'hf_', /[A-Za-z0-9]{34,}/y, alone],
  ['huggingface', 'api_org_', /[A-Za-z]{34}/y],
  ['infracost', 'ico-', /[A-Za-z0-9]{32}/y, alone],
  ['intra42', 's-s4t2ud- s-s4t2af-', /[0-9a-f]{64}/y],
  ['jwt', 'eyJ', /[\w-]{8,}(?:\.(?:eyJ[\w-]{4,}\.[\w-]{16,}|[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}))?/y, { holds: /\../ }], // prettier-ignore
  ['jwt', 'ZXlKaGJHY2lPaU ZXlKMGVYQWlPaU ZXlKcmFXUWlP', /[\w+/=-]{60,}/y, alone],
  ['langsmith', 'lsv2_pt_ lsv2_sk_', /[0-9a-f]{32}_[0-9a-f]{10}/y],
  ['linear', 'lin_api_ lin_oauth_', /\w{32,}/y],
  ['mailchimp', '-us', /\d{1,2}/y, { before: /[0-9a-f]{32}$/, alone: true }],
  ['mailersend', 'mlsn.', /[0-9a-f]{64}/y],
  ['mailgun', 'key-', /[0-9a-f]{32}/y, alone],
  ['mapbox', 'sk.eyJ', /[\w-]{40,1024}\.[\w-]{20,}/y, alone],
  ['maxmind', '_mmk', /(?!\w)/y, { before: /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}$/, alone: true }],
  ['neon', 'napi_', /[a-z0-9]{40,}/y],
  ['netlify', 'nfp_ nfc_ nfo_ nfu_', /[A-Za-z0-9]{36,}/y, alone],
  ['newrelic', 'NRAK-', /[A-Z0-9]{27}/y],
  ['newrelic', 'NRJS- NRII-', /[\w-]{19,32}/y],
  ['notion', 'ntn_', /\d{11}[A-Za-z0-9]{35}/y],
  ['npm', 'npm_', /[A-Za-z0-9]{36}/y, alone],
  ['nuget', 'oy2', /[a-z0-9]{43}/y, alone],
  ['nvidia', 'nvapi-', /[\w-]{60,}/y],
  ['octopus', 'API-', /[A-Z0-9]{26}/y, alone],
  ['onepassword', 'ops_eyJ', /(?:[\w+/=-]|%2[BF]|%3D){100,4096}/y],
  ['onepassword', 'A3-', /[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/y, alone], // prettier-ignore
  ['openai', 'sk-', /(?:(?:proj|svcacct|admin|None|or-v1|lf)-[\w-]{20,}|[A-Za-z0-9]{32,})/y, alone],
  ['openshift', 'sha256~', /[\w-]{43}/y],
  ['password-hash', ':$1$ :$5$ :$6$ :$y$ :$2a$ :$2b$ :$2y$ :$apr1$', /[A-Za-z0-9./$=,]{20,}/y],
  ['perplexity', 'pplx-', /[A-Za-z0-9]{40,}/y],
  ['pinecone', 'pcsk_', /[\w-]{40,}/y],
  ['plaid', 'access-', /(?:sandbox|development|production)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/y], // prettier-ignore
  ['planetscale', 'pscale_tkn_ pscale_oauth_ pscale_pw_', /[\w=.-]{32,64}/y],
  ['posthog', 'phx_', /[A-Za-z0-9]{40,}/y, alone],
  ['postman', 'PMAK-', /[\w-]{50,}/y],
  ['prefect', 'pnu_ pnb_', /[A-Za-z0-9]{36}/y, alone],
  ['pulumi', 'pul-', /[0-9a-f]{40}/y, alone],
  ['pypi', 'pypi-AgE', /[\w-]{50,}/y],
  ['readme', 'rdme_', /[a-z0-9]{70}/y],
  ['replicate', 'r8_', /[A-Za-z0-9]{37,}/y, alone],
  ['resend', 're_', /[A-Za-z0-9]{8}_[A-Za-z0-9]{24}/y, alone],
  ['rubygems', 'rubygems_', /[0-9a-f]{48}/y],
  ['scalingo', 'tk-us-', /[\w-]{48}/y, alone],
  ['sendgrid', 'SG.', /[\w-]{16,32}\.[\w-]{16,64}/y, alone],
  ['sentry', 'sntrys_ sntryu_', /(?:[\w+/=-]|%2[BF]|%3D){32,4096}/y],
  ['settlemint', 'sm_aat_ sm_pat_ sm_sat_', /[A-Za-z0-9]{16}/y],
  ['shippo', 'shippo_live_ shippo_test_', /[A-Fa-f0-9]{40}/y],
  ['shopify', 'shpat_ shpca_ shppa_ shpss_', /[A-Za-z0-9]{32,}/y],
  ['slack', 'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xoxe.xoxb- xoxe.xoxp-', /[\w%-]{10,}/y], // prettier-ignore
  ['slack-webhook', 'hooks.slack.com/ hooks.slack.com%2F', /(?:services|workflows|triggers)(?:\/|%2F)[\w/%+]{20,}/y], // prettier-ignore
  ['sonar', 'squ_ sqp_ sqa_', /[0-9a-f]{40}/y, alone],
  ['sourcegraph', 'sgp_', /(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40}/y, alone],
  ['square', 'sq0', /[a-z]{3}-[\w-]{22,}/y],
  ['square', 'EAAA', /[\w-]{60}/y, alone],
  ['stripe', 'sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_', /[A-Za-z0-9]{16,}/y],
  ['supabase', 'sbp_ sb_secret_', /[\w-]{22,}/y],
  ['tailscale', 'tskey-', /[a-z]{2,20}-[\w-]{16,}/y],
  ['tavily', 'tvly-', /[\w-]{32,}/y],
  ['teams-webhook', 'webhook.office.com/webhookb2/ webhook.office.com%2Fwebhookb2%2F', /[\w@/%-]{60,}/y], // prettier-ignore
  ['telegram', ':AA %3AAA', /[\w-]{32,34}/y, { before: /(?:bot)?\d{6,12}:{0,2}$/, alone: true }],
  ['terraform', '.atlasv1.', /[\w=-]{60,}/y, { before: /[A-Za-z0-9]{14}$/, alone: true }],
  ['twilio', 'SK', /[0-9a-f]{32}/y, alone],
  ['typeform', 'tfp_', /[\w.=-]{40,}/y, alone],
  ['vault', 'hvs. hvb. hvr.', /[\w-]{24,}/y],
  ['vercel', 'vcp_ vci_ vca_ vcr_ vck_', /[A-Za-z0-9]{20,}/y, alone],
  ['webhook-secret', 'whsec_', /(?:[\w+/=-]|%2[BF]|%3D){20,4096}/y],
  ['xai', 'xai-', /[A-Za-z0-9]{70,}/y, alone],
  ['yandex', 'AQVN', /[\w-]{35,38}/y, alone],
  ['yandex', 't1.', /[\w-]{20,400}={0,2}\.[\w-]{86}={0,2}/y, alone],
  ['zoho', '1000.', /[0-9a-f]{32}\.[0-9a-f]{32}/y, alone],
]
