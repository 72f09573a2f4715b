/**
 * Secrets that show what they are by their own shape. Each rule names the marks without which it cannot match, so
 * that the expression, in RE2 syntax and linear in time, runs only near one of them.
 */

export type TokenRule = {
  readonly kind: string
  /** Literal signs, one of which every match holds. No mark begins another. */
  readonly marks: readonly string[]
  readonly pattern: string
  /** How far before its mark a match may begin. */
  readonly before?: number
  /** How far behind its mark a match is looked for. A match that touches this end is followed to its own. */
  readonly span?: number
  /** The mark may stand within any base64: letters and digits on either side of the match rule it out. */
  readonly alone?: boolean
}

const WORD = '[A-Za-z0-9]'
const URL64 = '[A-Za-z0-9_-]'

export const tokenRules: readonly TokenRule[] = [
  { kind: 'google-api-key', marks: ['AIza'], pattern: `AIza${URL64}{35,36}`, alone: true },
  { kind: 'google-oauth', marks: ['GOCSPX-'], pattern: `GOCSPX-${URL64}{24,}` },
  { kind: 'google-oauth', marks: ['ya29.'], pattern: `ya29\\.${URL64}{20,}` },
  {
    kind: 'stripe',
    marks: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'],
    pattern: `[sr]k_(?:live|test)_${WORD}{16,}`,
  },
  { kind: 'webhook-secret', marks: ['whsec_'], pattern: 'whsec_[A-Za-z0-9+/=_-]{20,}' },
  {
    kind: 'jwt',
    marks: ['eyJ'],
    pattern: `eyJ${URL64}{8,}\\.(?:eyJ${URL64}{4,}\\.${URL64}{16,}|${URL64}*\\.${URL64}{8,}\\.${URL64}{8,}\\.${URL64}{8,})`,
    span: 4096,
  },
  {
    kind: 'github',
    marks: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: `gh[pousr]_(?:${WORD}{36,}|[0-9]{1,20}_${URL64}+\\.${URL64}+\\.${URL64}+)`,
  },
  { kind: 'github', marks: ['github_pat_'], pattern: 'github_pat_[A-Za-z0-9_]{36,}' },
  {
    kind: 'openai',
    marks: ['sk-'],
    pattern: `sk-(?:(?:proj|svcacct|admin|None|or-v1|lf)-${URL64}{20,}|${WORD}{32,})`,
    alone: true,
  },
  { kind: 'anthropic', marks: ['sk-'], pattern: `sk-ant-${URL64}{20,}`, alone: true },
  { kind: 'npm', marks: ['npm_'], pattern: `npm_${WORD}{36}`, alone: true },
  {
    kind: 'slack',
    marks: [
      'xoxa-',
      'xoxb-',
      'xoxc-',
      'xoxd-',
      'xoxe-',
      'xoxo-',
      'xoxp-',
      'xoxr-',
      'xoxs-',
      'xapp-',
    ],
    pattern: '(?:xox[a-es]|xox[opr]|xapp)-[A-Za-z0-9%-]{10,}',
  },
  {
    kind: 'slack-webhook',
    marks: ['hooks.slack.com/'],
    pattern: 'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}',
  },
  {
    kind: 'sendgrid',
    marks: ['SG.'],
    pattern: `SG\\.${URL64}{16,32}\\.${URL64}{16,64}`,
    alone: true,
  },
  { kind: 'twilio', marks: ['SK'], pattern: 'SK[0-9a-f]{32}', alone: true },
  { kind: 'vault', marks: ['hvs.', 'hvb.', 'hvr.'], pattern: `hv[sbr]\\.${URL64}{24,}` },
  {
    kind: 'digitalocean',
    marks: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    pattern: 'do[opr]_v1_[0-9a-f]{64}',
  },
  {
    kind: 'telegram',
    marks: [':AA', '%3AAA'],
    pattern: `[0-9]{8,10}:{1,3}AA${URL64}{32,34}`,
    before: 10,
    alone: true,
  },
  {
    kind: 'discord-webhook',
    marks: ['/api/webhooks/'],
    pattern: `/api/webhooks/[0-9]{15,22}/${URL64}{40,}`,
  },
  { kind: 'square', marks: ['sq0'], pattern: `sq0[a-z]{3}-${URL64}{22,}` },
  { kind: 'square', marks: ['EAAA'], pattern: `EAAA${URL64}{60}`, alone: true },
  {
    kind: 'shopify',
    marks: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    pattern: `shp(?:at|ca|pa|ss)_${WORD}{32,}`,
  },
  { kind: 'mailgun', marks: ['key-'], pattern: 'key-[0-9a-f]{32}', alone: true },
  {
    kind: 'mailchimp',
    marks: ['-us1', '-us2', '-us3', '-us4', '-us5', '-us6', '-us7', '-us8', '-us9'],
    pattern: '[0-9a-f]{32}-us[0-9]{1,2}',
    before: 32,
    alone: true,
  },
  {
    kind: 'aws-access-key',
    marks: ['AKIA', 'ASIA'],
    pattern: 'A[KS]IA[A-Z0-9]{16}',
    alone: true,
  },
  {
    kind: 'azure',
    marks: ['Q~'],
    pattern: '[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}',
    before: 4,
    alone: true,
  },
  {
    kind: 'gitlab',
    marks: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'gloas-', 'glsoat-'],
    pattern: `gl(?:pat|dt|rt|cbt|ptt|oas|soat)-${URL64}{20,}(?:\\.${URL64}+)*`,
  },
  { kind: 'heroku', marks: ['HRKU-'], pattern: `HRKU-${URL64}{32,}` },
  { kind: 'pypi', marks: ['pypi-AgE'], pattern: `pypi-AgE${URL64}{50,}` },
  { kind: 'huggingface', marks: ['hf_'], pattern: `hf_${WORD}{34,}`, alone: true },
  { kind: 'replicate', marks: ['r8_'], pattern: `r8_${WORD}{37,}`, alone: true },
  { kind: 'xai', marks: ['xai-'], pattern: `xai-${WORD}{70,}`, alone: true },
  { kind: 'perplexity', marks: ['pplx-'], pattern: `pplx-${WORD}{40,}` },
  { kind: 'datadog', marks: ['ddapp_'], pattern: `ddapp_${WORD}{30,}` },
  { kind: 'newrelic', marks: ['NRAK-'], pattern: 'NRAK-[A-Z0-9]{27}' },
  { kind: 'sentry', marks: ['sntrys_', 'sntryu_'], pattern: 'sntry[su]_[A-Za-z0-9+/=_]{32,}' },
  { kind: 'supabase', marks: ['sbp_', 'sb_secret_'], pattern: `sb(?:p|_secret)_${URL64}{22,}` },
  { kind: 'postman', marks: ['PMAK-'], pattern: `PMAK-${URL64}{50,}` },
  { kind: 'atlassian', marks: ['ATATT3'], pattern: 'ATATT3[A-Za-z0-9_=-]{60,}' },
  {
    kind: 'password-hash',
    marks: [':$1$', ':$5$', ':$6$', ':$y$', ':$2a$', ':$2b$', ':$2y$', ':$apr1$'],
    pattern: ':\\$(?:[156y]|2[aby]|apr1)\\$[A-Za-z0-9./$=,]{20,}',
  },
  { kind: 'age', marks: ['AGE-SECRET-KEY-1'], pattern: 'AGE-SECRET-KEY-1[A-Z0-9]{58}' },
]
