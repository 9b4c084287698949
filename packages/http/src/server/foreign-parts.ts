import { join } from 'node:path'
import { storedSeals } from '@heirloom/adapters/internal/catalogue-file'
import { storedLanes, storedLastBlock } from '@heirloom/adapters/internal/job-queries'
import {
  storedBlockHash,
  storedGenesis,
  storedHeight,
} from '@heirloom/adapters/internal/journal-file'
import { Failure } from '@heirloom/core'
import type { Config } from '../config/config.ts'
import { readErased } from './erasing/server-erasures.ts'
import { catalogueFile } from './open-catalogue.ts'
import { jobFile } from './open-job-store.ts'
import { blobFolder, chainFile, hasBlob, hasBlobs } from './whole-folder.ts'

type Settings = Pick<Config, 'chain' | 'blobStore' | 'databaseUrl' | 'network'>

/**
 * Refuses a data folder whose jobs or blobs belong to another embedded chain than its journal, or
 * whose journal is older than its jobs: what was acknowledged would seem lost, or be mixed with what
 * is new. A catalogue of another chain is rebuilt when it is opened. Writes nothing.
 *
 * @throws `folder/unusable`
 */
export function refuseForeignParts(settings: Settings, folder: string): void {
  if (settings.chain.kind !== 'embedded') return
  const genesis = storedGenesis(join(folder, chainFile))
  if (genesis === undefined) return
  const part = foreignPart(settings, folder, genesis)
  if (part !== undefined) {
    const [name, remedy] = part
    const problem = `${name} and ${chainFile} belong to two installations; restore both from one backup, or ${remedy}`
    throw new Failure('folder/unusable', { folder, problem })
  }
  const problem = settings.databaseUrl === undefined ? staleChain(folder, genesis) : undefined
  if (problem !== undefined) throw new Failure('folder/unusable', { folder, problem })
}

/** Returns what is wrong with a journal that lacks a block which the jobs have seen. */
function staleChain(folder: string, genesis: string): string | undefined {
  const seen = storedLastBlock(join(folder, jobFile), genesis)
  const path = join(folder, chainFile)
  const height = storedHeight(path)
  if (seen === undefined || height === undefined) return undefined
  const remedy = `restore both from one backup, or move ${jobFile} away to lose what was written since, with its idempotency keys, spending and webhooks`
  if (seen.number > height) {
    return `${chainFile} ends at block ${height} and is older than ${jobFile}, which knows block ${seen.number}; ${remedy}`
  }
  const hash = storedBlockHash(path, seen.number)
  if (hash === undefined || hash === seen.hash) return undefined
  return `${chainFile} and ${jobFile} went on apart from a common copy: their block ${seen.number} differs; ${remedy}`
}

/** Returns the name of the part that belongs to another chain, and how to go on without it. */
function foreignPart(
  { blobStore, databaseUrl, network }: Settings,
  folder: string,
  genesis: string,
): readonly [name: string, remedy: string] | undefined {
  if (databaseUrl === undefined && hasForeignJobs(folder, genesis)) {
    return [
      jobFile,
      `move ${jobFile} away to start without idempotency keys, spending and webhooks`,
    ]
  }
  // Peers may hold what this folder lacks.
  if (blobStore !== undefined || network !== undefined) return undefined
  if (!hasForeignBlobs(folder, genesis)) return undefined
  return [
    blobFolder,
    `move ${blobFolder} away, make an empty folder of that name, and lose the memories`,
  ]
}

/** Returns whether there are lanes of embedded chains, none of which is this one. */
function hasForeignJobs(folder: string, genesis: string): boolean {
  const lanes = storedLanes(join(folder, jobFile)).filter((id) => laneOfEmbedded.test(id))
  return lanes.length > 0 && !lanes.some((id) => id.includes(`:${genesis}:`))
}

const laneOfEmbedded = /^31337:0x[0-9a-f]{64}:/i

/**
 * Returns whether there are blobs, none of which is one that the catalogue of this chain has seen. What
 * was erased since is no sign: parts that it shared may still be here.
 */
function hasForeignBlobs(folder: string, genesis: string): boolean {
  const erased = readErased(folder)
  const all = storedSeals(join(folder, catalogueFile), genesis)
  const seen = all.filter((digest) => !erased.has(digest))
  return seen.length > 0 && hasBlobs(folder) && !seen.some((digest) => hasBlob(folder, digest))
}
