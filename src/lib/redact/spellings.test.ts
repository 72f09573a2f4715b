import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedactor } from './redact.ts'

const key = new Uint8Array(32).fill(7)
const redactor = createRedactor({ key })

// Put together here, so that no line of this file is one of them.
const W = ['hunter', '22'].join('')
const S = ['abc', '123'].join('')
const T = ['8fK2mQ9w', 'Z3xC7vB1nL5p'].join('')
const HEX = ['6629fae49393a053', '97450978507c4ef1'].join('')
const LINE = ['AAAAIBQ3s8v9mWq2c7XnT5yLr1Kp', 'Z0JdHf6eVgUoRbNtQwEi'].join('')
const two = ['two', 'words'].join(' ')
const three = ['two', 'words', 'here'].join(' ')
const seed = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

/** A text and what must not be left of it. */
const HIDDEN: readonly (readonly [text: string, secret: string])[] = [
  [`Authorization: Digest username="bob", nonce="ab", uri="/", response="${HEX}", qop=auth`, HEX],
  [`PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n${LINE}\nPrivate-MAC: ${HEX}\n`, LINE],
  [`{"pass": "${two}"}`, two],
  [`{"user":"bob","pass":"correct horse battery"}`, 'horse'],
  [`password: ${three}`, two],
  [`db password = correct horse battery\n`, 'horse'],
  [`Kennwort: ${three}`, two],
  [`<Password>${two}</Password>`, two],
  [`<Password>${S}</Password>`, S],
  [`<wsse:Password Type="PasswordText">${W}</wsse:Password>`, W],
  [`login("bob","${W}")`, W],
  [`client.login('bob@there.org', 'S3cret!')`, 'S3cret!'],
  [`smtp.login("bob", "${two}")`, two],
  [`requests.get(url, auth=("bob", "${W}"))`, W],
  [`htpasswd -b .htpasswd bob ${W}`, W],
  [`htpasswd -nb bob ${W}`, W],
  [`vault login ${T}`, T],
  [`vault login -method=userpass username=bob password=${W}`, W],
  [`net use z: \\\\srv\\share ${W} /user:bob`, W],
  [`net use \\\\srv\\share /user:DOM\\bob ${W}`, W],
  [`net user bob ${W} /add`, W],
  [`${'PI'}N=1234 run`, '1234'],
  [`{"cardPin": "482913"}`, '482913'],
  [`otp: 482913`, '482913'],
  [`PASSWORD=${S} run`, S],
  [`passwd = ${S}\n`, S],
  [`password: ${S}\n`, S],
  [`{"password":"${S}"}`, S],
  [`{"password": 12345678}`, '12345678'],
  [`username=bob&password=${S}&x=1`, S],
  [`password=two+words+here&x=1`, 'two+words'],
  [`Server=x;Pwd=${two};Database=y`, two],
  [`mount -o username=bob,password=${W},uid=1`, W],
  [`kubectl create secret generic x --from-literal=password=${W}`, W],
  [`java -Dpassword=${W} -jar x`, W],
  [`wget --user=bob --password=${W} x`, W],
  [`svn co --password ${S} x`, S],
  [`curl -u bob:${S} x`, S],
  [`cmdkey /add:h /user:bob /pass:${W}`, W],
  [`openssl enc -pass pass:"${two}" -in a`, two],
  [`plink -pw ${W} bob@h`, W],
  [`xfreerdp /u:bob /p:${W} /v:h`, W],
  [`lftp -u bob,${W} h`, W],
  [`echo bob:${W} | sudo chpasswd`, W],
  [`docker login --password-stdin <<< ${W}`, W],
  [`ConvertTo-SecureString "${W}" -AsPlainText -Force`, W],
  [`CREATE USER bob WITH PASSWORD '${W}';`, W],
  [`ALTER USER bob IDENTIFIED BY '${W}';`, W],
  [`SET PASSWORD FOR 'bob' = '${W}'`, W],
  [`nmcli dev wifi connect Home password ${W}`, W],
  [`wpa_passphrase Home ${W}`, W],
  [`my password is ${W}.`, W],
  [`127.0.0.1:6379> AUTH ${W}`, W],
  [`AUTH PLAIN ${Buffer.from(`\0bob\0${W}`).toString('base64')}`, 'AGJvYg'],
  [`form-data; name="password"\r\n\r\n${W}\r\n--x`, W],
  [`otpauth://totp/x:bob?secret=JBSWY3DPEHPK3PXP&issuer=x`, 'JBSWY3DPEHPK3PXP'],
  [`mnemonic: ${seed}`, 'sausage'],
  [`root:$6$abcdefgh$KQ0Xy1z2A3b4C5d6E7f8G9h0IjKl:19000:0:99999:7:::`, 'KQ0Xy1z2A3b4'],
]

test('a secret is hidden in every place that programs and people put it in', () => {
  const left = HIDDEN.filter(([text, secret]) => redactor.redactText(text).text.includes(secret))
  assert.deepEqual(left, [])
})

test('in pieces it is hidden as in one, and by whole lines of escaped text too', () => {
  for (const [text, secret] of HIDDEN) {
    const stream = redactor.createStream()
    const shown = Array.from(text, (sign) => stream.push(sign)).join('') + stream.end()
    assert.ok(!shown.includes(secret), text)
  }
})

test('numbers by the name of a password or a code are hidden in JSON', () => {
  const { value } = redactor.redactJson({ pin: 4821, password: 12345678, port: 5432, pins: 4821 })
  const shown = JSON.stringify(value).replace(/:[0-9a-f]{4}\]/g, ']')
  assert.equal(
    shown,
    '{"pin":"[REDACTED:pin]","password":"[REDACTED:password]","port":5432,"pins":4821}',
  )
})

test('code, manuals and sentences that look like them stay', () => {
  for (const text of [
    '"pass": "All checks passed", "fail": "Some checks failed"',
    '"pass": "elementet har en korrekt verdi av typen"',
    'password: the name of the user and a word',
    'Password: required for login',
    'password: plain text only',
    '<Password>Forgot it?</Password>',
    '<password>string</password>',
    'login("bob", "password")',
    'signIn("google", "/callback")',
    "login(user, 'text/html')",
    'htpasswd -c .htpasswd bob',
    'vault login -method=oidc role=dev',
    'vault login again, then go on',
    'net use z: "\\\\host\\Shared Folders"',
    'the net user sees nothing',
    'const LED_PIN = 13; spin: 4821; PIN=12',
    '"map-pin": 5794, "pin": 57946',
    'mapping: 482913, opinion=4829',
    'password = hash2',
    'this.password = other22',
    'password: sha256',
    'the password is not set, a password is required',
    'the password is "password"',
    'sorted by \'name\', identified by "id"',
    'docker run -u 1000:1000 image',
    'mysql --password=$PASS, --password <password>',
    'AUTH_NONE AUTH *authgss_create_default(CLIENT *)',
    'PASS  src/lib/redact/redact22.test.ts',
    'phrase: the words that are said when somebody asks what the others have done today',
    'Private-Lines: as many as there are',
  ])
    assert.equal(redactor.redactText(text).text, text)
})
