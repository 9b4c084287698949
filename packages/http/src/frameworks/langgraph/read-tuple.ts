import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  compareWritesSortKeys,
  maxChannelVersion,
  type SerializerProtocol,
  TASKS,
  writesSortKey,
} from '@langchain/langgraph-checkpoint'
import {
  type ChannelValue,
  type CheckpointRecord,
  continueValue,
  findCheckpoint,
  loadValue,
  type StoredValue,
  storeValue,
  type Thread,
  valueAt,
} from './thread.ts'

/** Returns a checkpoint of a thread as LangGraph has it; the last one of the namespace without an id. */
export async function readTuple(
  serde: SerializerProtocol,
  threadId: string,
  thread: Thread,
  { ns, id }: { readonly ns: string; readonly id: string | undefined },
): Promise<CheckpointTuple | undefined> {
  const record = findCheckpoint(thread, ns, id)
  if (record === undefined) return undefined
  const { parent } = record
  const rest = (await loadValue(serde, record.checkpoint)) as Omit<Checkpoint, 'channel_values'>
  const checkpoint = { ...rest, channel_values: await readChannels(serde, thread, record) }
  const isOld = rest.v < 4 && parent !== undefined
  const pending = isOld ? await readWrites(serde, thread, { ns, id: parent }) : []
  const config = (checkpoint_id: string) => ({
    configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id },
  })
  return {
    config: config(record.id),
    checkpoint: isOld ? withSends(checkpoint, pending) : checkpoint,
    metadata: (await loadValue(serde, record.metadata)) as CheckpointMetadata,
    pendingWrites: await readWrites(serde, thread, record),
    ...(parent === undefined ? {} : { parentConfig: config(parent) }),
  }
}

async function readChannels(serde: SerializerProtocol, thread: Thread, record: CheckpointRecord) {
  const channels = record.values.map(async ({ channel }) => {
    const value = valueAt(thread, record, channel)
    return value === undefined ? [] : [[channel, await loadValue(serde, value)] as const]
  })
  return Object.fromEntries((await Promise.all(channels)).flat())
}

async function readWrites(
  serde: SerializerProtocol,
  { writes }: Pick<Thread, 'writes'>,
  { ns, id }: Pick<CheckpointRecord, 'ns' | 'id'>,
): Promise<CheckpointPendingWrite[]> {
  const own = writes.filter((it) => it.ns === ns && it.checkpoint === id)
  const keyed = own.map((it) => ({ it, key: writesSortKey(it.path, it.task, it.index) }))
  const inOrder = keyed.toSorted((one, other) => compareWritesSortKeys(one.key, other.key))
  const loaded = inOrder.map(
    async ({ it }): Promise<CheckpointPendingWrite> => [
      ...([it.task, it.channel] as const),
      await loadValue(serde, it.value),
    ],
  )
  return Promise.all(loaded)
}

/** Moves the sends of tasks into a channel, where version 4 of the format expects them. */
function withSends(checkpoint: Checkpoint, writes: readonly CheckpointPendingWrite[]): Checkpoint {
  const versions = Object.values(checkpoint.channel_versions)
  const sends = writes.filter(([, channel]) => channel === TASKS).map(([, , value]) => value)
  return {
    ...checkpoint,
    channel_values: { ...checkpoint.channel_values, [TASKS]: sends },
    channel_versions: {
      ...checkpoint.channel_versions,
      [TASKS]: versions.length > 0 ? maxChannelVersion(...versions) : 1,
    },
  }
}

type Input = {
  readonly ns: string
  readonly parent: string | undefined
  readonly checkpoint: Checkpoint
  readonly metadata: CheckpointMetadata
  readonly newVersions: ChannelVersions
}

/**
 * Encodes a checkpoint, and returns how its record is made in a thread: what changed is stored after the
 * parent, and what did not is a reference to it.
 */
export async function newRecord(
  serde: SerializerProtocol,
  { ns, parent, checkpoint, metadata, newVersions }: Input,
): Promise<(thread: Thread) => CheckpointRecord> {
  const { channel_values: channels, ...rest } = checkpoint
  const encoded = Object.entries(channels).map(
    async ([channel, value]) => [channel, await storeValue(serde, value)] as const,
  )
  const values = await Promise.all(encoded)
  const record = {
    ns,
    id: checkpoint.id,
    ...(parent === undefined ? {} : { parent }),
    checkpoint: await storeValue(serde, rest),
    metadata: await storeValue(serde, metadata),
  }
  return (thread) => {
    const before = parent === undefined ? undefined : findCheckpoint(thread, ns, parent)
    // Without its parent, such as after a deletion by another process, it must stand for itself.
    const isWhole = parent !== undefined && before === undefined
    const stored = values.flatMap(([channel, value]) =>
      isWhole || Object.hasOwn(newVersions, channel)
        ? [afterParent(thread, before, channel, value)]
        : carriedOver(before, channel),
    )
    return { ...record, values: stored }
  }
}

function afterParent(
  thread: Thread,
  before: CheckpointRecord | undefined,
  channel: string,
  value: StoredValue,
): ChannelValue {
  const earlier = before && valueAt(thread, before, channel)
  return continueValue(channel, value, before && earlier && { of: before.id, value: earlier })
}

/** Returns the value of a channel that did not change since the parent. */
function carriedOver(
  before: CheckpointRecord | undefined,
  channel: string,
): readonly ChannelValue[] {
  const found = before?.values.find((it) => it.channel === channel)
  if (before === undefined || found === undefined) return []
  // A reference names the checkpoint that has the value, so that its length does not grow.
  const isReference = 'of' in found && !('take' in found)
  return [{ channel, of: isReference ? found.of : before.id }]
}
