import { Failure } from '@heirloom/core'
import { type Hex, keccak256 } from 'viem'
import { type Block, latestBlock, mine } from './block.ts'
import type { Evm } from './evm.ts'
import type { Entry, Journal } from './journal.ts'
import { RpcError, rpcCode } from './public-rpc/rpc-error.ts'

/** Journals and mines transactions; its caller lets only one in at a time. */
export type Sender = {
  /** The time that a block mined now would carry, in seconds since 1970. */
  nextTimestamp(): Promise<number>
  send(raw: Hex): Promise<unknown>
}

export declare namespace sender {
  type Parts = {
    readonly evm: Evm
    readonly journal: Journal
    readonly now: () => number
  }
}

/** Continues the chain of `evm`, which `journal` records. */
export function sender({ evm, journal, now }: sender.Parts): Sender {
  let known: Block | undefined
  const head = async () => {
    known ??= await latestBlock(evm)
    return known
  }
  const timestampAfter = ({ timestamp }: Block) => Math.max(timestamp, Math.floor(now() / 1000))
  return {
    nextTimestamp: async () => timestampAfter(await head()),
    send: async (raw) => {
      const parent = await head()
      const { number, hash } = parent
      const entry = { number: number + 1, parent: hash, timestamp: timestampAfter(parent), raw }
      write(journal, entry)
      known = undefined
      try {
        return await mine(evm, entry)
      } catch (error) {
        throw (await isKnown(evm, raw)) ? new RpcError(rpcCode.refused, 'already known') : error
      } finally {
        settle({ journal, entry, head: await head() })
      }
    },
  }
}

function write(journal: Journal, entry: Entry): void {
  try {
    journal.add(entry)
  } catch (cause) {
    throw new Failure('ledger/unavailable', { operation: 'eth_sendRawTransaction' }, { cause })
  }
}

async function isKnown(evm: Evm, raw: Hex): Promise<boolean> {
  const params = [keccak256(raw)]
  return (await evm.request({ method: 'eth_getTransactionByHash', params })) !== null
}

type Step = { readonly journal: Journal; readonly entry: Entry; readonly head: Block }

function settle({ journal, entry, head }: Step): void {
  try {
    if (head.number === entry.number) journal.reach(head)
    else journal.remove(entry.number)
  } catch {
    // The outcome stands without this note: the next entry overwrites a refused one and names the
    // block a mined one reached, and a replay finds out by itself.
  }
}
