import { type JsonMembers, type JsonText, readMembers } from '@heirloom/core'
import { type CryptoWorker, mostMembers } from './crypto-jobs.ts'
import { cryptoWorker, inlineLimit as limit } from './crypto-worker.ts'
import { sumOf } from './hashes.ts'

/** Up to this length, in bytes, handing bytes to a worker takes about as long as the work itself. */
export const inlineLimit = limit

/** A JSON object and its exact bytes. */
export type JsonObject = {
  /** The bytes of the object; they fill their buffer if the bytes that were read did. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The exact texts of its members, which are views of `bytes`. */
  readonly members: JsonMembers
  /** The sha256 of the heading and the bytes, in hexadecimal; absent without a heading. */
  readonly sum: string | undefined
}

/**
 * Reads a JSON object without changing a byte. A worker reads a long one, so that it does not block
 * the event loop; then the given buffer is detached. With a `heading` it also hashes the heading and
 * the bytes.
 *
 * @throws `json/malformed`, `json/duplicate-member` at the top level, `json/too-deep`,
 * `request/malformed` for more than 1000 members
 */
export async function readJsonObject(
  bytes: Uint8Array<ArrayBuffer>,
  heading?: string,
): Promise<JsonObject> {
  if (bytes.length > inlineLimit) return readInWorker({ kind: 'read', bytes, heading })
  return { bytes, members: readMembers(bytes, mostMembers), sum: sumOf(heading, bytes) }
}

async function readInWorker(job: CryptoWorker.Reading): Promise<JsonObject> {
  const answer = await cryptoWorker.ask(job, { moved: [job.bytes.buffer] })
  const { bytes, members = [], sum } = answer as CryptoWorker.ReadBytes
  const texts = members.map(
    ([name, start, end]) => [name, bytes.subarray(start, end) as JsonText] as const,
  )
  return { bytes, members: new Map(texts), sum }
}
