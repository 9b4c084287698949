import { isFailure, readMembers } from '@heirloom/core'
import { decodeUtf8 } from '../../importers/json-file.ts'

/**
 * Returns the JSON text of the bytes of a blob: `{"json":…}` with these very bytes where they are
 * JSON, so that a memory can be read and searched inside, else `{"text":…}` or `{"base64":…}`.
 */
export function encodeBlob(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  if (text === undefined) return `{"base64":"${Buffer.from(bytes).toString('base64')}"}`
  return isOneValue(text) ? `{"json":${text}}` : `{"text":${JSON.stringify(text)}}`
}

/** Returns the bytes that `encodeBlob` encoded; `undefined` for any other JSON text. */
export function decodeBlob(encoded: Uint8Array): Uint8Array | undefined {
  const [[form, value] = [], ...others] = readMembers(encoded)
  if (value === undefined || others.length > 0) return undefined
  if (form === 'json') return value
  const text: unknown = JSON.parse(new TextDecoder().decode(value))
  if (typeof text !== 'string') return undefined
  if (form === 'text') return new TextEncoder().encode(text)
  return form === 'base64' ? new Uint8Array(Buffer.from(text, 'base64')) : undefined
}

const prefix = '{"json":'

/** The levels of a document around a blob, and some to spare. */
const around = 16

/** Returns whether a text is one JSON value without space around it, and not nested too deep. */
function isOneValue(text: string): boolean {
  try {
    const bytes = new TextEncoder().encode(`${prefix}${text}}`)
    const isOne = readMembers(bytes).get('json')?.length === bytes.length - prefix.length - 1
    readMembers(
      new TextEncoder().encode(`${prefix}${'['.repeat(around)}${text}${']'.repeat(around)}}`),
    )
    return isOne && text.trim() === text
  } catch (error) {
    if (isFailure(error)) return false
    throw error
  }
}
