import {
  type Account,
  type Digest,
  type GrantId,
  type Hash,
  instant,
  type NamedMint,
  type Names,
  type TokenId,
  tokenId,
} from '@heirloom/core'
import type { Store } from '../store.ts'
import { moveName, refuseToken, releaseName } from './holds.ts'
import { findName, findVersion } from './name-rows.ts'
import type { NameVersionRow } from './name-tables.ts'

/** The pair that a mint records. */
export type MintedContent = {
  readonly creator: Account
  readonly contentHash: Hash
  readonly digest: Digest
}

/** Finds the token of a mint; throws while the head of the chain is not known. */
export type FindMinted = (content: MintedContent) => Promise<TokenId | undefined>

/** Decides of the tokens that grants had minted, and learns of each that is no version. */
export type SavesByGrants = {
  /** Returns whether what a grant saved may become a version now. */
  readonly maySave: (grant: GrantId, names: Pick<Names, 'versionOf'>) => Promise<boolean>
  readonly onRefused?: ((token: TokenId) => void) | undefined
}

export declare namespace decideHold {
  type Parts = {
    readonly registry: string
    /** Without it no token of a grant is settled. */
    readonly byGrants?: SavesByGrants | undefined
    readonly store: Pick<Store, 'db' | 'commit' | 'now' | 'isShared'>
    readonly findMinted: FindMinted
    /** This process. */
    readonly holder: string
  }
}

/** The time after which a save that began no mint gives way to the next, in milliseconds. */
export const abandonedAfter = 120_000

/**
 * Ends a hold that is decided: its token exists, or never will. Returns false while it is open. This
 * is how a hold ends whose process was killed, whenever somebody next needs the name.
 */
export async function decideHold(parts: decideHold.Parts, row: NameVersionRow): Promise<boolean> {
  if (row.state === 'saved' || row.state === 'refused') return true
  if (row.state === 'held') return giveUpAbandoned(parts, row)
  return row.state === 'minting' ? decideByJob(parts, row) : decideBySeal(parts, row)
}

function isAbandoned(
  { store, holder }: Pick<decideHold.Parts, 'store' | 'holder'>,
  row: NameVersionRow,
): boolean {
  // A store that is not shared has one process at a time, so another holder has ended.
  const isGone = !store.isShared && row.holder !== holder
  return isGone || Number(row.heldAt) <= store.now() - abandonedAfter
}

async function giveUpAbandoned(
  { store, holder }: decideHold.Parts,
  row: NameVersionRow,
): Promise<boolean> {
  if (!isAbandoned({ store, holder }, row)) return false
  // If its mint begins at the same time, one of the two finds that the other was faster.
  return store.commit((trx) => releaseName(trx, row.id, 'held'))
}

async function decideByJob(parts: decideHold.Parts, row: NameVersionRow): Promise<boolean> {
  const { db } = parts.store
  const job = await db
    .selectFrom('job')
    .select(['state', 'outcome', 'txHash', 'acceptedAt', 'nonce', 'data'])
    .where('id', '=', row.job)
    .executeTakeFirst()
  // A job that ended may be removed.
  if (job === undefined) return end(parts, row, await findToken(parts, row))
  // One that was signed may be on the chain all the same, until the sweep of failed mints has looked.
  if (job.state === 'failed') {
    const isOpen = job.nonce !== null && job.data !== '0x'
    return isOpen ? false : end(parts, row, undefined)
  }
  if (job.state !== 'done' || job.outcome === null) return false
  const acceptedAt = instant(Number(job.acceptedAt))
  const minted = { tokenId: tokenId(JSON.parse(job.outcome).tokenId), acceptedAt }
  return end(parts, row, { ...minted, txHash: job.txHash ?? undefined })
}

async function decideBySeal(parts: decideHold.Parts, row: NameVersionRow): Promise<boolean> {
  const { db } = parts.store
  const seal = await db
    .selectFrom('seal')
    .select('state')
    .where('id', '=', row.seal)
    .executeTakeFirst()
  // Its blobs may be on their way.
  if (seal?.state === 'storing') return false
  if (seal === undefined && !isAbandoned(parts, row)) return false
  const minted = await findToken(parts, row)
  const mayBeMinted = seal?.state === 'unminted' || seal?.state === 'minted'
  return minted === undefined && mayBeMinted ? false : end(parts, row, minted)
}

async function findToken(
  { findMinted, store }: decideHold.Parts,
  { creator, contentHash, digest }: NameVersionRow,
): Promise<NamedMint | undefined> {
  if (creator === null || contentHash === null || digest === null) return undefined
  const found = await findMinted({ creator, contentHash, digest })
  return found && { tokenId: found, txHash: undefined, acceptedAt: instant(store.now()) }
}

async function end(
  parts: decideHold.Parts,
  { id, grantId }: NameVersionRow,
  minted: NamedMint | undefined,
): Promise<boolean> {
  const { store, byGrants } = parts
  if (minted === undefined) await store.commit((trx) => releaseName(trx, id))
  else if (grantId === null) await store.commit((trx) => moveName(trx, id, minted))
  else if (byGrants === undefined) return false
  else await endGranted({ ...parts, byGrants }, { id, grant: grantId as GrantId }, minted)
  return true
}

type Granted = { readonly id: string; readonly grant: GrantId }

async function endGranted(
  { store, registry, byGrants }: decideHold.Parts & { readonly byGrants: SavesByGrants },
  { id, grant }: Granted,
  minted: NamedMint,
): Promise<void> {
  const { db } = store
  // As it is, without what decides of holds: it is this hold that is decided.
  const versionOf: Names['versionOf'] = async (of, token) => {
    const row = await findName({ db, registry }, of)
    return row && findVersion(db, row, token)
  }
  if (await byGrants.maySave(grant, { versionOf })) {
    await store.commit((trx) => moveName(trx, id, minted))
    return
  }
  await store.commit((trx) => refuseToken(trx, id, minted))
  byGrants.onRefused?.(minted.tokenId)
}
