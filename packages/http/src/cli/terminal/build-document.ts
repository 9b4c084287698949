import { documentOf, readMembers } from '@heirloom/core'
import { UsageError } from '../arguments/usage-error.ts'

/** Returns the document to seal, with the exact bytes of the input. */
export function buildDocument(source: buildDocument.Source): Uint8Array {
  const { bytes, file, category } = source
  const members = membersOf(source)
  const [hasData, hasMetadata] = [members.has('data'), members.has('metadata')]
  if (category === undefined) {
    if (hasData || hasMetadata) return documentOf(bytes)
    throw new UsageError(
      `${file} has no data and metadata; add --category to seal all of it as data.`,
    )
  }
  if (hasData && hasMetadata) {
    throw new UsageError(`${file} has its own metadata; omit --category.`)
  }
  const metadata = JSON.stringify({ category })
  return Buffer.concat([Buffer.from('{"data":'), bytes, Buffer.from(`,"metadata":${metadata}}`)])
}

export declare namespace buildDocument {
  type Source = {
    readonly bytes: Uint8Array
    /** The name of the file, for messages. */
    readonly file: string
    /** The category of a memory without metadata. */
    readonly category: string | undefined
    /** The command line that takes files that are no memories. */
    readonly importer: string
  }
}

function membersOf({
  bytes,
  file,
  importer,
}: buildDocument.Source): ReadonlyMap<string, Uint8Array> {
  const otherFile = (problem: string) => new UsageError(`${problem} ${importer} takes other files.`)
  try {
    return readMembers(bytes)
  } catch (error) {
    const { code, facts } = Object(error)
    if (bytes.length === 0) throw new UsageError(`${file} is empty.`)
    const kind = kindOf(bytes)
    if (kind !== undefined) throw otherFile(`${file} is a JSON ${kind}; a memory is an object.`)
    if (code !== 'json/malformed') throw error
    throw otherFile(`${file} is not JSON from byte ${facts.at} on.`)
  }
}

/** Returns the kind of a JSON value; `undefined` for an object and for other bytes. */
function kindOf(bytes: Uint8Array): string | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (Array.isArray(value)) return 'array'
    return value === null ? 'null' : typeof value === 'object' ? undefined : typeof value
  } catch {
    return undefined
  }
}
