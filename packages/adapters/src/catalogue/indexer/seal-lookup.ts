import { type Digest, digest, type Registry, type Seal, sameAccount } from '@heirloom/core'
import type { CatalogueStore } from '../catalogue-store.ts'
import type { Database } from '../schema.ts'
import { nextLookup } from './next-lookup.ts'
import { writeInTurns } from './write-in-turns.ts'

/** Reads the head of a sealed bundle; returns `undefined` when the bundle is not in this store. */
export type ReadSeal = (digest: Digest) => Promise<Seal | undefined>

type PendingSeal = Pick<Database['seal'], 'digest' | 'looks'>

/** The number of seals per lookup. */
const batchSize = 64

export declare namespace lookUpSeals {
  type Input = { readonly readSeal: ReadSeal; readonly registry: Registry }
}

/** Looks up the seals that are due at a time in milliseconds, and returns their number. */
export async function lookUpSeals(
  { db }: CatalogueStore,
  { readSeal, registry }: lookUpSeals.Input,
  now: number,
): Promise<number> {
  const pending = await db
    .selectFrom('seal')
    .select(['digest', 'looks'])
    .where('state', '=', 'wanted')
    .where('lookAt', '<=', now)
    .orderBy('lookAt')
    .limit(batchSize)
    .execute()
  const results = await Promise.all(pending.map((it) => lookUp(readSeal, it)))
  await writeInTurns(results, (some) =>
    db.transaction().execute(async (trx) => {
      for (const { pending: it, seal } of some) {
        await trx
          .updateTable('seal')
          .set(sealColumns(it, seal, registry, now))
          .where('digest', '=', it.digest)
          .execute()
      }
    }),
  )
  return pending.length
}

type LookupResult = { readonly pending: PendingSeal; readonly seal: Seal | undefined }

// A blob store that fails is retried like one that does not have the bundle.
const lookUp = async (readSeal: ReadSeal, pending: PendingSeal): Promise<LookupResult> => ({
  pending,
  seal: await readSeal(digest(pending.digest)).catch(() => undefined),
})

function sealColumns(
  { looks }: PendingSeal,
  seal: Seal | undefined,
  registry: Registry,
  now: number,
): Partial<Database['seal']> {
  const later = nextLookup(looks, now)
  if (seal === undefined) return later
  const { context, contentHash, isAuthentic } = seal
  const isOurs =
    context.registry.chainId === registry.chainId &&
    sameAccount(context.registry.address, registry.address)
  return {
    ...(isAuthentic ? { state: 'read' } : later),
    sealedFor: isOurs ? context.creator.toLowerCase() : '',
    sealedContent: contentHash,
  }
}
