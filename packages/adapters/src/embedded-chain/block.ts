import { setImmediate } from 'node:timers/promises'
import { concat, type Hex, keccak256, numberToHex, slice } from 'viem'
import type { Evm, RpcRequest } from './evm.ts'
import type { Entry } from './journal.ts'
import type { SkipRecovery } from './skip-recovery.ts'

/** The fields of a block that its successor depends on. */
export type Block = {
  readonly number: number
  readonly hash: Hex
  /** Seconds since 1970. */
  readonly timestamp: number
}

/** Returns the newest block. */
export async function latestBlock(evm: Evm): Promise<Block> {
  return blockOf((await evm.request(blockRequest('latest'))) as RpcBlock)
}

/** Returns the blocks with these numbers in the same order, without those that do not exist. */
export async function blocksAt(evm: Evm, numbers: readonly number[]): Promise<readonly Block[]> {
  const requests = numbers.map((number) => blockRequest(`0x${number.toString(16)}`))
  const blocks = (await evm.requestAll(requests)) as readonly (RpcBlock | null)[]
  return blocks.filter((it) => it !== null).map(blockOf)
}

const blockRequest = (block: string) => ({
  method: 'eth_getBlockByNumber',
  params: [block, false],
})

type RpcBlock = { readonly [name in keyof Block]: Hex }

function blockOf({ number, hash, timestamp }: RpcBlock): Block {
  return { number: Number(number), hash, timestamp: Number(timestamp) }
}

/** Sets the timestamp of the next block and of calls on the pending block. */
export async function setNextTimestamp(evm: Evm, timestamp: number): Promise<void> {
  await evm.request(timestampRequest(timestamp))
}

/** The answers to requests, by `keyOf` them. */
export type Answers = ReadonlyMap<string, unknown>

/** Returns the key of a request among answers. */
export const keyOf = ({ method, params }: RpcRequest): string => JSON.stringify([method, params])

/**
 * Mines the block of one transaction. Returns the hash of the transaction, and the newest block with the
 * answers that its sender asks for next.
 */
export async function mine(
  evm: Evm,
  { raw, timestamp }: Pick<Entry, 'raw' | 'timestamp'>,
): Promise<{ readonly txHash: unknown; readonly head: Block; readonly answers: Answers }> {
  const next = [blockRequest('latest'), receiptRequest(keccak256(raw))]
  const mining = [timestampRequest(timestamp), sendRequest(raw)]
  const [, txHash, ...results] = await evm.requestAll([...mining, ...next])
  const answers = new Map(next.map((request, index) => [keyOf(request), results[index]]))
  return { txHash, head: blockOf(results[0] as RpcBlock), answers }
}

const receiptRequest = (hash: Hex) => ({ method: 'eth_getTransactionReceipt', params: [hash] })

/** The number of requests between two turns of the event loop: a few milliseconds of work. */
const requestsPerTurn = 25

/** Returns the requests that mine one block for each journal entry. */
export async function miningRequests(
  entries: readonly Pick<Entry, 'raw' | 'timestamp'>[],
  skipRecovery: SkipRecovery,
): Promise<readonly RpcRequest[]> {
  const requests: RpcRequest[] = []
  for (const [index, { raw, timestamp }] of entries.entries()) {
    if (index % requestsPerTurn === requestsPerTurn - 1) await setImmediate()
    const voided = readVoidEntry(raw)
    const mining = voided ? voidRequests(voided) : [skipRecovery(raw) ?? sendRequest(raw)]
    requests.push(timestampRequest(timestamp), ...mining)
  }
  return requests
}

const timestampRequest = (timestamp: number) => ({
  method: 'evm_setNextBlockTimestamp',
  params: [timestamp],
})

const sendRequest = (raw: Hex) => ({ method: 'eth_sendRawTransaction', params: [raw] })

/** A transaction that was removed from the history; only its sender's nonce is still used up. */
export type VoidEntry = { readonly sender: Hex; readonly nonce: number }

// No signed transaction begins with a zero byte (EIP-2718).
const mark = '0x00'
const bytes = 1 + 20 + 8

/** Encodes the journal entry that replaces a removed transaction. */
export const voidEntry = ({ sender, nonce }: VoidEntry): Hex =>
  concat([mark, sender, numberToHex(nonce, { size: 8 })])

/** Decodes the journal entry of a removed transaction; returns `undefined` for a transaction. */
export function readVoidEntry(raw: Hex): VoidEntry | undefined {
  if (!raw.startsWith(mark) || raw.length !== 2 + 2 * bytes) return undefined
  return { sender: slice(raw, 1, 21), nonce: Number(slice(raw, 21)) }
}

/** Returns the requests that mine an empty block and use up the nonce of the removed transaction. */
export const voidRequests = ({ sender, nonce }: VoidEntry): readonly RpcRequest[] => [
  { method: 'hardhat_setNonce', params: [sender, numberToHex(nonce + 1)] },
  { method: 'evm_mine', params: [] },
]
