import { hash } from 'node:crypto'
import { Failure } from '@heirloom/core'

/** A file of a backup, cut into chunks of one length; the last one may be shorter. */
export type SavedFile = {
  readonly name: string
  /** The length of the file in bytes. */
  readonly length: number
  /** The sha256 of each chunk, in hexadecimal. */
  readonly chunks: readonly string[]
}

/** A copy of an installation. All copies share the id. */
export type Succession = {
  readonly id: string
  /** One more than in the copy that this one replaced; 1 in the first. */
  readonly epoch: number
  /** Tells copies of one epoch apart. */
  readonly copy: string
}

/** The description of a backup. It is written last, so whatever it names is there. */
export type Manifest = {
  /** The copy of an installation that was saved. */
  readonly installation: Succession
  /** The version of the program that made the backup. */
  readonly program: string
  /** The moment whose state the backup holds, in milliseconds since 1970. */
  readonly takenAt: number
  /** When the backup was complete, in milliseconds since 1970. */
  readonly finishedAt: number
  /** The machine and the data folder of the installation. */
  readonly origin: { readonly host: string; readonly folder: string }
  /** The place of the chain: the backup, or a node. */
  readonly chain: 'embedded' | 'remote'
  /** The place of the jobs: the backup, or a database with backups of its own. */
  readonly jobs: 'here' | 'database'
  /** The place of the blocks: the backup, or a store that it does not cover. */
  readonly blobs: 'here' | 'elsewhere'
  readonly files: readonly SavedFile[]
  readonly blocks: { readonly count: number; readonly bytes: number }
}

/** The name of the manifest in a backup. */
export const manifestName = 'manifest.json'

const format = 'heirloom-backup/1'

/** Encodes a manifest with the digest of its text. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  const text = JSON.stringify(manifest)
  return Buffer.from(`{"format":"${format}","sha256":"${hash('sha256', text)}","backup":${text}}`)
}

/**
 * Decodes a manifest; `place` names the backup in failures.
 *
 * @throws `backup/damaged`, `backup/unusable` when a newer program made it
 */
export function decodeManifest(bytes: Uint8Array, place: string): Manifest {
  const { format: found, sha256, backup } = parse(bytes)
  if (typeof found === 'string' && found.startsWith('heirloom-backup/') && found !== format) {
    const problem = `it has the format ${found}, which this program does not know; use the newer one that made it`
    throw new Failure('backup/unusable', { place, problem })
  }
  if (found !== format || hash('sha256', JSON.stringify(backup)) !== sha256) {
    const problem = `${manifestName} is not what was written`
    throw new Failure('backup/damaged', { place, problem })
  }
  return backup as Manifest
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    return { backup: {}, ...Object(value) }
  } catch {
    return { backup: {} }
  }
}
