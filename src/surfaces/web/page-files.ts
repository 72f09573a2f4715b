/** The page's own files, and only those that a page has. */
export type ReadAsset = (path: string) => Promise<Uint8Array | undefined>

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
}

/** No segment begins with a dot. */
const FILE = /^(?:\/[\w-][\w.-]*)*\/[\w-][\w.-]*\.(\w+)$/

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
}

const NOT_BUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Reprise</title>' +
  '<p>The page is not built: run <code>npm run build</code>. The API works without it.</p></html>'

/** A path without an ending is a place within the page: the page itself finds it. */
export async function servePage(path: string, readAsset: ReadAsset): Promise<Response> {
  if (path.slice(path.lastIndexOf('/')).includes('.')) {
    const ending = FILE.exec(path)?.[1] ?? ''
    const type = Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined
    const bytes = type === undefined ? undefined : await readAsset(path.slice(1))
    return bytes === undefined || type === undefined ? missing('Not found') : found(bytes, type)
  }
  const page = await readAsset('index.html')
  return page === undefined ? missing(NOT_BUILT) : found(page, TYPES['html'] ?? '')
}

const found = (bytes: Uint8Array, type: string): Response =>
  new Response(new Uint8Array(bytes), { headers: { ...HEADERS, 'content-type': type } })

const missing = (text: string): Response =>
  new Response(text, { status: 404, headers: { ...HEADERS, 'content-type': TYPES['html'] ?? '' } })
