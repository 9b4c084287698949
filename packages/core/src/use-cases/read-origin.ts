import {
  type Identity,
  isOwnOf,
  type Origin,
  type Saving,
  type SealedSaver,
} from '../bundles/saver.ts'
import { sameContext } from '../bundles/seal-context.ts'
import { isFailure } from '../failure.ts'
import type { Ports } from '../ports/ports.ts'
import type { Access } from '../tokens/access.ts'
import { requireFound } from '../tokens/provenance.ts'
import type { TokenId } from '../values/branded.ts'
import { proveReader } from './admit-reader.ts'
import { downloadFailures } from './download.ts'
import type { ReaderProof } from './prove-account.ts'

/** The failures of `isOwn`. */
export const isOwnFailures = downloadFailures

type Parts = {
  readonly blobStore: Pick<Ports['blobStore'], 'head'>
  readonly cipher: Pick<Ports['cipher'], 'inspect'>
  readonly ledger: Pick<Ports['ledger'], 'access' | 'agent' | 'registry'>
}

/**
 * Returns whether the memory of a token is the own of its owner or an active renter, who proves to be
 * that: it was saved by its reader, and so was the line before it, or its reader accepted that.
 *
 * @throws the failures of `download`
 */
export async function isOwn(ports: Ports, { reader, ...proof }: isOwn.Input): Promise<boolean> {
  const access = await proveReader(ports, proof)
  return isOwnOf(reader, await originOf(ports, proof.tokenId, access))
}

export declare namespace isOwn {
  type Input = ReaderProof & {
    /** Whatever stands for the account of the proof. */
    readonly reader: Identity
  }
}

/**
 * Returns who saves, as it is sealed into the head of a memory with this parent.
 *
 * @throws `token/not-found`, `blob/unavailable`, `ledger/unavailable`
 */
export async function sealedSaver(
  parts: Parts,
  { identity, acceptsLine = false }: Saving,
  parent: TokenId | undefined,
): Promise<SealedSaver | undefined> {
  const [saver] = identity.savers
  if (saver === undefined) return undefined
  if (parent === undefined || acceptsLine) return { ...saver, hasOwnLine: true }
  const { ledger } = parts
  const access = requireFound(parent, await ledger.access(parent, ledger.agent))
  return { ...saver, hasOwnLine: isOwnOf(identity, await originOf(parts, parent, access)) }
}

async function originOf(
  parts: Parts,
  tokenId: TokenId,
  access: Pick<Access, 'contentHash' | 'digest' | 'source'>,
): Promise<Origin> {
  const { source } = access
  const isFork = source.tokenId !== tokenId
  const savedBy = isFork ? undefined : await saverOf(parts, access)
  return { isFork, creator: source.creator, savedBy }
}

/**
 * Reads who saved a memory. A head that is not here, that no key opens or that was sealed for another
 * token names nobody: anybody can mint the digest of any bytes.
 */
async function saverOf(
  { blobStore, cipher, ledger }: Parts,
  { contentHash, digest, source }: Pick<Access, 'contentHash' | 'digest' | 'source'>,
): Promise<SealedSaver | undefined> {
  try {
    const seal = cipher.inspect(await blobStore.head(digest))
    const context = { registry: ledger.registry, creator: source.creator }
    const isOfToken = sameContext(seal.context, context) && seal.contentHash === contentHash
    return isOfToken ? seal.savedBy : undefined
  } catch (error) {
    if (unread.some((code) => isFailure(error, code))) return undefined
    throw error
  }
}

const unread = ['blob/corrupt', 'blob/not-found', 'bundle/unreadable', 'memory/erased'] as const
