import { randomBytes, randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { longestWait } from '../../tier.ts'
import { downloadAs, post, type Snapshot } from '../process/server.ts'
import type { Fleet } from './fleet.ts'

/** A memory that was acknowledged, and the key of its request if it had one. */
export type Memory = {
  readonly tokenId: string
  readonly txHash: string
  readonly document: string
  readonly key: string | undefined
}

/** Clients of a fleet, each of whose requests is counted. */
export type CountedLoad = {
  readonly memories: readonly Memory[]
  /** The royalties that were acknowledged, by token. */
  readonly royalties: readonly string[]
  /** The requests that got a response which says success, by name. */
  readonly succeeded: ReadonlyMap<string, number>
  /** The requests that did not, with what came instead. */
  readonly failed: readonly string[]
  /** Waits until so many more memories are acknowledged. */
  readonly wait: (more: number) => Promise<void>
  /** Waits until each client has ended its last request. */
  readonly end: () => Promise<void>
}

/** Starts clients that write, and as many that read what is written; none repeats a request. */
export function startCountedLoad({ owner, balancer: { url } }: Fleet, clients = 4): CountedLoad {
  const state = { memories: [] as Memory[], royalties: [] as string[], failed: [] as string[] }
  const succeeded = new Map<string, number>()
  let isOver = false
  const count = async (name: string, expected: number, send: () => Promise<Response>) => {
    try {
      const response = await send()
      const text = await response.text()
      const end = isBounded(text) ? `${name}, but bounded` : name
      if (end === name && response.status !== expected)
        throw new Error(`${response.status} ${text}`)
      succeeded.set(end, (succeeded.get(end) ?? 0) + 1)
      return text
    } catch (error) {
      state.failed.push(`${name}: ${error}`)
      return undefined
    }
  }
  const write = async (client: number, turn: number) => {
    const document = documentOf(client, turn)
    const key = turn % 2 === 0 ? randomUUID() : undefined
    const text = await count('snapshot', 201, () => snapshot(url, document, key))
    if (text === undefined) return
    const { tokenId, txHash } = JSON.parse(text) as Snapshot
    state.memories.push({ tokenId, txHash, document, key })
    const terms = { tokenId, price: '7', rentalPricePerDay: '0', forkPrice: '0', forkRoyaltyBps: 0 }
    await count('list', 201, () => post(url, '/api/marketplace/list', JSON.stringify(terms)))
    const path = `/api/marketplace/royalty/${tokenId}`
    const paid = await count('royalty', 201, () => post(url, path, '{"amount":"1"}'))
    if (paid !== undefined) state.royalties.push(tokenId)
  }
  const read = async (client: number, turn: number) => {
    const memory = state.memories[(client + 7 * turn) % state.memories.length]
    if (memory === undefined)
      return void (await count('wallet', 200, () => fetch(`${url}/api/wallet`)))
    const { tokenId, document } = memory
    const text = await count('download', 200, () => downloadAs(owner, url, tokenId))
    if (text !== undefined && text !== document)
      state.failed.push(`download: ${tokenId} is ${text}`)
    for (const path of [
      `memory/${tokenId}/info`,
      `marketplace/listings/${tokenId}`,
      'memory?limit=5',
    ]) {
      await count(path.replace(/\d+/, 'id'), 200, () => fetch(`${url}/api/${path}`))
    }
  }
  const repeat = async (client: number, act: typeof write) => {
    for (let turn = 0; !isOver; turn++) await act(client, turn)
  }
  const all = Array.from({ length: clients }, (_, client) => [
    repeat(client, write),
    repeat(client, read),
  ])
  const running = Promise.all(all.flat())
  return {
    ...state,
    succeeded,
    wait: async (more) => {
      const goal = state.memories.length + more
      const isReached = () => state.memories.length >= goal || state.failed.length > 0
      await vi.waitUntil(isReached, { timeout: longestWait, interval: 20 })
    },
    end: async () => {
      isOver = true
      await running
    },
  }
}

/** The bounds of the catalogue in milliseconds, which a slow machine reaches without any upgrade. */
const bounds = ['"catalogue/too-costly"', '"catalogue/busy"']

const isBounded = (problem: string) => bounds.some((code) => problem.includes(code))

const snapshot = (url: string, body: string, key: string | undefined) => {
  const headers = {
    'content-type': 'application/json',
    ...(key && { 'idempotency-key': `"${key}"` }),
  }
  return fetch(`${url}/api/memory/snapshot`, { method: 'POST', headers, body })
}

/** Returns a small document, and now and then one that is stored as a tree of blocks. */
function documentOf(client: number, turn: number): string {
  const thought = randomBytes(turn % 8 === 7 ? 300_000 : 200).toString('base64')
  return `{"data":{"by":${client},"turn":${turn},"thought":"${thought}"},"metadata":{"category":"research"}}`
}
