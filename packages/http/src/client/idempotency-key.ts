import { hexOf } from './proof/content-hash.ts'

/** Returns a new name for a write. */
// `randomUUID` is missing on a page that came over plain HTTP from another machine.
export const idempotencyKey = (): string =>
  hexOf(crypto.getRandomValues(new Uint8Array(16))).slice(2)

/** Returns the header that names a write, as RFC 8941 spells strings. */
export const idempotencyHeader = (key: string): Record<string, string> => ({
  'idempotency-key': `"${key.replace(/["\\]/g, '\\$&')}"`,
})
