import type { RunnableConfig } from '@langchain/core/runnables'
import type { SerializerProtocol } from '@langchain/langgraph-checkpoint'
import { base64Of, bytesOfBase64 } from '../json-values.ts'
import { type Data, listIn, unexpectedMemory } from '../state.ts'

/** A value as its serializer wrote it: JSON as it is, anything else as bytes in Base64. */
export type StoredValue =
  | { readonly json: unknown }
  | { readonly type: string; readonly bytes: string }

/** Encodes a value with a serializer. */
export async function storeValue(serde: SerializerProtocol, value: unknown): Promise<StoredValue> {
  const [type, bytes] = await serde.dumpsTyped(value)
  if (type === 'json') return { json: JSON.parse(new TextDecoder().decode(bytes)) }
  return { type, bytes: base64Of(bytes) }
}

/** Decodes a value with a serializer. */
export async function loadValue(serde: SerializerProtocol, value: StoredValue): Promise<unknown> {
  if ('json' in value) return serde.loadsTyped('json', JSON.stringify(value.json))
  return serde.loadsTyped(value.type, bytesOfBase64(value.bytes))
}

/**
 * The value of a channel at a checkpoint: whole, or the first items of the list that the same channel has
 * at another checkpoint, with more behind them.
 */
export type ChannelValue = { readonly channel: string } & (
  | { readonly value: StoredValue }
  | { readonly of: string; readonly take: number; readonly add: readonly unknown[] }
  /** The same value as at another checkpoint. */
  | { readonly of: string }
)

/** A checkpoint of a thread. */
export type CheckpointRecord = {
  readonly ns: string
  readonly id: string
  readonly parent?: string | undefined
  /** The checkpoint without the values of its channels. */
  readonly checkpoint: StoredValue
  readonly metadata: StoredValue
  readonly values: readonly ChannelValue[]
}

/** A write of a task that is not part of a checkpoint yet. */
export type WriteRecord = {
  readonly ns: string
  readonly checkpoint: string
  readonly task: string
  readonly path: string
  readonly index: number
  readonly channel: string
  readonly value: StoredValue
}

/** A thread with its checkpoints and the writes between them. */
export type Thread = {
  readonly checkpoints: readonly CheckpointRecord[]
  readonly writes: readonly WriteRecord[]
}

/** Reads the thread in a memory. @throws `client/unexpected-memory` */
export const threadIn = (data: Data): Thread => ({
  checkpoints: listIn<CheckpointRecord>(data, 'checkpoints'),
  writes: listIn<WriteRecord>(data, 'writes'),
})

/** Returns a checkpoint of a namespace by its id; the last one without an id. */
export function findCheckpoint(
  { checkpoints }: Pick<Thread, 'checkpoints'>,
  ns: string,
  id: string | undefined,
): CheckpointRecord | undefined {
  const all = checkpoints.filter((it) => it.ns === ns)
  if (id) return all.find((it) => it.id === id)
  return all.reduce<CheckpointRecord | undefined>(
    (last, it) => (last === undefined || it.id > last.id ? it : last),
    undefined,
  )
}

/** Returns the stored value of a channel at a checkpoint; `undefined` when it has none there. */
export function valueAt(
  thread: Pick<Thread, 'checkpoints'>,
  { ns, id }: Pick<CheckpointRecord, 'ns' | 'id'>,
  channel: string,
): StoredValue | undefined {
  const changes: { readonly take: number; readonly add: readonly unknown[] }[] = []
  let at: string | undefined = id
  for (let steps = 0; steps <= thread.checkpoints.length; steps += 1) {
    const record = findCheckpoint(thread, ns, at)
    const found: ChannelValue | undefined = record?.values.find((it) => it.channel === channel)
    if (found === undefined) return undefined
    if ('value' in found) return withChanges(found.value, changes)
    if ('take' in found) changes.unshift(found)
    at = found.of
  }
  throw unexpectedMemory(`the channel ${channel} of its checkpoint ${id} refers to itself`)
}

function withChanges(
  value: StoredValue,
  changes: readonly { readonly take: number; readonly add: readonly unknown[] }[],
): StoredValue {
  if (changes.length === 0) return value
  if (!('json' in value) || !Array.isArray(value.json)) {
    throw unexpectedMemory('a list of it continues something that is none')
  }
  const items: unknown[] = [...value.json]
  for (const { take, add } of changes) items.splice(take, items.length, ...add)
  return { json: items }
}

/**
 * Returns how a value is stored after the same channel at another checkpoint: a list that begins as that
 * one, as all lists of messages do, by what it adds.
 */
export function continueValue(
  channel: string,
  value: StoredValue,
  earlier: { readonly of: string; readonly value: StoredValue } | undefined,
): ChannelValue {
  const [items, before] = [itemsOf(value), earlier && itemsOf(earlier.value)]
  if (items === undefined || before === undefined || earlier === undefined)
    return { channel, value }
  const same = (item: unknown, at: number) => JSON.stringify(item) === JSON.stringify(items[at])
  const differs = before.findIndex((item, at) => !same(item, at))
  const take = differs === -1 ? Math.min(before.length, items.length) : differs
  if (take === 0) return { channel, value }
  return { channel, of: earlier.of, take, add: items.slice(take) }
}

const itemsOf = (value: StoredValue): readonly unknown[] | undefined =>
  'json' in value && Array.isArray(value.json) ? value.json : undefined

/** Returns the thread with a checkpoint. One with the same id is replaced, and what refers to it stays. */
export function withCheckpoint(thread: Thread, record: CheckpointRecord): Thread {
  const { ns, id } = record
  if (findCheckpoint(thread, ns, id) === undefined) {
    return { ...thread, checkpoints: [...thread.checkpoints, record] }
  }
  const checkpoints = thread.checkpoints.map((it) => {
    if (it.ns !== ns) return it
    if (it.id === id) return record
    return { ...it, values: it.values.map((one) => detach(thread, it, one, id)) }
  })
  return { ...thread, checkpoints }
}

/** Returns a value whole that refers to a checkpoint. */
function detach(thread: Thread, record: CheckpointRecord, value: ChannelValue, from: string) {
  if (!('of' in value) || value.of !== from) return value
  const { channel } = value
  const whole = valueAt(thread, record, channel)
  return whole === undefined ? value : { channel, value: whole }
}

/** Returns the thread with writes; of a task that wrote before only special ones are replaced. */
export function withWrites(thread: Thread, writes: readonly WriteRecord[]): Thread {
  const isSame = (one: WriteRecord) => (other: WriteRecord) =>
    one.ns === other.ns &&
    one.checkpoint === other.checkpoint &&
    one.task === other.task &&
    one.index === other.index
  const fresh = writes.filter((it) => it.index < 0 || !thread.writes.some(isSame(it)))
  if (fresh.length === 0) return thread
  const retained = thread.writes.filter((it) => !fresh.some(isSame(it)))
  return { ...thread, writes: [...retained, ...fresh] }
}

/** The thread, the namespace and the checkpoint that a config names. */
type Place = {
  readonly threadId: string | undefined
  readonly ns: string
  readonly id: string | undefined
}

/** Reads the place that a config names. @throws {TypeError} when one is no string */
export function placeOf({ configurable = {} }: RunnableConfig): Place {
  return {
    threadId: textIn(configurable, 'thread_id') || undefined,
    ns: textIn(configurable, 'checkpoint_ns') ?? '',
    id: textIn(configurable, 'checkpoint_id') || textIn(configurable, 'thread_ts') || undefined,
  }
}

function textIn(fields: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = fields[field] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw new TypeError(`${field} in configurable is a ${typeof value}; give a string.`)
}
