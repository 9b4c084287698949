import { crc32 } from 'node:zlib'
import { type SourceFile, throwMalformed } from '../source-file.ts'
import type { ReadSource } from './read-source.ts'

/** The first bytes of a PNG. */
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** The names under which a picture carries a character, the newest version first. */
const keywords = ['ccv3', 'chara'] as const

/**
 * Reads the character card in a picture, as SillyTavern and others write it: a `tEXt` chunk named
 * `ccv3` or `chara`, which is JSON in base64. The picture is left out.
 *
 * @throws `import/malformed` for a picture that is damaged, or carries no card
 */
export function readCharacterCard({ path, bytes }: SourceFile): ReadSource {
  const texts = textsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  const [keyword, ...older] = keywords.filter((name) => texts.has(name))
  if (keyword === undefined) {
    throwMalformed('The file', 'it is a picture without a character card (ccv3 or chara)')
  }
  const left = older.map((name) => ({ what: name, why: `${keyword} is the newer card` }))
  const picture = { what: 'the picture', why: 'a memory is text; keep the PNG' }
  return {
    file: { path: path.replace(/(?:\.png)?$/i, '.json'), bytes: cardOf(texts.get(keyword) ?? '') },
    left: [picture, ...left],
  }
}

function cardOf(text: string): Uint8Array {
  if (!/^[\w+/\s]+={0,2}\s*$/.test(text)) throwMalformed('The file', 'its card is not base64')
  return Buffer.from(text, 'base64')
}

/** Returns the texts of a picture by their keywords; the first of each counts. */
function textsOf(png: Buffer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const { type, data, sum } of chunksOf(png)) {
    if (type !== 'tEXt') continue
    if (crc32(data, crc32(type)) !== sum) {
      throwMalformed('The file', 'a text of the picture is damaged: its checksum (CRC-32) is wrong')
    }
    const [keyword = '', text = ''] = data.toString('latin1').split('\0', 2)
    if (!texts.has(keyword)) texts.set(keyword, text)
  }
  return texts
}

type Chunk = { readonly type: string; readonly data: Buffer; readonly sum: number }

/** The bytes of a chunk beside its data: its length, its type and its checksum. */
const around = 12

function* chunksOf(png: Buffer): Generator<Chunk> {
  let [at, type] = [signature.length, '']
  while (type !== 'IEND') {
    const length = at + around > png.length ? png.length : png.readUInt32BE(at)
    const end = at + around + length
    if (end > png.length) throwMalformed('The file', 'it is a picture that is cut off')
    type = png.toString('latin1', at + 4, at + 8)
    yield { type, data: png.subarray(at + 8, end - 4), sum: png.readUInt32BE(end - 4) }
    at = end
  }
}
