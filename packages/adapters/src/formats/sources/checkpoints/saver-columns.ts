/** The columns of the tables of LangGraph's savers, as their migrations make them. */
export const saverColumns = {
  sqlite: {
    checkpoints: [
      ...['thread_id', 'checkpoint_ns', 'checkpoint_id', 'parent_checkpoint_id'],
      ...['type', 'checkpoint', 'metadata'],
    ],
    writes: [
      ...['thread_id', 'checkpoint_ns', 'checkpoint_id', 'task_id', 'idx'],
      ...['channel', 'type', 'value'],
    ],
  },
  postgres: {
    checkpoints: [
      ...['thread_id', 'checkpoint_ns', 'checkpoint_id', 'parent_checkpoint_id'],
      ...['type', 'checkpoint', 'metadata'],
    ],
    checkpoint_blobs: ['thread_id', 'checkpoint_ns', 'channel', 'version', 'type', 'blob'],
    // Savers in Python have the path of the task too.
    checkpoint_writes: [
      ...['thread_id', 'checkpoint_ns', 'checkpoint_id', 'task_id', 'task_path', 'idx'],
      ...['channel', 'type', 'blob'],
    ],
  },
} as const

/** The columns that the tables of some versions do not have. */
export const optionalColumns: readonly string[] = ['task_path']
