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

/** A course of events that can go on, and go back to take another turn. */
export type Happenings = {
  readonly catalogue: Pick<Catalogue, 'happened' | 'newest' | 'onChange'>
  /** Makes a block with so many events. */
  readonly mine: (events: number) => void
  /** Takes back so many blocks. */
  readonly undo: (blocks: number) => void
  /** Puts the blocks that were taken back last, unchanged, in the place of those that followed. */
  readonly restore: () => void
  /** Returns all events that stand. */
  readonly entries: () => readonly HistoryEntry[]
  /** Resolves once so many questions were asked for what happened. */
  readonly listened: (questions: number) => Promise<void>
}

/** Returns a course of events that has not begun. */
export function happenings(): Happenings {
  let entries: readonly HistoryEntry[] = []
  let [block, turns, asked] = [0n, 0, 0]
  /** What was taken back last, and the lowest block that ever was. */
  let [gone, deepest]: [Gone | undefined, bigint] = [undefined, 2n ** 64n]
  const events = new EventEmitter()
  /** From which block on what an event's listener knew no longer stands. */
  const undone = new Map<string, bigint>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const happened = (after: string | undefined, limit: number): EventBatch => {
    const at = entries.findIndex(({ id }) => id === after)
    if (after === undefined || at !== -1) {
      return { entries: entries.slice(at + 1, at + 1 + limit), undoneFrom: undefined }
    }
    return fromBlock(undone.get(after) ?? least(BigInt(after.split('-', 1).join()), deepest), limit)
  }
  const fromBlock = (from: bigint, limit: number): EventBatch => {
    const later = entries.filter((entry) => entry.block >= from)
    return { entries: later.slice(0, limit), undoneFrom: from }
  }
  const takeBack = (from: bigint) => {
    gone = { from, upTo: block, entries: entries.filter((entry) => entry.block >= from) }
    const known = [...undone].filter(([, since]) => since > from)
    for (const id of [...gone.entries.map((it) => it.id), ...known.map(([it]) => it)])
      undone.set(id, least(undone.get(id) ?? from, from))
    entries = entries.filter((entry) => entry.block < from)
    block = from - 1n
    deepest = least(deepest, from)
    turns += 1
  }
  return {
    catalogue: {
      happened: async (after, limit) => {
        events.emit('asked', ++asked)
        return happened(after, limit)
      },
      newest: async () => entries.at(-1)?.id,
      onChange: (call) => {
        listeners.add(call)
        return () => listeners.delete(call)
      },
    },
    mine: (events) => {
      block += 1n
      const mined = Array.from({ length: events }, (_, at) => entryOf(block, turns, at))
      entries = [...entries, ...mined]
      tell()
    },
    undo: (blocks) => {
      takeBack(block >= BigInt(blocks) ? block - BigInt(blocks) + 1n : 1n)
      tell()
    },
    restore: () => {
      if (gone === undefined) return
      const back = gone
      takeBack(back.from)
      entries = [...entries, ...back.entries]
      block = back.upTo
      tell()
    },
    entries: () => entries,
    listened: async (questions) => {
      while (asked < questions) await once(events, 'asked')
    },
  }
}

type Gone = {
  readonly from: bigint
  readonly upTo: bigint
  readonly entries: readonly HistoryEntry[]
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)

const someone = account('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
const digits = (value: bigint | number, count: number) => value.toString(16).padStart(count, '0')

function entryOf(block: bigint, turn: number, logIndex: number): HistoryEntry {
  const start = `${digits(turn, 4)}${digits(block, 4)}`
  const place = { block, blockHash: hash(`0x${start}${'b1'.repeat(28)}`), logIndex }
  const txHash = `0x${digits(block, 64)}` as const
  const about = {
    tokenId: tokenId(BigInt(1 + (logIndex % 3))),
    id: `${block}-${logIndex}-${start}`,
  }
  const at = fromSeconds(1_800_000_000 + Number(block))
  const happening =
    logIndex % 2 === 0
      ? ({ kind: 'transfer', from: undefined, to: someone } as const)
      : ({ kind: 'card', digest: digest(`0x${'cd'.repeat(32)}`) } as const)
  return { ...place, txHash, at, ...about, ...happening }
}

/** What clients are shown of an event, as far as a listener needs it to follow. */
export type Shown = { readonly id: string; readonly kind: string; readonly block: string }

/** Returns the ids of events, in their order. */
export const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id)

/** Returns what a listener knows once it was told one more thing. */
export function following(known: readonly Shown[], told: Shown): readonly Shown[] {
  if (told.kind === 'reorganised') {
    return known.filter(({ block }) => BigInt(block) < BigInt(told.block))
  }
  return [...known, told]
}
