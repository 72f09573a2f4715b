import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanEvents } from '../../../test/support/clean-events.ts'
import { randomFrom } from '../../../test/support/random.ts'
import { seededSecrets, shapes } from '../../../test/support/seeded-secrets.ts'
import { createRedactor } from './redact.ts'
import { RULES } from './scan.ts'

const key = new Uint8Array(32).fill(7)
const redactor = createRedactor({ key })
const random = randomFrom(11)
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
const github = `gh${'p'}_${random.text(36, LETTERS)}`

const AWS_ID = `AK${'IA'}${random.text(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`

/** The text with every hash left out. */
const redacted = (text: string) => redactor.redactText(text).text.replace(/:[0-9a-f]{4}\]/g, ']')

test('the placeholder names the kind, is the same for the same secret and key, and another for another key', async () => {
  const once = redactor.redactText(`a ${github} b ${github}`)
  assert.match(once.text, /^a (\[REDACTED:github:[0-9a-f]{4}\]) b \1$/)
  assert.deepEqual(once.found, [{ kind: 'github', count: 2 }])
  assert.deepEqual(createRedactor({ key }).redactText(`a ${github} b ${github}`), once)
  const other = createRedactor({ key: new Uint8Array(32).fill(8) }).redactText(github)
  assert.notEqual(other.text, redactor.redactText(github).text)
})

test('only the value is hidden, and what stands around it stays', () => {
  const value = random.text(32, LETTERS)
  const cases: Record<string, string> = {
    [`export DB_PASSWORD='${value}' && run`]: "export DB_PASSWORD='[REDACTED:password]' && run",
    [`{"api_key": "${value}", "n": 1}`]: '{"api_key": "[REDACTED:api-key]", "n": 1}',
    [`{\\"apiKey\\": \\"${value}\\"}`]: '{\\"apiKey\\": \\"[REDACTED:api-key]\\"}',
    [`postgres://app:${value}@db:5432/x`]: 'postgres://app:[REDACTED:url-password]@db:5432/x',
    [`https://${value}@git.internal/x`]: 'https://[REDACTED:url-token]@git.internal/x',
    [`curl -u admin:${value} http://x`]: 'curl -u admin:[REDACTED:password] http://x',
    [`login --token ${value} --now`]: 'login --token [REDACTED:token] --now',
    [`machine a login b password ${value}`]: 'machine a login b password [REDACTED:password]',
    [`Server=a;User Id=b;Password=${value};X=1`]:
      'Server=a;User Id=b;Password=[REDACTED:password];X=1',
    [`<password>${value}</password>`]: '<password>[REDACTED:password]</password>',
    [`AWS_SECRET_ACCESS_KEY = ${value}12345678`]: 'AWS_SECRET_ACCESS_KEY = [REDACTED:aws]',
    [`Authorization: Bearer ${value}`]: 'Authorization: Bearer [REDACTED:bearer]',
    [`GITHUB_TOKEN=${github}`]: 'GITHUB_TOKEN=[REDACTED:github]',
    'password: "correct horse battery"': 'password: "[REDACTED:password]"',
    "DB_PASSWORD='Tiger lamp 9 orbit'": "DB_PASSWORD='[REDACTED:password]'",
    'login --password "correct horse battery" x': 'login --password "[REDACTED:password]" x',
    'mysql -u root -pS3cret db': 'mysql -u root -p[REDACTED:password] db',
    "mariadb-dump -p'S3 cret' db": "mariadb-dump -p'[REDACTED:password]' db",
    'sshpass -p hunter22 ssh a': 'sshpass -p [REDACTED:password] ssh a',
    "DB_PASS='two words' run": "DB_PASS='[REDACTED:password]' run",
    "DB_PASS='it'\\''s mine' run": 'DB_PASS=[REDACTED:password] run',
    'DB_PASS=two\\ words run': 'DB_PASS=[REDACTED:password] run',
    "passphrase = 'top secret'": "passphrase = '[REDACTED:password]'",
    'SMTP_PASS=abcd efgh ijkl mnop': 'SMTP_PASS=[REDACTED:password]',
    "SESSION_SECRET='keyboard cat'": "SESSION_SECRET='[REDACTED:secret]'",
    'pass: "Tr0ub4dor7x"': 'pass: "[REDACTED:password]"',
    'password: >-\n  Tr0ub4dor7x\n': 'password: >-\n  [REDACTED:password]\n',
    '<add key="password" value="Tr0ub4dor7x"/>':
      '<add key="password" value="[REDACTED:password]"/>',
    'user.setPassword("Tr0ub4dor7x")': 'user.setPassword("[REDACTED:password]")',
    'a\npassword=hunter22\nb': 'a\npassword=[REDACTED:password]\nb',
    'ENV DB_PASS Tr0ub4dor7x': 'ENV DB_PASS [REDACTED:password]',
    [`aws configure set aws_secret_access_key ${value}`]:
      'aws configure set aws_secret_access_key [REDACTED:aws]',
    'redis-cli -h db -a hunter2 ping': 'redis-cli -h db -a [REDACTED:password] ping',
    'requirepass Tr0ub4dor7x': 'requirepass [REDACTED:password]',
    'mysql -u root "-pS3cret" db': 'mysql -u root "-p[REDACTED:password]" db',
    'curl -u "bob:two words" x': 'curl -u "bob:[REDACTED:password]" x',
    'docker login -u bob -p hunter2': 'docker login -u bob -p [REDACTED:password]',
    'openssl rsa -passin pass:hunter2': 'openssl rsa -passin pass:[REDACTED:password]',
    'echo hunter2 | sudo -S ls': 'echo [REDACTED:password] | sudo -S ls',
    "echo 'hunter2' | docker login --password-stdin":
      "echo '[REDACTED:password]' | docker login --password-stdin",
    'smbclient -U bob%hunter2 //a/b': 'smbclient -U bob%[REDACTED:password] //a/b',
    'sqlplus bob/hunter2@orcl': 'sqlplus bob/[REDACTED:password]@orcl',
    'machine a\n login b\n password hunter2\n':
      'machine a\n login b\n password [REDACTED:password]\n',
    'db:5432:main:bob:hunter2': 'db:5432:main:bob:[REDACTED:password]',
    [`Authorization: token ${value}`]: 'Authorization: token [REDACTED:authorization]',
    [`Cookie: a=1; sid=${value}`]: 'Cookie: [REDACTED:cookie]',
    [`AI${'za'}${'aB3dE6gH9'.repeat(4)}`]: '[REDACTED:google-api-key]',
  }
  assert.deepEqual(Object.keys(cases).map(redacted), Object.values(cases))
})

