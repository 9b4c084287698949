/** A reason to refuse a delivery, and the status of the answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(status: number, reason: string) {
    super(reason)
    this.status = status
  }
}

/** The headers and the exact bytes of a delivery. */
export type SignedDelivery = {
  readonly timestamp: string | undefined
  readonly signature: string | undefined
  readonly body: Uint8Array<ArrayBuffer>
}

/** The secrets of which one must have signed, and how many seconds may have passed since. */
export type Verification = {
  readonly secrets: readonly string[]
  readonly tolerance: number
  /** The time in milliseconds since the Unix epoch. */
  readonly now: number
}

/**
 * Verifies that one of the secrets signed a delivery lately. The runtime compares signatures in constant
 * time, and nothing of the body is parsed before.
 *
 * @throws {Refusal} 401
 */
export async function verifyDelivery(
  { timestamp = '', signature = '', body }: SignedDelivery,
  { secrets, tolerance, now }: Verification,
): Promise<void> {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(signature) ?? []
  if (hex === undefined || !/^\d{1,12}$/.test(timestamp)) {
    throw new Refusal(401, 'It has no signature of a webhook.')
  }
  const given = Uint8Array.from(hex.match(/../g) ?? [], (it) => Number.parseInt(it, 16))
  const prefix = new TextEncoder().encode(`${timestamp}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  const checks = secrets.map((secret) => isSignedBy(secret, given, signed))
  if (!(await Promise.all(checks)).includes(true)) {
    throw new Refusal(401, 'The secret has not signed it.')
  }
  if (Math.abs(now / 1000 - Number(timestamp)) > tolerance) {
    throw new Refusal(401, `It was signed more than ${tolerance} seconds ago, or later than now.`)
  }
}

async function isSignedBy(
  secret: string,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { subtle } = crypto
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = new TextEncoder().encode(secret)
  const key = await subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  return subtle.verify('HMAC', key, signature, signed)
}

/** The headers of a delivery, in lower case, and the exact bytes of its body. */
export type Delivery = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array | string
}
