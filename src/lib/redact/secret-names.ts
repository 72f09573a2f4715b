/** Which names a secret goes by, and of which kind it is then. */

export function kindOfName(name: string): string | undefined {
  const last = name.slice(-64)
  if (/^_?auth$/i.test(last)) return 'basic-auth'
  if (OTHER.test(last)) return undefined
  const vendor = VENDOR.exec(last)?.[0]?.toLowerCase()
  if (PASSWORD.test(last) || PASS.test(last)) return 'password'
  if (!KEY.test(last)) return undefined
  if (vendor !== undefined) return VENDOR_KINDS[vendor] ?? vendor
  if (/token/i.test(last)) return 'token'
  return /secret/i.test(last) ? 'secret' : 'api-key'
}

const PASSWORD =
  /passw(?:or)?[dt]|kennwort|^passe$|passcode|passwd|passphrase|(?:^|[_.-])p(?:ass)?wd|^pwd|(?:[a-z])Pwd/i
export const PIN = /(?:^|[_.])(?:pin|otp|passcode)(?:_?code)?$|[a-z]Pin$/i
/** Short for it. In lower case and alone these are words of code too: a pass over something. */
const PASS =
  /(?:^|[_.-])(?:[Pp]ass|PASS|[Pp]w|PW|psk|PSK)$|[a-z](?:Pass|Pw)$|^SSHPASS$|^REDISCLI_AUTH$|^requirepass$|^masterauth$/
export const ALSO_CODE = /^(?:[\w.-]*\.)?[Pp](?:ass|w)$/
const KEY =
  /secret|token|credential|(?:api|access|auth|account|private|secret|encryption|signing|master|service|storage|license|shared|client|app|admin|deploy|write|session)[_.-]?key|^sig$|^[A-Z0-9_]+_KEY$|^_?authToken$/i
/** The word is in the name, the secret is not in the value. */
const OTHER =
  /(?:count|counts|limit|max|min|length|size|type|types|name|names|field|path|file|url|uri|endpoint|expir\w*|ttl|age|hash|digest|sha\d*|checksum|policy|label|placeholder|hint|regex|pattern|usage|budget|used|total|index|header|prefix|suffix|param|format|version|scheme|provider|issuer|arn|error|message|title|rules?|strength|encryption|_id|Id|ID|ids|s_per\w*|tokens)$|passw(?:or)?d[_-]?key$|public|tokeniz|max_?tokens|token_?(?:count|limit|usage)|(?:prompt|completion|input|output|cached|reasoning)_?tokens/i

const VENDOR =
  /heroku|datadog|dd(?=_(?:api|app))|twilio|azure|accountkey|sharedaccesskey|aws|cloudflare|mailgun|algolia|netlify|circleci|codecov|npm|authtoken|sig$/i
const VENDOR_KINDS: Readonly<Record<string, string>> = {
  dd: 'datadog',
  accountkey: 'azure',
  sharedaccesskey: 'azure',
  sig: 'azure',
  authtoken: 'npm',
}
