import type { RunnableConfig } from '@langchain/core/runnables'
import type { CheckpointListOptions, CheckpointTuple } from '@langchain/langgraph-checkpoint'
import { placeOf } from './place-of.ts'
import type { CheckpointRecord, Thread } from './thread.ts'

/** Returns the checkpoints of a thread that a list may have, the newest first. */
export function matchesList(
  { checkpoints }: Pick<Thread, 'checkpoints'>,
  config: RunnableConfig,
  { before }: CheckpointListOptions,
): readonly CheckpointRecord[] {
  const { ns, id } = placeOf(config)
  const isAnyNamespace = config.configurable?.checkpoint_ns === undefined
  const end = before === undefined ? undefined : placeOf(before).id
  const found = checkpoints.filter(
    (it) =>
      (isAnyNamespace || it.ns === ns) &&
      (id === undefined || it.id === id) &&
      (end === undefined || it.id < end),
  )
  return found.toSorted((one, other) => (one.id < other.id ? 1 : -1))
}

/** Returns whether the metadata of a checkpoint has all members of the filter. */
export function matchesMetadata(
  tuple: CheckpointTuple | undefined,
  { filter = {} }: CheckpointListOptions,
): tuple is CheckpointTuple {
  if (tuple === undefined) return false
  const metadata: Readonly<Record<string, unknown>> = { ...tuple.metadata }
  return Object.entries(filter).every(([key, value]) => metadata[key] === value)
}
