import { releaseBuffer } from '../platform/release-buffer.ts'

/** Concatenates parts of an expected total length, and releases the memory of each. */
export async function concatenate(
  parts: AsyncIterable<Uint8Array>,
  expected = 0,
): Promise<Uint8Array> {
  let whole = new Uint8Array(expected)
  let length = 0
  for await (const part of parts) {
    if (length + part.length > whole.length)
      whole = Buffer.concat([whole.subarray(0, length), part])
    else whole.set(part, length)
    length += part.length
    releaseBuffer(part)
  }
  return whole.subarray(0, length)
}
