import { createHmac, randomBytes } from 'node:crypto'

/** Returns a new secret: 32 random bytes in hexadecimal. */
export const newSecret = (): string => randomBytes(32).toString('hex')

/** A body, and the time at which it is sent in seconds since the Unix epoch. */
type SignedMessage = { readonly secret: string; readonly timestamp: number; readonly body: string }

/**
 * Returns the value of `x-heirloom-signature`: an HMAC-SHA256 by which a receiver that knows the
 * secret verifies the sender, the body and the time. The key is the text of the secret, as shown.
 */
export function signatureOf({ secret, timestamp, body }: SignedMessage): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}
