import type { Progress } from './counted-body.ts'

/** Reads an answer to its end, telling how far it has come. */
export async function readWhole(
  { body, headers }: Response,
  tell: (progress: Progress) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = headers.get('content-length')
  // What was packed on the way is longer than it says.
  const isPlain = headers.get('content-encoding') === null
  const total = length !== null && isPlain ? { total: Number(length) } : {}
  const parts: Uint8Array[] = []
  let bytes = 0
  const reader = body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value)
    bytes += part.value.length
    tell({ phase: 'download', bytes, ...total })
  }
  return joined(parts)
}

/** Returns parts in one piece. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
