import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Snapshot } from '../process/server.ts'
import type { Memory } from './counted-load.ts'
import type { Fleet } from './fleet.ts'

/** Clients that write while machines fail. What has a key is repeated until it is acknowledged. */
export type StoryLoad = {
  readonly memories: readonly Memory[]
  /** The documents without a key whose requests got no answer: each may have been made, once. */
  readonly unanswered: readonly string[]
  /** Resolves when so many more memories are acknowledged. */
  readonly makes: (more: number) => Promise<void>
  /** Waits until each client has made its last memory. */
  readonly end: () => Promise<void>
  /** Returns how long after a time a request that was sent since was acknowledged, in milliseconds. */
  readonly pauseAfter: (time: number) => number
}

type Timed = { readonly sentAt: number; readonly at: number }

/** Starts clients that make memories until they are told to end. */
export function startStoryLoad(
  { balancer: { url } }: Pick<Fleet, 'balancer'>,
  clients: number,
): StoryLoad {
  const memories: Memory[] = []
  const unanswered: string[] = []
  const times: Timed[] = []
  const waits = new Set<() => void>()
  let begun = 0
  let isOver = false
  const make = async (turn: number) => {
    const key = turn % 4 === 3 ? undefined : randomUUID()
    const document = documentOf(turn)
    if (key !== undefined) await repeat(() => attempt(document, key))
    else if (!(await attempt(document, key))) unanswered.push(document)
    for (const check of waits) check()
  }
  const attempt = async (document: string, key: string | undefined) => {
    const sentAt = performance.now()
    const made = await snapshot(url, document, key)
    if (made === undefined) return false
    memories.push({ tokenId: made.tokenId, txHash: made.txHash, document, key })
    times.push({ sentAt, at: performance.now() })
    return true
  }
  const client = async () => {
    while (!isOver) {
      begun += 1
      await make(begun)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  const makes = (more: number) => {
    const goal = memories.length + more
    return new Promise<void>((resolve) => {
      const check = () => {
        if (memories.length < goal) return
        waits.delete(check)
        resolve()
      }
      waits.add(check)
    })
  }
  return {
    memories,
    unanswered,
    makes,
    end: async () => {
      isOver = true
      await running
    },
    pauseAfter: (time) => {
      const later = times.filter(({ sentAt }) => sentAt >= time).map(({ at }) => at)
      return Math.round(Math.min(...later) - time)
    },
  }
}

/** Repeats an attempt until it succeeds. */
async function repeat(attempt: () => Promise<boolean>): Promise<void> {
  while (!(await attempt())) await setTimeout(pause)
}

/** The time before a request is repeated, and after which a client gives it up, in milliseconds. */
const [pause, patience] = [100, 30_000]

/** Sends a memory, and returns its token; `undefined` where it was not acknowledged. */
async function snapshot(
  url: string,
  body: string,
  key: string | undefined,
): Promise<Snapshot | undefined> {
  const headers = {
    'content-type': 'application/json',
    ...(key && { 'idempotency-key': `"${key}"` }),
  }
  const signal = AbortSignal.timeout(patience)
  try {
    const response = await fetch(`${url}/api/memory/snapshot`, {
      method: 'POST',
      headers,
      body,
      signal,
    })
    const answer = (await response.json()) as Snapshot
    return response.status === 201 ? answer : undefined
  } catch {
    return undefined
  }
}

/** Returns a small document, and now and then one that is stored as a tree of blocks. */
function documentOf(turn: number): string {
  const thought = randomBytes(turn % 25 === 0 ? 300_000 : 200).toString('base64')
  return `{"data":{"turn":${turn},"thought":"${thought}"},"metadata":{"category":"research"}}`
}
