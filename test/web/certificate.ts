/** A certificate made for a test: for one address, signed by itself, with a key that nobody keeps. */
import { generateKeyPairSync, sign } from 'node:crypto'

export function makeCertificate(address: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid(COMMON_NAME), der(0x0c, Buffer.from('reprise test')))))
  const algorithm = sequence(oid(ECDSA_WITH_SHA256))
  const alternative = sequence(der(0x87, Buffer.from(address.split('.').map(Number))))
  const extensions = der(
    0xa3,
    sequence(sequence(oid(SUBJECT_ALTERNATIVE_NAME), der(0x04, alternative))),
  )
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(-1), time(1)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const base64 = sequence(body, algorithm, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

const COMMON_NAME = '550403'
const SUBJECT_ALTERNATIVE_NAME = '551d11'
const ECDSA_WITH_SHA256 = '2a8648ce3d040302'

const sequence = (...parts: readonly Buffer[]) => der(0x30, Buffer.concat(parts))
const set = (...parts: readonly Buffer[]) => der(0x31, Buffer.concat(parts))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

/** Valid for a day around now, whatever the clock of the machine says. */
function time(days: number): Buffer {
  const at = new Date(Date.now() + days * 86_400_000).toISOString()
  return der(0x18, Buffer.from(`${at.replace(/[-:T]|\.\d+/g, '')}`))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