test('what is said about a password is none, and -p is an option of many', () => {
  for (const text of [
    'password: "Enter your password"',
    'password: "must be at least eight characters"',
    '"passwordHint": "correct horse battery"',
    'mkdir -p some/folder && ssh -p 2222 host',
    'mysql -p database',
    'const password = "x"; say("three words here")',
    'password: "Mot de passe oublié"',
    'password: "Show more"',
    'pass: "renders without crashing"',
    'pass: "render-pass-1"',
    'const pass = shadowPass2',
    'DB_PASS="$(cat file)" DB_PASSWORD="Enter your password"',
    'redis-cli -a "$REDIS_PASS" ping && grep -a text file',
    'tar -p -k archive && docker run -p 8080:80 image && zip -r a.zip folder',
    'a user or password part of it',
    'echo "three words" | grep -c w; sudo -s',
    'Set-Cookie: theme=dark; Path=/',
    'the authorization: not needed for this',
    'set the secret_access_key before you go',
  ])
    assert.equal(redacted(text), text)
})

test('a private key is hidden when its end is missing, and its words alone are no key', () => {
  const begin = ['-----BEGIN', 'RSA PRIVATE KEY-----'].join(' ')
  const body = `${random.text(64, LETTERS)}\n${random.text(64, LETTERS)}\n`
  assert.equal(redacted(`a\n${begin}\n${body}$ ls -l\nb`), 'a\n[REDACTED:private-key]\n$ ls -l\nb')
  const prose = `if (text.includes('${begin}')) return 'a key'`
  assert.equal(redacted(prose), prose)
})

test('a text with many secrets and a text with none are redacted once and for all', () => {
  const texts = [
    ...seededSecrets(21, shapes.length * 2).map(({ text }) => text),
    ...cleanEvents(22, 120),
  ]
  const glue = fc.constantFrom(
    '',
    ' ',
    '\n',
    '"',
    ',',
    '=',
    ':',
    '[REDACTED:github:0000]',
    'a',
    '-',
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...texts), glue), { maxLength: 6 }), (parts) => {
      const once = redactor.redactText(parts.flat().join(''))
      const twice = redactor.redactText(once.text)
      assert.deepEqual(twice, { text: once.text, found: [] })
    }),
    { numRuns: 400, seed: 23 },
  )
})

