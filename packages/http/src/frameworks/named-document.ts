import type { Client } from '../client/client.ts'
import { isHeirloomError } from '../client/heirloom-error.ts'
import type { Recipient } from '../client/requests.ts'
import { systemTimers, type Timers } from '../client/transport/retries.ts'
import { type Data, decodeState, emptyState, encodeState, type State } from './state.ts'

/** The most changes that are held; the next one waits until they are saved. */
const mostHeld = 1_000

/** Returns a document that holds changes in the memory of this process until `flush` saves them. */
function heldDocument(document: NamedDocument): NamedDocument {
  let local: Data | undefined
  let held: Change<unknown>[] = []
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }
  const save = async () => {
    if (held.length === 0) return
    // They are applied again, to the newest version; after a failure they are still held.
    local = await document.change(async (data) => {
      let changed = data
      for (const apply of held) [changed] = await apply(changed)
      return [changed, changed]
    })
    held = []
  }
  const read = async () => {
    // What others saved is seen whenever nothing is held here.
    if (held.length === 0 || local === undefined) local = await document.read()
    return local
  }
  return {
    read: () => inTurn(read),
    change: (apply) =>
      inTurn(async () => {
        if (held.length >= mostHeld) await save()
        const before = await read()
        const [changed, result] = await apply(before)
        if (changed !== before) held.push(apply)
        local = changed
        return result
      }),
    flush: () => inTurn(save),
    forget: () =>
      inTurn(async () => {
        held = []
        local = undefined
        await document.forget()
      }),
  }
}

/** The options that every framework has. */
export type FrameworkOptions = {
  /** The client whose names are used. */
  readonly client: Pick<Client, 'memory' | 'download'>
  /** The private name that holds the memory, such as `ada` or `ada/notes`. */
  readonly name: string
  /**
   * Describes what a call waits for. `saved`, the default: until its change is in a version of the name. `held`:
   * until it is in the memory of this process; `flush` then saves all that is held as one version, and
   * what was not flushed is lost with the process.
   */
  readonly durability?: 'saved' | 'held' | undefined
  /** The owner of the versions, which must be the account of the client; the agent wallet when absent. */
  readonly recipient?: Recipient | undefined
  /** The category of the first version, `agent` when absent; later versions keep that of the last one. */
  readonly category?: string | undefined
  /** The clock, timers and random numbers; those of the platform when absent. */
  readonly timers?: Timers | undefined
}

/** Returns the changed members and a result. It runs again when another writer was faster. */
export type Change<T> = (data: Data) => readonly [Data, T] | Promise<readonly [Data, T]>

/** A memory under a name that several writers change at once. */
export type NamedDocument = {
  /** Returns the members of the newest version, with what this process holds. */
  readonly read: () => Promise<Data>
  /** Changes the members; the durability says what it waits for. */
  readonly change: <T>(apply: Change<T>) => Promise<T>
  /** Saves what is held, and waits for saves in progress. */
  readonly flush: () => Promise<void>
  /** Forgets the name, when it has versions. */
  readonly forget: () => Promise<void>
}

/** Opens the memory under a name. Changes that come while a save is under way share the next one. */
export function openNamedDocument(options: FrameworkOptions): NamedDocument {
  const document = savedDocument(options)
  return options.durability === 'held' ? heldDocument(document) : document
}

/** A change that waits for its save. */
type Waiting = {
  readonly apply: Change<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

function savedDocument(options: FrameworkOptions): NamedDocument {
  const versions = createVersions(options)
  const waiting: Waiting[] = []
  let saving: Promise<void> | undefined
  const saveAll = async () => {
    while (waiting.length > 0) await saveWaiting(versions, waiting, options.timers)
    saving = undefined
  }
  return {
    read: async () => (await versions.load()).data,
    change: (apply) =>
      new Promise((resolve, reject) => {
        waiting.push({ apply, resolve, reject })
        saving ??= saveAll()
      }),
    flush: async () => saving,
    forget: async () => {
      await saving
      await options.client.memory(options.name).forget().catch(ignoreMissing)
    },
  }
}

type Versions = ReturnType<typeof createVersions>

/** Creates the two requests: for the newest version, and for the next one. */
function createVersions({ client, name, recipient, category = 'agent' }: FrameworkOptions) {
  const memory = client.memory(name)
  let known: State | undefined
  return {
    load: async (): Promise<State> => {
      const last = await memory.find().catch(ignoreMissing)
      const tokenId = last?.tokenId ?? '0'
      if (known?.tokenId === tokenId) return known
      // Of an erased memory there is no more to see; a save goes on after it.
      const isEmpty = last === undefined || last.erasedAt !== null
      known = isEmpty
        ? emptyState(tokenId, category)
        : decodeState(tokenId, (await client.download(tokenId)).document)
      return known
    },
    save: async (base: State, data: Data): Promise<void> => {
      const document = encodeState(base, data)
      const next = client.memory(name, { seen: base.tokenId })
      const { tokenId } = await next.save({ document, recipient })
      known = decodeState(tokenId, new TextEncoder().encode(document))
    },
  }
}

/** The most times that a save begins anew because other writers were faster. */
const mostTries = 30

/** Saves all changes that wait as one version, after the newest one. */
async function saveWaiting(
  versions: Versions,
  waiting: Waiting[],
  { wait, random }: Timers = systemTimers,
): Promise<void> {
  const batch: Waiting[] = []
  for (let tries = 1; ; tries += 1) {
    const error = await trySave(versions, waiting, batch)
    if (error === undefined) return
    const isOvertaken = isHeirloomError(error, 'name/moved') && tries < mostTries
    if (!isOvertaken) return rejectAll(batch, error)
    await wait(random() * Math.min(2_000, 10 * 2 ** tries))
  }
}

/** Saves a batch and whatever waits; returns the failure, after which the batch has not been saved. */
async function trySave(versions: Versions, waiting: Waiting[], batch: Waiting[]): Promise<unknown> {
  const isFirst = batch.length === 0
  try {
    const base = await versions.load()
    // What came while the version was read shares this save.
    batch.push(...waiting.splice(0))
    await saveBatch(versions, base, batch)
    return undefined
  } catch (error) {
    if (isFirst && batch.length === 0) batch.push(...waiting.splice(0))
    return error
  }
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const { reject } of batch) reject(error)
}

async function saveBatch(versions: Versions, base: State, batch: readonly Waiting[]) {
  const settle: (() => void)[] = []
  let { data } = base
  for (const { apply, resolve, reject } of batch) {
    try {
      const [changed, result] = await apply(data)
      data = changed
      settle.push(() => resolve(result as never))
    } catch (error) {
      settle.push(() => reject(error))
    }
  }
  // Only what a version has is acknowledged.
  if (data !== base.data) await versions.save(base, data)
  for (const end of settle) end()
}

function ignoreMissing(error: unknown): undefined {
  if (!isHeirloomError(error, 'name/not-found')) throw error
}
