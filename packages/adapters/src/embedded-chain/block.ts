import { setImmediate } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Evm, RpcRequest } from './evm.ts'
import type { Entry } from './journal.ts'
import type { SignAnew } from './skip-recovery.ts'
import { readVoidEntry, voidRequests } from './void-entry.ts'

/** What a block's successor needs to know of it. */
export type Block = {
  readonly number: number
  readonly hash: Hex
  /** Seconds since 1970. */
  readonly timestamp: number
}

/** Returns the newest block. */
export async function latestBlock(evm: Evm): Promise<Block> {
  return blockOf((await evm.request(asked('latest'))) as Answer)
}

/** Returns those of the blocks with these numbers that there are, in the same order. */
export async function blocksAt(evm: Evm, numbers: readonly number[]): Promise<readonly Block[]> {
  const asking = numbers.map((number) => asked(`0x${number.toString(16)}`))
  const answers = (await evm.requestAll(asking)) as readonly (Answer | null)[]
  return answers.filter((it) => it !== null).map(blockOf)
}

const asked = (block: string) => ({ method: 'eth_getBlockByNumber', params: [block, false] })

type Answer = { readonly [name in keyof Block]: Hex }

function blockOf({ number, hash, timestamp }: Answer): Block {
  return { number: Number(number), hash, timestamp: Number(timestamp) }
}

/** Makes `timestamp` the time of the next block, and of calls on the pending one. */
export async function setNextTimestamp(evm: Evm, timestamp: number): Promise<void> {
  await evm.request(timing(timestamp))
}

/** Mines the block of one transaction and returns the transaction's hash. */
export async function mine(
  evm: Evm,
  { raw, timestamp }: Pick<Entry, 'raw' | 'timestamp'>,
): Promise<unknown> {
  await setNextTimestamp(evm, timestamp)
  return evm.request(sending(raw))
}

/** How many requests are made before others get their turn: a few milliseconds' work. */
const atATime = 25

/** Returns the requests that mine one block for each transaction. */
export async function minings(
  entries: readonly Pick<Entry, 'raw' | 'timestamp'>[],
  signAnew: SignAnew,
): Promise<readonly RpcRequest[]> {
  const requests: RpcRequest[] = []
  for (const [place, { raw, timestamp }] of entries.entries()) {
    if (place % atATime === atATime - 1) await setImmediate()
    const empty = readVoidEntry(raw)
    const mining = empty ? voidRequests(empty) : [signAnew(raw) ?? sending(raw)]
    requests.push(timing(timestamp), ...mining)
  }
  return requests
}

const timing = (timestamp: number) => ({
  method: 'evm_setNextBlockTimestamp',
  params: [timestamp],
})

const sending = (raw: Hex) => ({ method: 'eth_sendRawTransaction', params: [raw] })
