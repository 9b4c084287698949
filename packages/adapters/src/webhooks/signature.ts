import { createHmac, randomBytes } from 'node:crypto'

/** Returns a new secret: 32 random bytes, as hexadecimal digits. */
export const newSecret = (): string => randomBytes(32).toString('hex')

/** A body that is sent at a time, in seconds since the Unix epoch. */
type Signed = { readonly secret: string; readonly timestamp: number; readonly body: string }

/**
 * Returns the value of `x-heirloom-signature`: who knows the secret can tell that the body comes
 * from here, and was sent at that time. The key is the secret's text, as it was shown.
 */
export function signatureOf({ secret, timestamp, body }: Signed): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}
