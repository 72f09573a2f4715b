/** Files in memory as one tar archive (ustar), the same bytes for the same files. */

export type TarFile = { readonly path: string; readonly text: string }

const BLOCK = 512
const LONGEST_PATH = 100

export function tarOf(files: readonly TarFile[], modifiedAt: Date): Uint8Array {
  const seconds = Math.floor(modifiedAt.getTime() / 1000)
  const parts = files.flatMap(({ path, text }) => {
    const content = Buffer.from(text)
    return [header(path, content.length, seconds), content, padding(content.length)]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

function header(path: string, size: number, seconds: number): Buffer {
  if (Buffer.byteLength(path) > LONGEST_PATH) throw new RangeError(`The path ${path} is too long.`)
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  block.write(path, 0)
  octal(0o600, 100, 8)
  octal(0, 108, 8) // owner and group: the user who unpacks it
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(seconds, 136, 12)
  block.write('        ', 148, 'latin1') // the checksum counts as blanks in its own sum
  block.write('0', 156, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

const padding = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
