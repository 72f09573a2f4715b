/**
 * Made-up secrets of many kinds in the places where agents meet them. They are drawn from shapes by a seed, and
 * their prefixes are put together here, so that no file holds one.
 */

export type SeededSecret = {
  readonly kind: string
  readonly place: string
  readonly secret: string
  readonly text: string
}

/** `count` secrets over all kinds in turn, each in every place that its kind can stand in. */
export function seededSecrets(seed: number, count: number): SeededSecret[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, at) => shapes[at % shapes.length]!).flatMap((shape) => {
    const secret = shape.make(random)
    return Object.entries(placesOf(shape)).map(([place, put]) => ({
      kind: shape.kind,
      place,
      secret,
      text: put(secret, random),
    }))
  })
}

const GRAM = 12

/** Those of which twelve signs in a row stand in a text, or the whole of something shorter, or all as part of a URL. */
export function leftIn(text: string, secrets: readonly SeededSecret[]): readonly SeededSecret[] {
  const owners = new Map<string, SeededSecret[]>()
  for (const each of secrets) {
    for (let at = 0; at + GRAM <= each.secret.length; at += 1) {
      const gram = each.secret.slice(at, at + GRAM)
      const known = owners.get(gram)
      if (known === undefined) owners.set(gram, [each])
      else known.push(each)
    }
  }
  const left = new Set<SeededSecret>()
  for (let at = 0; at + GRAM <= text.length; at += 1) {
    for (const each of owners.get(text.slice(at, at + GRAM)) ?? []) left.add(each)
  }
  const isWhole = ({ secret }: SeededSecret) =>
    text.includes(encodeURIComponent(secret)) || (secret.length < GRAM && text.includes(secret))
  return secrets.filter((each) => left.has(each) || isWhole(each))
}

export type Random = {
  /** From 0 up to and without `below`. */
  next(below: number): number
  text(length: number, signs: string): string
  pick<T>(items: readonly T[]): T
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (below: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below)
  }
  return {
    next,
    text: (length, signs) => Array.from({ length }, () => signs[next(signs.length)]).join(''),
    pick: (items) => items[next(items.length)]!,
  }
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LOWER = UPPER.toLowerCase()
const DIGITS = '0123456789'
export const HEX = `${DIGITS}abcdef`
export const WORD = UPPER + LOWER + DIGITS
export const BASE64 = `${WORD}+/`
const URL64 = `${WORD}_-`

type Shape = {
  readonly kind: string
  make(random: Random): string
  /** The name that gives the value away. */
  readonly name?: string
  /** Words without which the value is no secret. */
  wrap?(secret: string): string
}

/** A shape with a prefix in two parts, which nobody who searches the file finds together. */
const prefixed = (
  kind: string,
  prefix: readonly [string, string],
  length: number,
  signs: string,
): Shape => ({ kind, make: (random) => prefix.join('') + random.text(length, signs) })

const named = (kind: string, name: string, length: number, signs: string): Shape => ({
  kind,
  name,
  make: (random) => random.text(length, signs),
})

const base64url = (text: string) => Buffer.from(text).toString('base64url')
const lines = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.text(64, BASE64)).join('\n')
const armoured = (label: string, body: string) =>
  ['-----BEGIN', ` ${label}`, '-----\n', body, '\n-----END', ` ${label}`, '-----'].join('')
const uuid = (random: Random) =>
  [8, 4, 4, 4, 12].map((length) => random.text(length, HEX)).join('-')

