import type {
  ChannelVersions,
  Checkpoint,
  CheckpointMetadata,
  SerializerProtocol,
} from '@langchain/langgraph-checkpoint'
import { type StoredValue, storeValue } from './stored-value.ts'
import {
  type ChannelValue,
  type CheckpointRecord,
  continueValue,
  findCheckpoint,
  type Thread,
  valueAt,
} from './thread.ts'

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
