import {
  type InMemoryDB,
  InMemoryMemory,
  MastraCompositeStore,
  WorkflowsInMemory,
} from '@mastra/core/storage'
import { type FrameworkOptions, type NamedDocument, openNamedDocument } from '../named-document.ts'
import { databaseIn, withDatabase } from './database.ts'
import { storedDomain } from './stored-domain.ts'

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
