import { EventEmitter, once } from 'node:events'
import {
  account,
  type Catalogue,
  digest,
  type EventBatch,
  fromSeconds,
  type HistoryEntry,
  hash,
  tokenId,
} from '@heirloom/core'

/** A history of events in memory, which a test extends and reorganises. */
export type EventHistory = {
  readonly catalogue: Pick<Catalogue, 'eventsAfter' | 'newestEventId' | 'onChange'>
  /** Mines a block with so many events. */
  readonly mine: (events: number) => void
  /** Undoes so many blocks. */
  readonly undo: (blocks: number) => void
  /** Restores the blocks that were undone last, unchanged; they replace those mined since. */
  readonly restore: () => void
  /** Returns all canonical events. */
  readonly entries: () => readonly HistoryEntry[]
  /** Resolves once the catalogue was read for events so many times. */
  readonly polled: (times: number) => Promise<void>
}

/** Returns a history without blocks. */
export function eventHistory(): EventHistory {
  let entries: readonly HistoryEntry[] = []
  let [block, branch, reads] = [0n, 0, 0]
  /** The blocks that were undone last, and the first block that ever was. */
  let [removed, deepest]: [RemovedBlocks | undefined, bigint] = [undefined, 2n ** 64n]
  const emitter = new EventEmitter()
  /** The first reorganised block since each undone event. */
  const undone = new Map<string, bigint>()
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const eventsAfter = (after: string | undefined, limit: number): EventBatch => {
    const index = entries.findIndex(({ id }) => id === after)
    if (after === undefined || index !== -1) {
      return { entries: entries.slice(index + 1, index + 1 + limit), reorganisedFrom: undefined }
    }
    const from = undone.get(after) ?? lower(BigInt(after.split('-', 1).join()), deepest)
    return eventsFrom(from, limit)
  }
  const eventsFrom = (from: bigint, limit: number): EventBatch => {
    const later = entries.filter((entry) => entry.block >= from)
    return { entries: later.slice(0, limit), reorganisedFrom: from }
  }
  const removeFrom = (from: bigint) => {
    removed = { from, upTo: block, entries: entries.filter((entry) => entry.block >= from) }
    const known = [...undone].filter(([, since]) => since > from)
    for (const id of [...removed.entries.map((it) => it.id), ...known.map(([it]) => it)])
      undone.set(id, lower(undone.get(id) ?? from, from))
    entries = entries.filter((entry) => entry.block < from)
    block = from - 1n
    deepest = lower(deepest, from)
    branch += 1
  }
  return {
    catalogue: {
      eventsAfter: async (after, limit) => {
        emitter.emit('read', ++reads)
        return eventsAfter(after, limit)
      },
      newestEventId: async () => entries.at(-1)?.id,
      onChange: (call) => {
        listeners.add(call)
        return () => listeners.delete(call)
      },
    },
    mine: (events) => {
      block += 1n
      const mined = Array.from({ length: events }, (_, index) => newEvent(block, branch, index))
      entries = [...entries, ...mined]
      notify()
    },
    undo: (blocks) => {
      removeFrom(block >= BigInt(blocks) ? block - BigInt(blocks) + 1n : 1n)
      notify()
    },
    restore: () => {
      if (removed === undefined) return
      const restored = removed
      removeFrom(restored.from)
      entries = [...entries, ...restored.entries]
      block = restored.upTo
      notify()
    },
    entries: () => entries,
    polled: async (times) => {
      while (reads < times) await once(emitter, 'read')
    },
  }
}

type RemovedBlocks = {
  readonly from: bigint
  readonly upTo: bigint
  readonly entries: readonly HistoryEntry[]
}

const lower = (one: bigint, other: bigint) => (one < other ? one : other)

const someone = account('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
const digits = (value: bigint | number, count: number) => value.toString(16).padStart(count, '0')

function newEvent(block: bigint, branch: number, logIndex: number): HistoryEntry {
  const start = `${digits(branch, 4)}${digits(block, 4)}`
  const position = { block, blockHash: hash(`0x${start}${'b1'.repeat(28)}`), logIndex }
  const txHash = `0x${digits(block, 64)}` as const
  const ids = {
    tokenId: tokenId(BigInt(1 + (logIndex % 3))),
    id: `${block}-${logIndex}-${start}`,
  }
  const at = fromSeconds(1_800_000_000 + Number(block))
  const event =
    logIndex % 2 === 0
      ? ({ kind: 'transfer', from: undefined, to: someone } as const)
      : ({ kind: 'card', digest: digest(`0x${'cd'.repeat(32)}`) } as const)
  return { ...position, txHash, at, ...ids, ...event }
}

/** The fields of a sent event that a subscriber needs. */
export type SentEvent = { readonly id: string; readonly kind: string; readonly block: string }

/** Returns the ids of events, in their order. */
export const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id)

/** Returns the events that a subscriber knows after it received one more. */
export function applySentEvent(known: readonly SentEvent[], sent: SentEvent): readonly SentEvent[] {
  if (sent.kind === 'reorganised') {
    return known.filter(({ block }) => BigInt(block) < BigInt(sent.block))
  }
  return [...known, sent]
}
