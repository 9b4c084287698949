import {
  InMemoryDB,
  InMemoryMemory,
  MastraCompositeStore,
  WorkflowsInMemory,
} from '@mastra/core/storage'
import { fromJson, toJson } from '../json-values.ts'
import { type FrameworkOptions, type NamedDocument, openNamedDocument } from '../named-document.ts'
import { type Data, unexpectedMemory } from '../state.ts'

type Access = {
  readonly read: () => Promise<InMemoryDB>
  readonly change: <T>(apply: (db: InMemoryDB) => Promise<T>) => Promise<T>
}

/** The calls that change nothing. */
const isRead = (name: string) => /^(get|list|load)[A-Z]/.test(name)

/**
 * Returns a domain of Mastra's storage in memory each of whose calls works on the newest tables, and saves
 * what it changed. A call that a later version of Mastra adds does so, too.
 */
function storedDomain<Domain extends object>(
  create: (db: InMemoryDB) => Domain,
  { read, change }: Access,
): Domain {
  return new Proxy(create(new InMemoryDB()), {
    get: (domain, name) => {
      const member: unknown = Reflect.get(domain, name)
      if (typeof member !== 'function') return member
      if (typeof name !== 'string' || !isStorageCall(domain, name)) return member.bind(domain)
      const call = (db: InMemoryDB, args: readonly unknown[]) => {
        const own = create(db)
        return Reflect.apply(Reflect.get(own, name) as typeof member, own, args)
      }
      return isRead(name)
        ? async (...args: readonly unknown[]) => call(await read(), args)
        : (...args: readonly unknown[]) => change(async (db) => call(db, args))
    },
  })
}

/** Returns whether a method is a call of the storage: an asynchronous one that the domain itself has. */
function isStorageCall(domain: object, name: string): boolean {
  for (let at = Object.getPrototypeOf(domain); at !== null; at = Object.getPrototypeOf(at)) {
    const { value } = Object.getOwnPropertyDescriptor(at, name) ?? {}
    if (typeof value === 'function')
      return value.constructor.name === 'AsyncFunction' && name !== 'init'
  }
  return false
}

/** The tables of the database that are saved. */
const tables = ['threads', 'messages', 'resources', 'observationalMemory', 'workflows'] as const

type Saved = Readonly<Record<string, readonly (readonly [string, unknown])[] | undefined>>

/** Returns a database in memory with the tables of a named memory. @throws `client/unexpected-memory` */
function databaseIn(data: Data): InMemoryDB {
  const db = new InMemoryDB()
  const saved = savedIn(data)
  for (const table of tables) {
    const rows: Map<string, unknown> = db[table]
    for (const [key, value] of saved[table] ?? []) rows.set(key, fromJson(value))
  }
  return db
}

/** Returns the members of a memory with the tables of a database; the same ones when nothing changed. */
function withDatabase(data: Data, db: InMemoryDB): Data {
  const rows = tables.map((table) => [table, [...db[table]].map(encodeRow)] as const)
  const mastra = Object.fromEntries(rows.filter(([, all]) => all.length > 0))
  const isSame = JSON.stringify(mastra) === JSON.stringify(data.mastra ?? {})
  return isSame ? data : { ...data, mastra }
}

const encodeRow = ([key, value]: readonly [string, unknown]) => [key, toJson(value)] as const

function savedIn({ mastra = {} }: Data): Saved {
  const isTables = (value: object) =>
    Object.values(value).every((rows) => Array.isArray(rows) && rows.every(Array.isArray))
  if (typeof mastra === 'object' && mastra !== null && isTables(mastra)) return mastra as Saved
  throw unexpectedMemory('its member mastra has no tables')
}

/**
 * A storage of Mastra in a named memory, in the member `mastra` of its data: threads, messages, resources
 * with their working memory, observations, and runs of workflows. Mastra's own storage in memory decides
 * what each call does; a call resolves once its change is in a version. Calls fail with a `HeirloomError`.
 */
export class HeirloomStorage extends MastraCompositeStore {
  readonly #document: NamedDocument
  override stores: {
    readonly memory: InMemoryMemory
    readonly workflows: WorkflowsInMemory
  }

  constructor(options: FrameworkOptions) {
    super({ id: `heirloom-${options.name}`, name: 'HeirloomStorage' })
    const document = openNamedDocument({ category: 'mastra', ...options })
    const read = async () => databaseIn(await document.read())
    const change = <T>(apply: (db: InMemoryDB) => Promise<T>) =>
      document.change(async (data) => {
        const db = databaseIn(data)
        const result = await apply(db)
        return [withDatabase(data, db), result] as const
      })
    this.#document = document
    this.stores = {
      memory: storedDomain((db) => new InMemoryMemory({ db }), { read, change }),
      workflows: storedDomain((db) => new WorkflowsInMemory({ db }), { read, change }),
    }
  }

  /** Saves what is held when `durability` is `held`; otherwise waits for saves in progress. */
  async flush(): Promise<void> {
    await this.#document.flush()
  }

  override async close(): Promise<void> {
    await this.flush()
  }
}
