import { Failure } from '@heirloom/core'
import { type Block, blocksAt, latestBlock, mineAll } from './block.ts'
import type { Evm } from './evm.ts'
import type { Entry, Head, Journal } from './journal.ts'
import { RpcError } from './rpc-error.ts'

type Parts = { readonly evm: Evm; readonly journal: Journal }

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
export async function replay({ evm, journal }: Parts): Promise<void> {
  const recorded = journal.head()
  let head = await latestBlock(evm)
  requireReached(recorded, head)
  let length = runLength
  while (head.number < journal.last()) {
    const run = requireRun(journal, head.number + 1, length)
    const refusal = await refusalOf(mineAll(evm, run))
    const mined = await blocksAt(evm, run.map(numberOf))
    head = requireRecorded([head, ...mined], run, recorded)
    if (mined.length === run.length) continue
    // A refusal does not say which entry it is about, so what is left is mined one by one.
    if (length === 1) removeRefused(journal, head.number + 1, refusal)
    length = 1
  }
  requireComplete(recorded, head)
  journal.reach(head)
}

const numberOf = ({ number }: Entry) => number

function requireRun(journal: Journal, first: number, length: number): readonly Entry[] {
  const run = journal.entries(first, length)
  if (run.length === 0) throw diverged(first, 'a transaction', 'a gap')
  return run
}

async function refusalOf(mining: Promise<void>): Promise<RpcError | undefined> {
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
