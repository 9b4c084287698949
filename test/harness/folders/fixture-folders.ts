import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The folder with a data folder of each release, which every later release opens. */
export const foldersFolder = join(import.meta.dirname, '../../fixtures/folders')

/** The releases that have a fixture. */
export const folderNames: readonly string[] = existsSync(foldersFolder)
  ? readdirSync(foldersFolder)
  : []

/** The memory of a token: who opens it, and what its download returns. */
export type ExpectedMemory = {
  readonly tokenId: string
  /** The index of the well-known account that owns it; absent for the agent wallet. */
  readonly owner?: number
  readonly creator: string
  readonly contentHash: string
  readonly storageUri: string
  /** The sha256 of the document. */
  readonly document: string
  readonly listing: object
  /** The kinds of its events, the oldest first. */
  readonly history: readonly string[]
}

/** The content of a fixture, as the release that made it answered. */
export type ExpectedFolder = {
  readonly deployment: Readonly<Record<'registry' | 'marketplace' | 'forwarder', string>>
  readonly memories: readonly ExpectedMemory[]
  /** A request whose idempotency key was used, and the transaction that it had. */
  readonly repeated: { readonly key: string; readonly body: string; readonly txHash: string }
}
