import { createHash } from 'node:crypto'

const words =
  'agent market price order wallet signal risk because later before observed plan summary'.split(
    ' ',
  )

/** Returns notes of about 250 bytes each, which follow from the seed. */
export function notesOf(bytes: number, seed = 'notes'): readonly string[] {
  return Array.from({ length: Math.ceil(bytes / 250) }, (_, at) => {
    const draw = createHash('shake256', { outputLength: 32 }).update(`${seed} ${at}`).digest()
    const text = Array.from(draw, (byte) => words[byte % words.length]).join(' ')
    return `${draw.toString('base64')} ${text.slice(0, 200)}`
  })
}

/** Returns the document of a memory of notes. */
export const documentOf = (notes: readonly unknown[]): Uint8Array =>
  Buffer.from(JSON.stringify({ data: { notes }, metadata: { category: 'test' } }))
