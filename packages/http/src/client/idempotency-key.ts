import { hexOf } from './proof/content-hash.ts'

/** Returns a new idempotency key: 32 hex digits. */
// A page loaded over plain HTTP has no `randomUUID`.
export const idempotencyKey = (): string =>
  hexOf(crypto.getRandomValues(new Uint8Array(16))).slice(2)

/** Returns the idempotency header of a write; its value is a string of RFC 8941. */
export const idempotencyHeaders = (key: string): Record<string, string> => ({
  'idempotency-key': `"${key.replace(/["\\]/g, '\\$&')}"`,
})
