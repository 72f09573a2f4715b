/**
 * Made-up secrets of many kinds in the places where agents meet them. They are drawn from shapes by a seed, and
 * their prefixes are put together here, so that no file holds one.
 */
import { randomFrom, type Random } from './random.ts'
import { BASE64, HEX, WORD, secretKinds, type MadeUp } from './secret-kinds.ts'

export type SeededSecret = {
  readonly kind: string
  readonly place: string
  readonly secret: string
  /** What must not be left of it. */
  readonly parts: readonly string[]
  readonly text: string
}

/** `count` secrets over all kinds in turn, each in every place that its kind can stand in. */
export function seededSecrets(seed: number, count: number): SeededSecret[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, at) => shapes[at % shapes.length]!).flatMap((shape) => {
    const { secret, parts } = shape.make(random)
    return Object.entries(placesOf(shape)).map(([place, put]) => ({
      kind: shape.kind,
      place,
      secret,
      parts,
      text: put(secret, random),
    }))
  })
}

const GRAM = 12

/** Those of which twelve signs in a row stand in a text, or the whole of something shorter, or all as part of a URL. */
export function leftIn(text: string, secrets: readonly SeededSecret[]): readonly SeededSecret[] {
  const owners = new Map<string, SeededSecret[]>()
  for (const each of secrets) {
    for (const part of each.parts)
      for (let at = 0; at + GRAM <= part.length; at += 1) {
        const gram = part.slice(at, at + GRAM)
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

type Shape = {
  readonly kind: string
  make(random: Random): MadeUp
  /** The name that gives the value away. */
  readonly name?: string
  /** Words without which the value is no secret. */
  wrap?(secret: string): string
}

const whole = (secret: string): MadeUp => ({ secret, parts: [secret] })

const wrapped = (
  kind: string,
  make: (random: Random) => string,
  wrap: (secret: string) => string,
): Shape => ({ kind, make: (random) => whole(make(random)), wrap })

export const shapes: readonly Shape[] = [
  ...secretKinds.map(({ kind, name, isShaped, make }) => ({
    kind,
    make,
    ...(!isShaped && { name }),
  })),
  wrapped(
    'aws-pair',
    (random) => random.text(40, BASE64),
    (secret) => `${'AK'}IA${'Q3EGRVXZ7TBNWY5K'},${secret}`,
  ),
  wrapped(
    'azure-storage',
    (random) => `${random.text(86, BASE64)}==`,
    (secret) => `DefaultEndpointsProtocol=https;AccountName=store;AccountKey=${secret};Suffix=net`,
  ),
  wrapped(
    'bearer',
    (random) => random.text(40, `${WORD}_-`),
    (secret) => `Authorization: Bearer ${secret}`,
  ),
  wrapped(
    'basic-auth',
    (random) => Buffer.from(`admin:${random.text(16, WORD)}`).toString('base64'),
    (secret) => `Authorization: Basic ${secret}`,
  ),
  wrapped(
    'database-url',
    (random) => random.text(16, WORD),
    (secret) => `postgres://app:${secret}@db.internal:5432/main`,
  ),
  wrapped(
    'npmrc',
    (random) => [8, 4, 4, 4, 12].map((length) => random.text(length, HEX)).join('-'),
    (secret) => `//registry.internal/:_${'auth'}Token=${secret}`,
  ),
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
  if (shape.wrap !== undefined || shape.make(randomFrom(1)).secret.includes('\n')) return places
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
