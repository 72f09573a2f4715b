/** Texts as sessions hold them, drawn by a seed, without a secret and with much that looks like one. */
import { randomFrom, type Random } from './random.ts'
import { BASE64, HEX, WORD } from './secret-kinds.ts'

export function cleanEvents(seed: number, count: number): string[] {
  const random = randomFrom(seed)
  const kinds = Object.values(writers)
  return Array.from({ length: count }, (_, at) => kinds[at % kinds.length]!(random))
}

const NOUNS =
  'session token secret password key user cache event turn model agent lease parser buffer credential header query login request index'.split(
    ' ',
  )
const VERBS =
  'read write parse refresh rotate check load store compare hide trim fold open close'.split(' ')

const noun = (random: Random) => random.pick(NOUNS)
const verb = (random: Random) => random.pick(VERBS)
const big = (word: string) => word[0]!.toUpperCase() + word.slice(1)
const camel = (random: Random) => verb(random) + big(noun(random)) + big(noun(random))
const hex = (random: Random, length: number) => random.text(length, HEX)
const uuid = (random: Random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-')
const many = (random: Random, most: number, write: () => string) =>
  Array.from({ length: 1 + random.next(most) }, write)

const statements: readonly ((random: Random) => string)[] = [
  (random) => `const ${noun(random)} = await ${camel(random)}(${noun(random)}.${noun(random)}Id)`,
  (random) =>
    `  password: ${random.pick(['string', 'user.password', 'z.string().min(12)', 'undefined'])},`,
  (random) => `  apiKey: process.env.${noun(random).toUpperCase()}_API_KEY,`,
  (random) => `if (token.kind === SyntaxKind.${camel(random)}Token) return ${camel(random)}(token)`,
  (random) =>
    `export const ${noun(random).toUpperCase()}_KEY = '${noun(random)}-${noun(random)}-v${random.next(9)}'`,
  (random) => `headers.set('Authorization', \`Bearer \${${camel(random)}(token)}\`)`,
  (random) =>
    `"maxTokens": ${random.next(100000)}, "tokenCount": ${random.next(1e9)}, "secretName": "app/${noun(random)}"`,
  (random) => `throw new Error('${big(verb(random))} failed: password must have 12 signs')`,
  (random) =>
    `<input type="password" name="password" placeholder="${noun(random)}" autocomplete="new-password" />`,
  (random) =>
    `self.${noun(random)}_key = kwargs.get("${noun(random)}_key", DEFAULT_${noun(random).toUpperCase()}_KEY)`,
  (random) => `assert.equal(hash('sha256', ${noun(random)}), '${hex(random, 64)}')`,
  (random) =>
    `docker run -u 1000:1000 -e TOKEN -e API_KEY=$API_KEY image@sha256:${hex(random, 64)}`,
  (random) =>
    `psql postgres://localhost:5432/${noun(random)} && git clone git@github.com:org/${noun(random)}.git`,
  (random) => `  token: \${{ secrets.${noun(random).toUpperCase()}_TOKEN }}`,
  () => `DB_PASSWORD=\${DB_PASSWORD:?} SECRET_KEY=<your key here> TOKEN=$(cat token.txt)`,
  (random) => `secretKeyRef: { name: ${noun(random)}-secret, key: ${noun(random)}-password }`,
  (random) =>
    `foreign_key=${noun(random)}_id primary_key=${noun(random)}_uuid_v${random.next(9)} sort_key=${camel(random)}2`,
]

const paragraph = (random: Random) =>
  many(
    random,
    8,
    () =>
      `The ${noun(random)} ${verb(random)}s the ${noun(random)}, so a ${noun(random)} token: ${verb(random)} it, then ${verb(random)} the password again.`,
  ).join(' ')

const writers: Readonly<Record<string, (random: Random) => string>> = {
  code: (random) => many(random, 30, () => random.pick(statements)(random)).join('\n'),
  prose: paragraph,
  hashes: (random) =>
    many(
      random,
      20,
      () => `${hex(random, random.pick([32, 40, 64]))}  src/${noun(random)}/${camel(random)}.ts`,
    ).join('\n'),
  uuids: (random) =>
    JSON.stringify({
      id: uuid(random),
      parentId: uuid(random),
      interactionId: uuid(random),
      toolCallId: `call_${random.text(24, WORD)}`,
    }),
  image: (random) => `data:image/png;base64,${random.text(500 + random.next(4000), BASE64)}=`,
  lock: (random) =>
    many(random, 12, () =>
      JSON.stringify({
        version: `${random.next(9)}.${random.next(30)}.${random.next(9)}`,
        resolved: `https://registry.example/${noun(random)}-${verb(random)}/-/${noun(random)}.tgz`,
        integrity: `sha512-${random.text(86, BASE64)}==`,
      }),
    ).join(',\n'),
  minified: (random) =>
    many(random, 60, () => {
      const [a, b, c] = [random.text(1, 'abcdefg'), random.text(2, WORD), camel(random)]
      return `function ${a}(${b}){return ${b}.token=${c}(${b}.key),${b}.password||(${a}.secret={key:${b}})}`
    }).join(';'),
  log: (random) =>
    many(
      random,
      20,
      () =>
        `2026-05-0${1 + random.next(9)}T10:00:0${random.next(9)}.${random.next(999)}Z INFO [${hex(random, 16)}] ${camel(random)} took ${random.next(900)} ms, key=${noun(random)}:${random.next(9999)}`,
    ).join('\n'),
  diff: (random) =>
    [
      `index ${hex(random, 7)}..${hex(random, 7)} 100644`,
      ...many(random, 20, () => random.pick(['-', '+', ' ']) + random.pick(statements)(random)),
    ].join('\n'),
  event: (random) =>
    JSON.stringify({
      type: 'tool.execution_complete',
      id: uuid(random),
      data: {
        toolCallId: `toolu_${random.text(22, WORD)}`,
        result: { content: paragraph(random) },
      },
    }),
  urls: (random) =>
    many(
      random,
      10,
      () =>
        `https://host.example/${noun(random)}/${hex(random, 40)}?page=${random.next(99)}&sort_key=${noun(random)}&next_token_page=${random.next(99)}#${camel(random)}`,
    ).join('\n'),
  source: (random) =>
    `//# sourceMappingURL=data:application/json;base64,${random.text(300 + random.next(2000), BASE64)}`,
}
