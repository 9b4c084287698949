import { locate } from '../domain/parts/locate.ts'
import {
  type OutlineBounds,
  type Outline as OutlineOfValue,
  outlineOf,
} from '../domain/parts/outline-of.ts'
import { parsePointer } from '../domain/parts/pointer.ts'
import type { Ports } from '../ports/ports.ts'
import { downloadFailures } from './download.ts'
import { openDocument, type PartialRead, type PartSource } from './open-document.ts'

/** The failures of `outline`. */
export const outlineFailures = [...downloadFailures, 'part/malformed', 'part/not-found'] as const

/**
 * Describes the value at a JSON Pointer in a memory and what is below it: types, sizes and counts,
 * level by level. Opens only the pieces that it needs.
 *
 * @throws `part/malformed`, `part/not-found`, and the failures of `download`
 */
export async function outline(
  ports: Ports,
  { pointer, depth, width, from, ...read }: outline.Input,
): Promise<outline.Output> {
  const tokens = parsePointer(pointer)
  const { cursor, source } = await openDocument(ports, read)
  await locate(cursor, tokens)
  return { ...source, outline: await outlineOf(cursor, tokens, { depth, width, from }) }
}

export declare namespace outline {
  type Input = PartialRead & OutlineBounds & { readonly pointer: string }
  type Output = PartSource & { readonly outline: OutlineOfValue }
}
