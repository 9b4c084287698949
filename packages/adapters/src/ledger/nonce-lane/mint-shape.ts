import { type Hex, pad } from 'viem'
import { decodeMint, wordAt } from './job.ts'
import type { JobRow } from './job-row.ts'

/**
 * Returns the shape of mints that cannot fail and whose gas depends on nothing else: roots for the
 * wallet itself. Mints of one shape cost the same, up to the zeros in their hashes.
 */
export function shapeOfMints(
  rows: readonly Pick<JobRow, 'operation' | 'data'>[],
  wallet: Hex,
): string | undefined {
  const self = pad(wallet).toLowerCase()
  if (rows.some(({ operation }) => operation !== 'mint')) return undefined
  const mints = rows.map(({ data }) => decodeMint(data))
  if (!mints.every(({ item }) => isOwnRoot(item, self))) return undefined
  const kinds = mints.map(({ card }) => (card === undefined ? 'plain' : 'card'))
  return kinds.includes('card') ? kinds.join(' ') : `${kinds.length} plain`
}

function isOwnRoot(item: Hex, self: string): boolean {
  const [recipient, contentHash, parent] = [wordAt(item, 0), wordAt(item, 1), wordAt(item, 3)]
  return recipient.toLowerCase() === self && BigInt(contentHash) !== 0n && BigInt(parent) === 0n
}
