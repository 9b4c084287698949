import { Failure } from '@heirloom/core'
import { type Hex, keccak256 } from 'viem'
import { diskProblem } from '../platform/disk-problem.ts'
import { type Answers, type Block, keyOf, latestBlock, mine } from './block.ts'
import type { Evm, RpcRequest } from './evm.ts'
import type { Entry, Journal } from './journal.ts'
import { RpcError, rpcCode } from './public-rpc/rpc-error.ts'

/** Journals and mines transactions; the caller sends one at a time. */
export type Sender = {
  /** Returns the timestamp that a block mined now would have, in seconds since 1970. */
  nextTimestamp(): Promise<number>
  /** Journals a signed transaction, mines it and returns its hash. */
  send(raw: Hex): Promise<unknown>
  /** Returns the answer to a request where the newest transaction gave it; `undefined` for any other. */
  answerTo(request: RpcRequest): unknown
}

export declare namespace sender {
  type Parts = {
    readonly evm: Evm
    readonly journal: Journal
    readonly now: () => number
  }
}

/** Returns the sender for the chain of `evm`, whose history is in `journal`. */
export function sender({ evm, journal, now }: sender.Parts): Sender {
  let cachedHead: Block | undefined
  let answers: Answers = new Map()
  const head = async () => {
    cachedHead ??= await latestBlock(evm)
    return cachedHead
  }
  const timestampAfter = ({ timestamp }: Block) => Math.max(timestamp, Math.floor(now() / 1000))
  return {
    nextTimestamp: async () => timestampAfter(await head()),
    answerTo: (request) => (answers.size === 0 ? undefined : answers.get(keyOf(request))),
    send: async (raw) => {
      const parent = await head()
      const { number, hash } = parent
      const entry = { number: number + 1, parent: hash, timestamp: timestampAfter(parent), raw }
      requireWrite(() => journal.add(entry))
      cachedHead = undefined
      answers = new Map()
      try {
        const mined = await mine(evm, entry)
        cachedHead = mined.head
        answers = mined.answers
        return mined.txHash
      } catch (error) {
        throw (await isKnown(evm, raw)) ? new RpcError(rpcCode.refused, 'already known') : error
      } finally {
        settle({ journal, entry, head: await head() })
      }
    },
  }
}

/**
 * Requires that a write to the journal, or a check of its file, does not fail.
 *
 * @throws `ledger/unavailable`
 */
export function requireWrite(write: () => void): void {
  try {
    write()
  } catch (cause) {
    const facts = { operation: 'eth_sendRawTransaction', reason: diskProblem(cause)?.problem }
    throw new Failure('ledger/unavailable', facts, { cause })
  }
}

async function isKnown(evm: Evm, raw: Hex): Promise<boolean> {
  const params = [keccak256(raw)]
  return (await evm.request({ method: 'eth_getTransactionByHash', params })) !== null
}

type Step = { readonly journal: Journal; readonly entry: Entry; readonly head: Block }

function settle({ journal, entry, head }: Step): void {
  try {
    if (head.number === entry.number) journal.saveHead(head)
    else journal.remove(entry.number)
  } catch {
    // The outcome stands without this write: the next entry replaces a rejected one and names the
    // block of a mined one, and a replay detects both cases.
  }
}
