import { Failure } from '@heirloom/core'
import { type Block, latestBlock, mine } from './block.ts'
import type { Evm } from './evm.ts'
import type { Entry, Journal } from './journal.ts'
import { RpcError } from './rpc-error.ts'

type Parts = { readonly evm: Evm; readonly journal: Journal }

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
  const last = journal.last()
  let head = await latestBlock(evm)
  requireReached(journal, head)
  for (let number = 1; number <= last; number++) {
    const next = await replayEntry({ evm, journal }, requireEntry(journal, head))
    if (!next) break
    head = next
    requireReached(journal, head)
  }
  requireComplete(journal, head)
  journal.reach(head)
}

function requireEntry(journal: Journal, { number, hash }: Block): Entry {
  const entry = journal.entry(number + 1)
  if (!entry) throw diverged(number + 1, 'a transaction', 'a gap')
  if (entry.parent !== hash) throw diverged(number, entry.parent, hash)
  return entry
}

async function replayEntry({ evm, journal }: Parts, entry: Entry): Promise<Block | undefined> {
  try {
    await mine(evm, entry)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    if (acknowledged(journal, entry)) throw diverged(entry.number, 'a block', error.message)
    journal.remove(entry.number)
    return undefined
  }
  return latestBlock(evm)
}

function acknowledged(journal: Journal, { number }: Entry): boolean {
  return number < journal.last() || number <= (journal.head()?.number ?? 0)
}

function requireReached(journal: Journal, { number, hash }: Block): void {
  const recorded = journal.head()
  if (recorded?.number === number && recorded.hash !== hash)
    throw diverged(number, recorded.hash, hash)
}

function requireComplete(journal: Journal, { number, hash }: Block): void {
  const recorded = journal.head()
  if (recorded && recorded.number > number) throw diverged(recorded.number, recorded.hash, hash)
}

function diverged(entry: number, expected: string, actual: string): Failure<'journal/diverged'> {
  return new Failure('journal/diverged', { entry, expected, actual })
}
