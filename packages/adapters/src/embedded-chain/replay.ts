import { Failure } from '@heirloom/core'
import { type Block, blocksAt, minings } from './block.ts'
import type { Evm } from './evm.ts'
import type { Entry, Head, Journal } from './journal.ts'
import { RpcError } from './public-rpc/rpc-error.ts'
import type { SignAnew } from './skip-recovery.ts'

export declare namespace replay {
  type Parts = {
    readonly evm: Evm
    /** The only block that it has yet. */
    readonly genesis: Block
    readonly journal: Journal
    readonly signAnew: SignAnew
    /** Ends the replay with its reason. */
    readonly signal: AbortSignal
  }
}

/** How many blocks are asked for at once: enough to be mined while this thread loads a server. */
const runLength = 500

/**
 * Mines every journaled block again.
 *
 * An entry is written before it is executed, so the last one may be a transaction that the chain
 * refuses: its process ended before it could be removed. It is removed now. Any other difference
 * from what the journal recorded stops the replay.
 *
 * @throws `journal/diverged`
 */
export async function replay(parts: replay.Parts): Promise<void> {
  const { journal, genesis } = parts
  const recorded = journal.head()
  let head = genesis
  requireReached(recorded, head)
  let ahead = await mining(parts, head.number + 1)
  while (ahead !== undefined) {
    parts.signal.throwIfAborted()
    const { run, mined } = ahead
    // The EVM goes on while what it has mined is compared.
    ahead = await mining(parts, head.number + run.length + 1)
    const [refusal, blocks] = await mined
    head = requireRecorded([head, ...blocks], run, recorded)
    if (blocks.length < run.length) removeRefused(journal, head.number + 1, refusal)
  }
  requireComplete(recorded, head)
  journal.reach(head)
}

type Mining = {
  readonly run: readonly Entry[]
  /** Why it ended before the end of the run, and the blocks it gave. */
  readonly mined: Promise<readonly [refusal: RpcError | undefined, blocks: readonly Block[]]>
}

/** Begins to mine the entries from a number on, if there are any. */
async function mining(parts: replay.Parts, first: number): Promise<Mining | undefined> {
  const { evm, journal, signAnew } = parts
  if (first > journal.last()) return undefined
  const run = journal.entries(first, runLength)
  if (run.length === 0) throw diverged(first, 'a transaction', 'a gap')
  const requests = await minings(run, signAnew)
  const mined = Promise.all([refusalOf(evm.requestAll(requests)), blocksAt(evm, run.map(numberOf))])
  // Nobody waits for it where the run before it differs from what was recorded.
  mined.catch(() => undefined)
  return { run, mined }
}

const numberOf = ({ number }: Entry) => number

async function refusalOf(mining: Promise<unknown>): Promise<RpcError | undefined> {
  try {
    await mining
    return undefined
  } catch (error) {
    if (error instanceof RpcError) return error
    throw error
  }
}

/** Returns the last of the blocks that a run stands on and gave, each of which is the recorded one. */
function requireRecorded(
  blocks: readonly [Block, ...Block[]],
  run: readonly Entry[],
  recorded: Head | undefined,
): Block {
  for (const [index, block] of blocks.entries()) {
    requireReached(recorded, block)
    const parent = run[index]?.parent ?? block.hash
    if (parent !== block.hash) throw diverged(block.number, parent, block.hash)
  }
  return blocks.at(-1) ?? blocks[0]
}

function removeRefused(journal: Journal, number: number, refusal: RpcError | undefined): void {
  const acknowledged = number < journal.last() || number <= (journal.head()?.number ?? 0)
  if (acknowledged) throw diverged(number, 'a block', refusal?.message ?? 'none')
  journal.remove(number)
}

function requireReached(recorded: Head | undefined, { number, hash }: Block): void {
  if (recorded?.number === number && recorded.hash !== hash)
    throw diverged(number, recorded.hash, hash)
}

function requireComplete(recorded: Head | undefined, { number, hash }: Block): void {
  if (recorded && recorded.number > number) throw diverged(recorded.number, recorded.hash, hash)
}

function diverged(entry: number, expected: string, actual: string): Failure<'journal/diverged'> {
  return new Failure('journal/diverged', { entry, expected, actual })
}