test('any text whatever is redacted without an error, and once and for all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const once = redactor.redactText(text).text
      assert.equal(redactor.redactText(once).text, once)
    }),
    { numRuns: 500, seed: 24 },
  )
})

test('what a replacement lays bare is hidden too', async () => {
  const known = `heron${random.text(12, LETTERS)}`
  const unhurried = createRedactor({ key, known: [known] })
  const { text } = await unhurried.redactText(`${AWS_ID}${known}`)
  assert.match(text, /^\[REDACTED:aws-access-key:[0-9a-f]{4}\]\[REDACTED:known:[0-9a-f]{4}\]$/)
})

test('of two findings about one place the closer one gives the kind', () => {
  const jwt = shapes.find(({ kind }) => kind === 'jwt')!.make(random).secret
  assert.equal(redacted(`SERVICE_TOKEN="${jwt}"`), 'SERVICE_TOKEN="[REDACTED:jwt]"')
  assert.equal(redacted(`https://bot:${github}@x`), 'https://bot:[REDACTED:github]@x')
})

test('a token is hidden to its end, however long it is and wherever the pieces of a long text meet', () => {
  const long = `gh${'p'}_${random.text(5000, LETTERS)}`
  assert.equal(redacted(`a ${long} b`), 'a [REDACTED:github] b')
  const marks = `gh${'p'}_ `.repeat(4000)
  for (let at = 15_300; at < 16_500; at += 37) {
    const text = `${marks.slice(0, at)} ${github} ${marks}`
    assert.ok(!redacted(text).includes(github.slice(8, 20)), `at ${at}`)
  }
})

test('what looks like a token within longer base64 is none', () => {
  for (const token of [
    AWS_ID,
    `AI${'za'}${random.text(35, LETTERS)}`,
    `S${'K'}${random.text(32, '0123456789abcdef')}`,
  ]) {
    for (const text of [`aB3${token}"`, `"${token}aB3`, `aB3${token}aB3`])
      assert.equal(redacted(text), text)
  }
})

/** Each repeats what a rule opens with, or what one of its expressions runs along. */
const worst = () => {
  const begin = ['-----BEGIN', 'PRIVATE KEY-----\n'].join(' ')
  const fillers = [
    'token=',
    'password=aZ9',
    'DB_PASSWORD=',
    '://a:b',
    'Bearer aA1',
    '[REDACTED:',
    'ghs_1_a.',
    'ghs_1_',
    'eyJa',
    'eyJabcdefgh.',
    'SG.a.',
    'MTI3abcdefghijklmnopqrst.',
    '.abcdef.',
    '--',
    '\\',
    '+',
    ' ',
    '=',
    '%',
    '-',
    '"',
    'a',
    ':',
    '\\n',
    ' -p a',
    ' net use ',
    '<pass ',
    'login("a",',
    begin,
  ]
  const heads = [github, 'password=', 'Bearer ', 'https://a:', `"token": "`]
  return [
    ...fillers,
    ...heads.flatMap((head) => ['token=', 'a', '-', '.', '"'].map((unit) => [head, unit] as const)),
  ].map((text) => (typeof text === 'string' ? (['', text] as const) : text))
}

const cpuMs = (run: () => unknown) => {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test('four times as much of the worst text takes four times as long, not sixteen', () => {
  const texts = worst()
  assert.ok(texts.length >= 40)
  for (const [head, unit] of texts) {
    const time = (length: number) => {
      const text = `${head}${unit.repeat(length / unit.length)}!`
      return cpuMs(() => redactor.redactText(text))
    }
    const long = time(256 * 1024)
    if (long < 60) continue
    const [short, again] = [time(64 * 1024), time(256 * 1024)]
    const ratio = Math.min(long, again) / short
    assert.ok(ratio < 9, `${head}${unit}: ${short} ms, then ${ratio} times as long`)
  }
})

test('a text of nothing but marks is done in time', () => {
  for (const { opening } of RULES) {
    if (typeof opening !== 'string') continue
    for (const unit of [opening, `${opening}A1b2C3d4E5f6G7h8`]) {
      const text = unit.repeat((32 * 1024) / unit.length)
      assert.ok(cpuMs(() => redactor.redactText(text)) < 500, unit)
    }
  }
})
