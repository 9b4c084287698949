import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobStore } from '@heirloom/adapters/job-store'
import {
  databaseErasureStore,
  decodeErased,
  type ErasedBlobs,
  erasedFile,
  fileErasureStore,
  type KeyTables,
  mergeErased,
  openErasures,
  type StoredErasures,
} from '@heirloom/adapters/keys'
import {
  type Catalogue,
  type CataloguedToken,
  type Erasures,
  type OpenBlobStore,
  type Page,
  type Relative,
  readsWithoutErased,
  withoutErased,
} from '@heirloom/core'
import type { Config } from '../../config/config.ts'

export declare namespace serverErasures {
  type Parts = {
    readonly config: Pick<Config, 'databaseUrl'>
    readonly folder: string
    /** Opens the database that several servers can share. */
    readonly store: () => Promise<JobStore>
  }
}

/**
 * Opens the erasures of a server: in its data folder, and in the configured database, which gets what
 * the folder has. So neither an older dump nor an older folder brings an erased memory back alone.
 */
export async function serverErasures({
  config,
  folder,
  store,
}: serverErasures.Parts): Promise<StoredErasures> {
  const inFolder = fileErasureStore({ folder })
  if (config.databaseUrl === undefined) return openErasures([inFolder])
  const { db, migrate } = await store()
  const shared = await databaseErasureStore({ db: db.withTables<KeyTables>(), migrate })
  return openErasures([shared, inFolder])
}

/** Reads the erased blobs of some data folders. */
export function readErased(...folders: readonly string[]): ErasedBlobs {
  const paths = folders.map((folder) => join(folder, erasedFile)).filter((it) => existsSync(it))
  return mergeErased(...paths.map((path) => decodeErased(readFileSync(path, 'utf8'))))
}

type Known = Pick<Erasures, 'find'>

/** Returns an open blob store that neither returns nor stores an erased blob. */
export const guardErased = (store: OpenBlobStore, erasures: Known): OpenBlobStore => ({
  ...store,
  ...withoutErased(store, erasures),
  local: readsWithoutErased(store.local, erasures),
})

/**
 * Returns a catalogue that says of each token whether its memory was erased. It shows no card of an
 * erased memory, no excerpts and no listing, because what it offers cannot be had any more.
 */
export function showErased(catalogue: Catalogue, { find }: Known): Catalogue {
  const shown = <Token extends CataloguedToken>(token: Token): Token => {
    const erasedAt = find(token.digest)
    if (erasedAt === undefined) return token
    return { ...token, erasedAt, card: undefined, sample: undefined }
  }
  const relative = ({ token, link }: Relative): Relative => ({ token: shown(token), link })
  const page = <Of extends CataloguedToken>({ items, next }: Page<Of>): Page<Of> => ({
    items: items.map(shown),
    next,
  })
  return {
    ...catalogue,
    listings: async (query) => {
      const { items, next } = page(await catalogue.listings(query))
      return { items: items.filter(({ erasedAt }) => erasedAt === undefined), next }
    },
    tokens: async (query) => page(await catalogue.tokens(query)),
    token: async (id) => {
      const token = await catalogue.token(id)
      return token && shown(token)
    },
    titles: async (ids) =>
      (await catalogue.titles(ids)).filter(({ digest }) => find(digest) === undefined),
    lineage: async (id, part) => {
      const found = await catalogue.lineage(id, part)
      if (found === undefined) return undefined
      const { ancestors, descendants } = found
      const relatives = {
        ancestors: ancestors.map(relative),
        descendants: descendants.map(relative),
      }
      return { ...found, token: shown(found.token), ...relatives }
    },
  }
}