export const shapes: readonly Shape[] = [
  prefixed('google-api-key', ['AI', 'za'], 35, URL64),
  prefixed('google-oauth', ['GOC', 'SPX-'], 28, URL64),
  prefixed('stripe', ['sk_', 'live_'], 24, WORD),
  prefixed('stripe-restricted', ['rk_', 'live_'], 99, WORD),
  prefixed('github', ['gh', 'p_'], 36, WORD),
  prefixed('github-oauth', ['gh', 'o_'], 36, WORD),
  {
    kind: 'github-fine-grained',
    make: (random) => `${'github'}_pat_${random.text(22, WORD)}_${random.text(59, WORD)}`,
  },
  prefixed('openai', ['sk-', 'proj-'], 64, URL64),
  prefixed('openai-legacy', ['s', 'k-'], 48, WORD),
  { kind: 'anthropic', make: (random) => `sk-${'ant'}-api03-${random.text(93, URL64)}AA` },
  prefixed('npm', ['np', 'm_'], 36, WORD),
  {
    kind: 'slack',
    make: (random) =>
      `xox${'b'}-${random.text(12, DIGITS)}-${random.text(12, DIGITS)}-${random.text(24, WORD)}`,
  },
  {
    kind: 'slack-webhook',
    make: (random) =>
      `hooks.${'slack'}.com/services/T${random.text(8, UPPER)}/B${random.text(10, UPPER)}/${random.text(24, WORD)}`,
    wrap: (secret) => `https://${secret}`,
  },
  {
    kind: 'sendgrid',
    make: (random) => `${'SG'}.${random.text(22, URL64)}.${random.text(43, URL64)}`,
  },
  prefixed('twilio', ['S', 'K'], 32, HEX),
  prefixed('vault', ['hv', 's.'], 95, URL64),
  prefixed('digitalocean', ['dop', '_v1_'], 64, HEX),
  {
    kind: 'telegram',
    make: (random) =>
      `${1 + random.next(9)}${random.text(9, DIGITS)}:${'AA'}${random.text(33, URL64)}`,
  },
  {
    kind: 'discord',
    make: (random) =>
      `${base64url(`1${random.text(17, DIGITS)}`)}.${random.text(6, WORD)}.${random.text(38, URL64)}`,
  },
  {
    kind: 'discord-webhook',
    make: (random) => `/api/${'webhooks'}/1${random.text(17, DIGITS)}/${random.text(68, URL64)}`,
    wrap: (secret) => `https://discord.com${secret}`,
  },
  prefixed('square', ['sq0', 'csp-'], 43, URL64),
  prefixed('shopify', ['shp', 'at_'], 32, HEX),
  prefixed('mailgun', ['ke', 'y-'], 32, HEX),
  { kind: 'mailchimp', make: (random) => `${random.text(32, HEX)}-us${1 + random.next(20)}` },
  prefixed('aws-access-key', ['AK', 'IA'], 16, `${UPPER}234567`),
  named('aws-secret', 'AWS_SECRET_ACCESS_KEY', 40, BASE64),
  {
    kind: 'aws-pair',
    make: (random) => random.text(40, BASE64),
    wrap: (secret) => `${'AK'}IA${'Q3EGRVXZ7TBNWY5K'},${secret}`,
  },
  {
    kind: 'azure-storage',
    make: (random) => `${random.text(86, BASE64)}==`,
    wrap: (secret) =>
      `DefaultEndpointsProtocol=https;AccountName=store;AccountKey=${secret};Suffix=net`,
  },
  {
    kind: 'azure-client',
    make: (random) => `${random.text(3, WORD)}8${'Q~'}${random.text(34, `${WORD}_`)}`,
  },
  prefixed('gitlab', ['gl', 'pat-'], 20, URL64),
  prefixed('heroku', ['HR', 'KU-'], 60, URL64),
  { kind: 'heroku-legacy', name: 'HEROKU_API_KEY', make: uuid },
  named('datadog', 'DD_API_KEY', 32, HEX),
  prefixed('pypi', ['pypi-', 'AgEIcHlwaS5vcmc'], 120, URL64),
  prefixed('huggingface', ['h', 'f_'], 34, UPPER + LOWER),
  prefixed('databricks', ['da', 'pi'], 32, HEX),
  prefixed('docker', ['dckr', '_pat_'], 27, URL64),
  prefixed('figma', ['fi', 'gd_'], 48, URL64),
  prefixed('linear', ['lin', '_api_'], 40, WORD),
  prefixed('groq', ['gs', 'k_'], 52, WORD),
  {
    kind: 'notion',
    make: (random) => `${'ntn'}_${random.text(11, DIGITS)}${random.text(35, WORD)}`,
  },
  {
    kind: 'tailscale',
    make: (random) => `${'tskey'}-auth-${random.text(12, WORD)}-${random.text(32, WORD)}`,
  },
  {
    kind: 'cloudflare',
    make: (random) => `${'cfut'}_${random.text(40, WORD)}${random.text(8, HEX)}`,
  },
  {
    kind: 'grafana',
    make: (random) => `${'glsa'}_${random.text(32, WORD)}_${random.text(8, HEX)}`,
  },
  {
    kind: 'jwt',
    make: (random) =>
      [
        base64url('{"alg":"HS256","typ":"JWT"}'),
        base64url(`{"sub":"${random.text(10, DIGITS)}","scope":"all"}`),
        random.text(43, URL64),
      ].join('.'),
  },
  { kind: 'private-key', make: (random) => armoured('PRIVATE KEY', `MII${lines(random, 24)}`) },
  {
    kind: 'ssh-key',
    make: (random) =>
      armoured(`${'OPENSSH'} PRIVATE KEY`, `b3BlbnNzaC1rZXktdjE${lines(random, 6)}`),
  },
  {
    kind: 'bearer',
    make: (random) => random.text(40, URL64),
    wrap: (secret) => `Authorization: Bearer ${secret}`,
  },
  {
    kind: 'basic-auth',
    make: (random) => Buffer.from(`admin:${random.text(16, WORD)}`).toString('base64'),
    wrap: (secret) => `Authorization: Basic ${secret}`,
  },
  named('password', 'DB_PASSWORD', 14, `${WORD}!#%^*+_-`),
  named('api-key', 'API_KEY', 32, WORD),
  named('client-secret', 'OAUTH_CLIENT_SECRET', 40, URL64),
  named('token', 'SERVICE_TOKEN', 40, HEX),
  {
    kind: 'database-url',
    make: (random) => random.text(16, WORD),
    wrap: (secret) => `postgres://app:${secret}@db.internal:5432/main`,
  },
  {
    kind: 'npmrc',
    make: (random) => uuid(random),
    wrap: (secret) => `//registry.internal/:_${'auth'}Token=${secret}`,
  },
]

