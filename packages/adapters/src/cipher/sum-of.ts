import { createHash } from 'node:crypto'

/** Returns the sha256 of a heading and bytes, in hexadecimal; `undefined` without a heading. */
export function sumOf(heading: string | undefined, bytes: Uint8Array): string | undefined {
  if (heading === undefined) return undefined
  return createHash('sha256').update(heading).update(bytes).digest('hex')
}
