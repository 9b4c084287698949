/** Encodes bytes in Base64. Node, browsers, Deno and Bun all have `btoa`. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Decodes Base64. */
export const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (it) => it.charCodeAt(0))

/**
 * Encodes a value as JSON without a loss: a date as `{"$date":"2027-01-15T08:00:00.000Z"}`, bytes as
 * `{"$bytes":"AQI="}`, and an object that has one such member itself inside `{"$object":…}`.
 */
export function toJson(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.toISOString() }
  if (value instanceof Uint8Array) return { $bytes: base64Of(value) }
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value === null) return value
  const { toJSON } = value as { readonly toJSON?: unknown }
  if (typeof toJSON === 'function') return toJson(toJSON.call(value))
  const entries = Object.entries(value).filter(([, it]) => it !== undefined)
  const encoded = Object.fromEntries(entries.map(([name, it]) => [name, toJson(it)]))
  return isTagged(encoded) ? { $object: encoded } : encoded
}

/** Decodes what `toJson` returned, as new objects. */
export function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson)
  if (typeof value !== 'object' || value === null) return value
  if (isTagged(value)) return fromTagged(value as Readonly<Record<string, unknown>>)
  return decodeMembers(value)
}

const decodeMembers = (value: object): object =>
  Object.fromEntries(Object.entries(value).map(([name, it]) => [name, fromJson(it)]))

const isTagged = (value: object): boolean => {
  const [name, ...others] = Object.keys(value)
  return others.length === 0 && ['$date', '$bytes', '$object'].includes(name ?? '')
}

function fromTagged({ $date, $bytes, $object }: Readonly<Record<string, unknown>>): unknown {
  if (typeof $date === 'string') return new Date($date)
  if (typeof $bytes === 'string') return bytesOfBase64($bytes)
  return decodeMembers(Object($object))
}
