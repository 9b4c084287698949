import { quarantine } from './quarantine.ts'
import type { Scan } from './scan.ts'

/** A copy of a document without what is held back. */
type Quarantined = {
  readonly data: object
  readonly metadata: { readonly category: string; readonly [member: string]: unknown }
  readonly document: Uint8Array<ArrayBuffer>
  readonly held: number
}

/** Returns a copy of a document with a note in the place of every string that is held back. */
export function quarantineMemory(document: Uint8Array, scan: Scan): Quarantined {
  const text = quarantine(new TextDecoder('utf-8', { ignoreBOM: true }).decode(document), scan)
  const { data, metadata } = scan.isAllHeld ? allHeld : (JSON.parse(text) as Quarantined)
  return { data, metadata, document: new TextEncoder().encode(text), held: scan.held.length }
}

/** Describes what is left of a memory that is held back as a whole. */
const allHeld = { data: {}, metadata: { category: 'quarantine' } }
