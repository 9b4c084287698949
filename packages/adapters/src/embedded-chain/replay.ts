import { Failure } from '@heirloom/core'
import { type Block, blocksAt, miningRequests } from './block.ts'
import type { Evm } from './evm.ts'
import type { Entry, Head, Journal } from './journal.ts'
import { RpcError } from './public-rpc/rpc-error.ts'
import type { SkipRecovery } from './skip-recovery.ts'

export declare namespace replay {
  type Parts = {
    readonly evm: Evm
    /** The only block that the EVM has yet. */
    readonly genesis: Block
    readonly journal: Journal
    readonly skipRecovery: SkipRecovery
    /** Stops the replay with the reason of the abort. */
    readonly signal: AbortSignal
  }
}

/** The number of blocks in a run: enough to keep the EVM busy while the server starts. */
const runLength = 500

/**
 * Mines every block of the journal again.
 *
 * An entry is written before it is executed, so the last one may be a transaction that the chain
 * rejects, when the process ended before it could remove the entry. It is removed now. Any other
 * difference from the journal stops the replay.
 *
 * @throws `journal/diverged`
 */
export async function replay(parts: replay.Parts): Promise<void> {
  const { journal, genesis } = parts
  const recordedHead = journal.head()
  let head = genesis
  requireSameHash(recordedHead, head)
  let ahead = await startMining(parts, head.number + 1)
  while (ahead !== undefined) {
    parts.signal.throwIfAborted()
    const { run, mined } = ahead
    // The EVM mines the next run while this one is compared.
    ahead = await startMining(parts, head.number + run.length + 1)
    const [rejection, blocks] = await mined
    head = requireRecordedBlocks([head, ...blocks], run, recordedHead)
    if (blocks.length < run.length) removeRejected(journal, head.number + 1, rejection)
  }
  requireComplete(recordedHead, head)
  journal.saveHead(head)
}

type Run = {
  readonly run: readonly Entry[]
  /** The rejection that ended the run early, and the blocks that were mined. */
  readonly mined: Promise<readonly [rejection: RpcError | undefined, blocks: readonly Block[]]>
}

/** Starts to mine the entries from a number on; returns `undefined` when there are none. */
async function startMining(parts: replay.Parts, first: number): Promise<Run | undefined> {
  const { evm, journal, skipRecovery } = parts
  if (first > journal.last()) return undefined
  const run = journal.entries(first, runLength)
  if (run.length === 0) throw diverged(first, 'a transaction', 'a gap')
  const requests = await miningRequests(run, skipRecovery)
  const mined = Promise.all([
    rejectionOf(evm.requestAll(requests)),
    blocksAt(evm, run.map(numberOf)),
  ])
  // It is never awaited when the run before it differs from the journal.
  mined.catch(() => undefined)
  return { run, mined }
}

const numberOf = ({ number }: Entry) => number

async function rejectionOf(mining: Promise<unknown>): Promise<RpcError | undefined> {
  try {
    await mining
    return undefined
  } catch (error) {
    if (error instanceof RpcError) return error
    throw error
  }
}

/** Requires the parent and the mined blocks of a run to be the recorded ones; returns the last. */
function requireRecordedBlocks(
  blocks: readonly [Block, ...Block[]],
  run: readonly Entry[],
  recordedHead: Head | undefined,
): Block {
  for (const [index, block] of blocks.entries()) {
    requireSameHash(recordedHead, block)
    const parent = run[index]?.parent ?? block.hash
    if (parent !== block.hash) throw diverged(block.number, parent, block.hash)
  }
  return blocks.at(-1) ?? blocks[0]
}

function removeRejected(journal: Journal, number: number, rejection: RpcError | undefined): void {
  const acknowledged = number < journal.last() || number <= (journal.head()?.number ?? 0)
  if (acknowledged) throw diverged(number, 'a block', rejection?.message ?? 'none')
  journal.remove(number)
}

function requireSameHash(recordedHead: Head | undefined, { number, hash }: Block): void {
  if (recordedHead?.number === number && recordedHead.hash !== hash)
    throw diverged(number, recordedHead.hash, hash)
}

function requireComplete(recordedHead: Head | undefined, { number, hash }: Block): void {
  if (recordedHead && recordedHead.number > number)
    throw diverged(recordedHead.number, recordedHead.hash, hash)
}

function diverged(entry: number, expected: string, actual: string): Failure<'journal/diverged'> {
  return new Failure('journal/diverged', { entry, expected, actual })
}
