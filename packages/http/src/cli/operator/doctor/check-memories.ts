import { wordsOfMints } from '@heirloom/adapters/internal/job-queries'
import type { MintedToken } from '@heirloom/adapters/internal/minted-tokens'
import type { LoadedKeys } from '@heirloom/adapters/keys'
import { type BlobStore, type Digest, type Failure, isFailure, type TokenId } from '@heirloom/core'
import { findMissingKeys, keyCensus, type MintedAfter } from '../../../server/keys/key-census.ts'
import { openJobStore } from '../../../server/open-job-store.ts'
import { readVersion } from '../../../server/packs/packs-of.ts'
import { type Finding, fail, keepData, ok, runCheck, warn } from './finding.ts'
import { type Installation, mayHaveBlobs, skipped, withBlobStore } from './installation.ts'

const name = 'memories'

/** The most memories whose blobs are read. */
const readLimit = 10_000

/**
 * Reads the whole blob of each memory of the wallet, or of the newest ones if there are very many:
 * what is neither here nor whole cannot be opened. The finding says how many, and names the first.
 */
export async function checkMemories(
  installation: Installation,
  wallet: string | undefined,
  minted: MintedAfter,
): Promise<Finding> {
  if (installation.unavailable !== undefined) return skipped(name, installation.unavailable)
  if (wallet === undefined) return skipped(name, 'there is no agent key')
  if (!mayHaveBlobs(installation)) return skipped(name, 'there are no blobs yet')
  return runCheck(name, 'Check the chain and the disk.', () =>
    withBlobStore(installation, async ({ local }) => {
      const newest = (await tokensOf(wallet, minted)).slice(-readLimit)
      return findingOf(installation, await readAll(local, newest))
    }),
  )
}

async function tokensOf(wallet: string, minted: MintedAfter): Promise<readonly MintedToken[]> {
  const own: MintedToken[] = []
  for await (const token of minted(undefined)) {
    // Anybody can pay for a fork of anything for the wallet.
    if (!token.isFork && token.creator.toLowerCase() === wallet.toLowerCase()) own.push(token)
  }
  return own
}

type Reading = {
  readonly read: number
  readonly missing: readonly MintedToken[]
  readonly damaged: readonly TokenId[]
}

async function readAll(
  store: Pick<BlobStore, 'get'>,
  tokens: readonly MintedToken[],
): Promise<Reading> {
  const [missing, damaged]: [MintedToken[], TokenId[]] = [[], []]
  // Versions share packs.
  const known = new Set<Digest>()
  for (const token of tokens) {
    const failure = await failureOf(readVersion(store, token.digest, known))
    if (failure?.code === 'blob/not-found') missing.push(token)
    if (failure?.code === 'blob/corrupt') damaged.push(token.tokenId)
  }
  return { read: tokens.length, missing, damaged }
}

/** Returns how a blob is lost; `undefined` if it is not. */
async function failureOf(reading: Promise<unknown>): Promise<Failure | undefined> {
  try {
    await reading
    return undefined
  } catch (error) {
    if (isFailure(error, 'blob/not-found') || isFailure(error, 'blob/corrupt')) return error
    // As its owner wanted.
    if (isFailure(error, 'memory/erased')) return undefined
    throw error
  }
}

const adviceFor = {
  folder: 'Restore blobs from a backup.',
  s3: 'Check that BLOB_URL names the bucket that they were stored in; if it does, restore them from a backup.',
  module:
    'Check that BLOB_STORE and BLOB_URL name the place that they were stored in; if they do, restore them from a backup.',
} as const

async function findingOf(
  installation: Installation,
  { read, missing, damaged }: Reading,
): Promise<Finding> {
  const { config } = installation
  const [first] = [...missing.map(({ tokenId }) => tokenId), ...damaged]
  if (first === undefined) {
    return ok(name, `The blobs of the ${read} newest memories of the wallet are here and whole.`)
  }
  const sentence = `Of the ${read} newest memories of the wallet, ${missing.length} are not stored here and ${damaged.length} are damaged; the first is token ${first}.`
  // Another server of the wallet, or a peer, may hold what is missing here.
  const isSole = config.chain.kind === 'embedded' && config.network === undefined
  // All servers of a wallet share its bucket.
  const isOtherBucket = config.blobStore?.kind === 's3' && missing.length === read
  const isLost = isSole || isOtherBucket || damaged.length > 0
  return isLost || (await wereHere(installation, missing))
    ? fail(name, sentence, adviceFor[config.blobStore?.kind ?? 'folder'])
    : warn(name, sentence, 'Check that another server or a peer holds them.')
}

/** Returns whether the jobs of this folder alone minted one of some tokens: then it was stored here. */
async function wereHere(
  { config, folder }: Installation,
  missing: readonly MintedToken[],
): Promise<boolean> {
  if (config.network !== undefined || config.databaseUrl !== undefined) return false
  const store = await openJobStore(config, folder)
  try {
    const words = await wordsOfMints(store)
    return missing.some(({ digest }) => words.has(digest))
  } finally {
    await store.close()
  }
}

const keysCheck = 'memory-keys'

/** Checks that no sealing key is missing for the memories that are stored here. */
export async function checkMemoryKeys(
  installation: Installation,
  sealing: LoadedKeys | undefined,
  minted: MintedAfter,
): Promise<Finding> {
  if (installation.unavailable !== undefined) return skipped(keysCheck, installation.unavailable)
  if (sealing === undefined) return skipped(keysCheck, 'no sealing key can be opened')
  if (!mayHaveBlobs(installation)) return skipped(keysCheck, 'there are no blobs yet')
  const advice =
    'Restore the key file that belongs to these blobs; heirloom keys status shows details.'
  return runCheck(keysCheck, keepData, () =>
    withBlobStore(installation, async ({ local }) => {
      const census = keyCensus({ minted, head: local.head })
      await census.catchUp()
      const all = [...census.byKey.values()].reduce((sum, tokens) => sum + tokens.length, 0)
      const facts = sealing.records.map((record) => record.facts)
      const { memories, keys } = findMissingKeys(census, facts)
      if (memories === 0) return ok(keysCheck, presentText(all))
      const sentence = `${memories} of ${all} memories are sealed under keys that are missing: ${keys.join(', ')}.`
      return fail(keysCheck, sentence, advice)
    }),
  )
}

const presentText = (all: number): string =>
  `No key is missing for the ${all === 1 ? 'memory' : `${all} memories`} stored here.`
