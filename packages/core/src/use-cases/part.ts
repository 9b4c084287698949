import type { JsonText } from '../domain/json.ts'
import { locate } from '../domain/parts/locate.ts'
import { parsePointer } from '../domain/parts/pointer.ts'
import { measureValue, readValue } from '../domain/parts/read-value.ts'
import type { Ports } from '../ports/ports.ts'
import { downloadFailures } from './download.ts'
import { openDocument, type PartialRead, type PartSource } from './open-document.ts'

/** The failures of `part`. */
export const partFailures = [...downloadFailures, 'part/malformed', 'part/not-found'] as const

/**
 * Reads the value at a JSON Pointer in a memory, as its exact text. Opens only the pieces that it
 * needs. A name that an object has more than once names no value (RFC 6901 §4).
 *
 * @throws `part/malformed`, `part/not-found`, and the failures of `download`
 */
export async function part(
  ports: Ports,
  { pointer, beforeReading, ...read }: part.Input,
): Promise<part.Output> {
  const tokens = parsePointer(pointer)
  const { cursor, source } = await openDocument(ports, read)
  await locate(cursor, tokens)
  const place = await measureValue(cursor)
  await beforeReading?.(place.length)
  return { ...source, text: (await readValue(cursor, place)) as JsonText }
}

export declare namespace part {
  type Input = PartialRead & {
    readonly pointer: string
    /** Runs when the length of the text in bytes is known, before it is read; may throw. */
    readonly beforeReading?: ((length: number) => Promise<void>) | undefined
  }
  type Output = PartSource & {
    /** The exact bytes of the value. */
    readonly text: JsonText
  }
}