type Put = (secret: string, random: Random) => string

function placesOf(shape: Shape): Record<string, Put> {
  if (shape.name !== undefined) return placesOfNamed(shape.name)
  const { wrap = (secret: string) => secret } = shape
  const places: Record<string, Put> = {
    alone: wrap,
    prose: (secret) => `I found ${wrap(secret)} in the log and used it.`,
    json: (secret) => JSON.stringify({ id: 7, output: `ok\n${wrap(secret)}\nbye` }),
    'json in json': (secret) =>
      JSON.stringify({ output: JSON.stringify({ lines: `a\n${wrap(secret)}` }) }),
    shell: (secret) => `$ curl -s "${wrap(secret)}" | tee out.log\n`,
    diff: (secret) =>
      `@@ -1,2 +1,2 @@\n${wrap(secret)
        .split('\n')
        .map((line) => `-${line}`)
        .join('\n')}\n+nothing\n`,
    colour: (secret) => `\u001b[32m${wrap(secret)}\u001b[0m done`,
  }
  if (shape.wrap !== undefined || shape.make(randomFrom(1)).includes('\n')) return places
  return {
    ...places,
    code: (secret) => `const client = connect({ at: '${secret}', retries: 3 })`,
    url: (secret) => `https://host.internal/cb?code=${encodeURIComponent(secret)}&state=1`,
  }
}

const placesOfNamed = (name: string): Record<string, Put> => {
  const lower = name.toLowerCase()
  return {
    env: (secret) => `PORT=1\n${name}=${secret}\nHOST=a`,
    shell: (secret) => `$ export ${name}='${secret}' && ./run`,
    json: (secret) => JSON.stringify({ id: 7, [lower]: secret }),
    'json in json': (secret) => JSON.stringify({ output: JSON.stringify({ [name]: secret }) }),
    diff: (secret) => `@@ -1 +1 @@\n-${name}=\n+${name}=${secret}\n`,
    code: (secret) => `const settings = { ${lower}: '${secret}', retries: 3 }`,
    yaml: (secret) => `env:\n  ${name}: "${secret}"\n  PORT: 1\n`,
    url: (secret) => `https://host.internal/cb?${lower}=${encodeURIComponent(secret)}&state=1`,
  }
}
