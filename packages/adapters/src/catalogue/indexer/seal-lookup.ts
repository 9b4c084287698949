import { type Digest, digest, type Registry, type Seal, sameAccount } from '@heirloom/core'
import { nextLook } from './next-lookup.ts'
import type { Database } from '../schema.ts'
import type { Store } from '../catalogue-store.ts'

/** Returns what the head of a sealed memory says; `undefined` when it is not here. */
export type Seals = (digest: Digest) => Promise<Seal | undefined>

type Wanted = Pick<Database['seal'], 'digest' | 'looks'>

/** How many seals are looked for at once. */
const atOnce = 64

export declare namespace lookForSeals {
  type Input = { readonly seals: Seals; readonly registry: Registry }
}

/** Looks for the seals that are due at a time in milliseconds, and returns how many there were. */
export async function lookForSeals(
  { db }: Store,
  { seals, registry }: lookForSeals.Input,
  now: number,
): Promise<number> {
  const wanted = await db
    .selectFrom('seal')
    .select(['digest', 'looks'])
    .where('state', '=', 'wanted')
    .where('lookAt', '<=', now)
    .orderBy('lookAt')
    .limit(atOnce)
    .execute()
  // A store that fails is asked again like one that has nothing.
  const found = await Promise.all(
    wanted.map((it) => seals(digest(it.digest)).catch(() => undefined)),
  )
  if (wanted.length === 0) return 0
  await db.transaction().execute(async (trx) => {
    for (const [index, it] of wanted.entries()) {
      await trx
        .updateTable('seal')
        .set(rowOf(it, found[index], registry, now))
        .where('digest', '=', it.digest)
        .execute()
    }
  })
  return wanted.length
}

function rowOf(
  { looks }: Wanted,
  seal: Seal | undefined,
  registry: Registry,
  now: number,
): Partial<Database['seal']> {
  const later = nextLook(looks, now)
  if (seal === undefined) return later
  const { context, contentHash, isAuthentic } = seal
  const isHere =
    context.registry.chainId === registry.chainId &&
    sameAccount(context.registry.address, registry.address)
  return {
    ...(isAuthentic ? { state: 'read' } : later),
    sealedFor: isHere ? context.creator.toLowerCase() : '',
    sealedContent: contentHash,
  }
}
