import {
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
import { loadValue } from './stored-value.ts'
import { type CheckpointRecord, findCheckpoint, type Thread, valueAt } from './thread.ts'

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
