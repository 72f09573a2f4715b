/** Lines that programs print and that hold no secret: lists, logs, lock files, hashes, pictures, code. */
import { randomFrom, type Random } from './random.ts'
import { BASE64, HEX, WORD } from './secret-kinds.ts'

const NAMES =
  'libssl python3 postgresql-client node-semver golang-go ca-certificates gnupg passwd login keyutils token-parser secret-tool password-store openssh-server lib-pat atlas re2 pat-api'.split(
    ' ',
  )
const DIRS = 'src lib test node_modules bin auth tokens secrets keys docs api pat access'.split(' ')

const hex = (random: Random, length: number) => random.text(length, HEX)
const version = (random: Random) => `${random.next(30)}.${random.next(40)}.${random.next(20)}`
const uuid = (random: Random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-')
const path = (random: Random) =>
  `${random.pick(DIRS)}/${random.pick(DIRS)}/${random.pick(NAMES)}.${random.pick(['ts', 'go', 'json'])}`
const time = (random: Random) => `${10 + random.next(13)}:${10 + random.next(49)}`

const WRITERS: Readonly<Record<string, (random: Random) => string>> = {
  dpkg: (random) =>
    `ii  ${random.pick(NAMES).padEnd(30)} 1:${version(random)}-${random.next(9)}+deb12u${random.next(9)} amd64 tool for keys and tokens`,
  ls: (random) =>
    `-rw-r--r-- 1 root root ${random.next(99999)} May ${1 + random.next(30)} ${time(random)} ${path(random)}`,
  log: (random) =>
    `${hex(random, 40)} ${random.pick(['fix', 'auth', 'token', 'secret'])}: ${random.pick(['rotate the key', 'read the password', 'rename a token'])} (#${random.next(9999)})`,
  diff: (random) => `index ${hex(random, 7)}..${hex(random, 7)} 100644 --- a/${path(random)}`,
  lock: (random) =>
    `      "integrity": "sha512-${random.text(86, BASE64)}==", "resolved": "https://registry.example/${random.pick(NAMES)}/-/${random.pick(NAMES)}-${version(random)}.tgz"`,
  yarn: (random) =>
    `"${random.pick(NAMES)}@npm:^${version(random)}": checksum: 10c0/${hex(random, 128)}`,
  ps: (random) =>
    `root ${random.next(99999)}  0.${random.next(9)}  1.${random.next(9)} ${random.next(999999)} ${random.next(99999)} ?  Ssl ${time(random)}   0:0${random.next(9)} /usr/bin/${random.pick(NAMES)} -p ${random.next(65535)} --config /etc/${path(random)}`,
  hashes: (random) => `${hex(random, random.pick([32, 40, 64, 128]))}  ${path(random)}`,
  image: (random) =>
    `docker.io/library/${random.pick(NAMES)}@sha256:${hex(random, 64)}  ${version(random)}`,
  uuid: (random) =>
    `{"id":"${uuid(random)}","parentId":"${uuid(random)}","key":"${random.pick(NAMES)}"}`,
  picture: (random) =>
    `data:image/png;base64,iVBORw0KGgo${random.text(400 + random.next(1200), BASE64)}==`,
  wasm: (random) => `const bytes = "AGFzbQ${random.text(600, BASE64)}"`,
  font: (random) =>
    `src: url(data:font/woff2;base64,d09GMg${random.text(500, BASE64)}) format('woff2')`,
  code: (random) =>
    `  const ${random.pick(['token', 'secret', 'pat', 'apiKey'])} = await ${random.pick(DIRS)}.${random.pick(['read', 'parse', 'refresh'])}(${random.pick(['request.headers.authorization', 'process.env.API_TOKEN', 'options.secret'])})`,
  ids: (random) =>
    `call_${random.text(24, WORD)} toolu_01${random.text(22, WORD)} msg_${random.text(24, WORD)} req_${random.text(24, WORD)} chatcmpl-${random.text(29, WORD)}`,
  go: (random) =>
    `github.com/org/${random.pick(NAMES)} v${version(random)} h1:${random.text(43, BASE64)}=`,
  ssh: (random) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${random.text(44, BASE64)} me@host`,
  stream: (random) =>
    `arn:aws:s3:::bucket-${hex(random, 12)}/${uuid(random)} etag "${hex(random, 32)}-${random.next(99)}"`,
  build: (random) =>
    `dist/assets/index-${random.text(8, WORD)}.js  ${random.next(900)}.${random.next(99)} kB │ map: ${random.text(8, WORD)}`,
  sdk: (random) =>
    `pub   rsa4096/${hex(random, 16).toUpperCase()} 2024-01-01 [SC] ${hex(random, 40).toUpperCase()}`,
}

export function harmlessLines(seed: number, count: number): string[] {
  const random = randomFrom(seed)
  const writers = Object.values(WRITERS)
  return Array.from({ length: count }, (_, at) => writers[at % writers.length]?.(random) ?? '')
}
