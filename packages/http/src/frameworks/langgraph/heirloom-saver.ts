import type { RunnableConfig } from '@langchain/core/runnables'
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  copyCheckpoint,
  type PendingWrite,
  type SerializerProtocol,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint'
import type { Client } from '../../client/client.ts'
import { hexOf, sha256 } from '../../client/content-hash.ts'
import { type FrameworkOptions, type NamedDocument, openNamedDocument } from '../named-document.ts'
import type { Data } from '../state.ts'
import { newRecord, readTuple } from './read-tuple.ts'
import {
  type CheckpointRecord,
  placeOf,
  storeValue,
  type Thread,
  threadIn,
  withCheckpoint,
  withWrites,
} from './thread.ts'

/** Returns the checkpoints of a thread that a list may have, the newest first. */
function matchesList(
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
function matchesMetadata(
  tuple: CheckpointTuple | undefined,
  { filter = {} }: CheckpointListOptions,
): tuple is CheckpointTuple {
  if (tuple === undefined) return false
  const metadata: Readonly<Record<string, unknown>> = { ...tuple.metadata }
  return Object.entries(filter).every(([key, value]) => metadata[key] === value)
}

/** The options of a checkpointer; each thread has a name below `name`, such as `ada/threads/7`. */
export type SaverOptions = Omit<FrameworkOptions, 'client'> & {
  readonly client: Pick<Client, 'memory' | 'download' | 'names'>
  /** Encodes values; that of LangGraph when absent. */
  readonly serde?: SerializerProtocol | undefined
}

/** The most threads whose last version is cached. */
const mostThreads = 100

/**
 * A checkpointer of LangGraph whose threads are named memories. `put` and `putWrites` resolve once the
 * checkpoint is in a version; those of one moment share a version. Calls fail with a `HeirloomError`.
 */
export class HeirloomSaver extends BaseCheckpointSaver {
  readonly #options: SaverOptions
  readonly #threads = new Map<string, Promise<NamedDocument>>()

  constructor(options: SaverOptions) {
    super(options.serde)
    this.#options = options
  }

  /** Saves what is held when `durability` is `held`; otherwise waits for saves in progress. */
  async flush(): Promise<void> {
    for (const thread of this.#threads.values()) await (await thread).flush()
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, ns, id } = placeOf(config)
    if (threadId === undefined) return undefined
    const thread = threadIn(await (await this.#open(threadId)).read())
    return readTuple(this.serde, threadId, thread, { ns, id })
  }

  async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { limit = Number.POSITIVE_INFINITY } = options
    if (limit <= 0) return
    let count = 0
    for await (const tuple of this.#matching(config, options)) {
      yield tuple
      count += 1
      if (count >= limit) return
    }
  }

  async *#matching(
    config: RunnableConfig,
    options: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    const { threadId } = placeOf(config)
    for await (const one of threadId === undefined ? this.#all() : [threadId]) {
      const thread = threadIn(await (await this.#open(one)).read())
      for (const place of matchesList(thread, config, options)) {
        const tuple = await readTuple(this.serde, one, thread, place)
        if (matchesMetadata(tuple, options)) yield tuple
      }
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { threadId, ns, id: parent } = placeOf(config)
    if (threadId === undefined) throw missing('put a checkpoint', 'thread_id')
    const input = { ns, parent, checkpoint: copyCheckpoint(checkpoint), metadata, newVersions }
    const write = await newRecord(this.serde, input)
    await this.#change(threadId, (thread) => withCheckpoint(thread, write(thread)))
    return {
      configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: checkpoint.id },
    }
  }

  async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = '',
  ): Promise<void> {
    const { threadId, ns, id } = placeOf(config)
    if (threadId === undefined) throw missing('put writes', 'thread_id')
    if (id === undefined) throw missing('put writes', 'checkpoint_id')
    const records = writes.map(async ([channel, value], at) => ({
      ns,
      checkpoint: id,
      task: taskId,
      path: taskPath,
      index: WRITES_IDX_MAP[channel] ?? at,
      channel,
      value: await storeValue(this.serde, value),
    }))
    const all = await Promise.all(records)
    await this.#change(threadId, (thread) => withWrites(thread, all))
  }

  /** Forgets the name of a thread. Its versions stay sealed on the server until they are erased. */
  async deleteThread(threadId: string): Promise<void> {
    await (await this.#open(threadId)).forget()
  }

  async #change(threadId: string, change: (thread: Thread) => Thread): Promise<void> {
    const document = await this.#open(threadId)
    await document.change((data) => {
      const before = threadIn(data)
      const after = change(before)
      const next: Data = { ...data, thread: threadId, ...after }
      return [after === before ? data : next, undefined]
    })
  }

  #open(threadId: string): Promise<NamedDocument> {
    const known = this.#threads.get(threadId)
    if (known !== undefined) return known
    const { name } = this.#options
    const opened = threadName(name, threadId).then((thread) =>
      openNamedDocument({ category: 'langgraph', ...this.#options, name: thread }),
    )
    this.#threads.set(threadId, opened)
    // What is held must stay until it was flushed; anything else can be read again.
    const [oldest] = this.#threads.keys()
    const isFull = this.#threads.size > mostThreads && this.#options.durability !== 'held'
    if (isFull && oldest !== undefined) this.#threads.delete(oldest)
    return opened
  }

  /** Yields the ids of all threads. */
  async *#all(): AsyncGenerator<string> {
    for await (const name of namesBelow(this.#options)) {
      const { thread } = await openNamedDocument({ ...this.#options, name }).read()
      if (typeof thread === 'string') yield thread
    }
  }
}

/** Yields the names below a name. */
async function* namesBelow({ client, name }: SaverOptions): AsyncGenerator<string> {
  let after: string | null | undefined
  while (after !== null) {
    const page = await client.names(after === undefined ? {} : { after })
    yield* page.items.map((it) => it.name).filter((it) => it.startsWith(`${name}/`))
    after = page.next
  }
}

const missing = (act: string, field: string) =>
  new TypeError(`To ${act}, the config needs ${field} in configurable.`)

/**
 * Returns the name of a thread below a name: `ada/7` for thread 7. Ids that a name cannot have, such as
 * those with capital letters, are written as `h.` and a hash.
 */
async function threadName(name: string, threadId: string): Promise<string> {
  if (/^(?!h\.)[a-z0-9_][a-z0-9._-]{0,62}$/.test(threadId)) return `${name}/${threadId}`
  const hash = hexOf(await sha256(new TextEncoder().encode(threadId)))
  return `${name}/h.${hash.slice(2, 50)}`
}
