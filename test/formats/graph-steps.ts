import type { BaseCheckpointSaver, Checkpoint } from '@langchain/langgraph-checkpoint'
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint'

/** Saves three steps of two threads, as a graph does: checkpoints, writes and raw bytes. */
export async function saveSteps(saver: BaseCheckpointSaver): Promise<void> {
  for (const thread of ['ada', 'bob']) {
    let config: Parameters<BaseCheckpointSaver['put']>[0] = {
      configurable: { thread_id: thread, checkpoint_ns: '' },
    }
    for (const step of [0, 1, 2]) {
      const checkpoint: Checkpoint = {
        ...emptyCheckpoint(),
        id: uuid6(step),
        channel_values: {
          notes: [`${thread} likes tea, ${step}`],
          bytes: Uint8Array.of(0, 255, step),
        },
        channel_versions: { notes: step + 1, bytes: step + 1 },
      }
      const metadata = { source: 'loop' as const, step, parents: {} }
      config = await saver.put(config, checkpoint, metadata, checkpoint.channel_versions)
      await saver.putWrites(
        config,
        [['notes', { step, why: 'a “quoted” \u0000 text' }]],
        `task-${step}`,
      )
    }
  }
}

/** Returns all that a saver has, in the order that it lists it. */
export async function readSteps(saver: BaseCheckpointSaver): Promise<readonly unknown[]> {
  const steps: unknown[] = []
  for (const thread_id of ['ada', 'bob']) {
    for await (const step of saver.list({ configurable: { thread_id } })) steps.push(step)
  }
  return steps
}
