import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** The contents of an entry, the mode that Unix programs note, and how it is stored. */
export type Entry = {
  readonly path: string
  readonly text: string | Iterable<string>
  readonly mode?: number
  readonly compress?: boolean
}

/** Writes a zip. With `zip64` it has the headers of one of more than 4 GiB. */
export async function writeZip(
  path: string,
  entries: readonly Entry[],
  { zip64 = false } = {},
): Promise<void> {
  const zip = new ZipFile()
  for (const { path: name, text, mode = 0o100644, compress = true } of entries) {
    const options = { mode, compress, forceZip64Format: zip64 }
    if (typeof text === 'string') zip.addBuffer(Buffer.from(text), name, options)
    else zip.addReadStream(Readable.from(bytesOf(text)), name, options)
  }
  const file = createWriteStream(path)
  zip.outputStream.pipe(file)
  zip.end({ forceZip64Format: zip64, comment: '' })
  await once(file, 'close')
}

function* bytesOf(texts: Iterable<string>) {
  for (const text of texts) yield Buffer.from(text)
}
