/**
 * The rules of secretlint's recommended preset, called one by one and in place. Its core is not used: it is
 * asynchronous without need, and its profiler keeps a hundred marks for each text for as long as the process lives.
 */
import { RANK, rangeOf, type Range } from './range.ts'

/** Rule -> what it finds, and the marks without which it finds nothing. */
export const presetMarks: Readonly<Record<string, { kind: string; marks: readonly string[] }>> = {
  npm: { kind: 'npm', marks: ['npm_'] },
  slack: {
    kind: 'slack',
    marks: ['xoxa-', 'xoxb-', 'xoxo-', 'xoxp-', 'xoxr-', 'xapp-', 'hooks.slack.com/'],
  },
  sendgrid: { kind: 'sendgrid', marks: ['SG.'] },
  shopify: { kind: 'shopify', marks: ['shpat_', 'shpca_', 'shppa_', 'shpss_'] },
  stripe: { kind: 'stripe', marks: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'] },
  github: { kind: 'github', marks: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'] },
  gitlab: { kind: 'gitlab', marks: ['glpat-'] },
  grafana: { kind: 'grafana', marks: ['glc_', 'glsa_'] },
  openai: { kind: 'openai', marks: ['sk-'] },
  anthropic: { kind: 'anthropic', marks: ['sk-'] },
  groq: { kind: 'groq', marks: ['gsk_'] },
  huggingface: { kind: 'huggingface', marks: ['hf_'] },
  linear: { kind: 'linear', marks: ['lin_api_'] },
  notion: { kind: 'notion', marks: ['ntn_'] },
  '1password': { kind: 'onepassword', marks: ['ops_'] },
  'hashicorp-vault': { kind: 'vault', marks: ['hvs.', 'hvb.', 'hvr.'] },
  vercel: { kind: 'vercel', marks: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'] },
  databricks: { kind: 'databricks', marks: ['dapi'] },
  docker: { kind: 'docker', marks: ['dckr_pat_'] },
  figma: { kind: 'figma', marks: ['figd_'] },
  cloudflare: { kind: 'cloudflare', marks: ['cfk_', 'cfut_', 'cfat_'] },
  tailscale: { kind: 'tailscale', marks: ['tskey-'] },
}

/** Rules that are left out, and why. */
export const presetLeftOut: Readonly<Record<string, string>> = {
  aws: 'its range begins at the name and has the length of the value, so that the end of the secret stays',
  basicauth: 'its range is the whole URL; ours is the password',
  'database-connection-string': 'its range is the whole URL; ours is the password',
  privatekey: 'wants a certain first byte and an end; ours hides a key that was cut too',
  gcp: 'looks at files',
  'filter-comments': 'lets a comment in the text switch the others off',
}

export type PresetScan = (rule: string, text: string) => Range[]

/** The part of a rule that is called. The preset's own types lead to packages that it does not bring along. */
type Rule = {
  readonly meta: { readonly id: string }
  create(context: object, options: object): { file?(source: object): unknown }
}

export async function loadPreset(): Promise<PresetScan> {
  const preset = await import('@secretlint/secretlint-rule-preset-recommend')
  const rules = preset.rules as unknown as readonly Rule[]
  const byName = new Map(rules.map((rule) => [presetName(rule.meta.id), rule]))
  return (name, content) => {
    const found: Range[] = []
    const kind = presetMarks[name]?.kind ?? name
    const context = {
      sharedOptions: {},
      createTranslator: () => (messageId: string) => ({ message: '', messageId }),
      report: ({ range: [start, end] }: { range: readonly [number, number] }) => {
        found.push(rangeOf(start, end, kind, RANK.token))
      },
      ignore: () => {},
    }
    // Synchronous in every rule of the table. The path keeps the npm rule from its looks at package files.
    byName.get(name)?.create(context, {}).file?.({ content, filePath: 'text', ext: '' })
    return found
  }
}

export const presetName = (id: string): string => id.replace('@secretlint/secretlint-rule-', '')
