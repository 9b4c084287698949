import {
  databaseKeyStore,
  fileKeyStore,
  type KeyStore,
  type KeyTables,
  type MasterKeys,
  type StoredSealingKeys,
  storedSealingKeys,
} from '@heirloom/adapters/keys'
import type { JobStore } from '@heirloom/adapters/store'
import { type Clock, Failure } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import { openJobStore } from '../open-job-store.ts'
import { makeMasterKeys, masterFileOf, masterKeysIn } from './master-keys.ts'
import { remembered } from '../health/memoize-for.ts'
import { requireNothingMade } from '../whole-folder.ts'

/** How often a server reads keys again that others may change, in milliseconds. */
export const readEvery = 5000

/**
 * How long a server seals under keys that others may change after it last read them, in
 * milliseconds.
 */
export const keyLease = 30_000

type Place = {
  readonly config: Config
  readonly folder: string
  /** Opens the database that several servers share. */
  readonly store: () => Promise<JobStore>
}

/** Opens the configured key store: of the shared database, or of the data folder. */
export async function openKeyStore({ config, folder, store }: Place): Promise<KeyStore> {
  const inFolder = fileKeyStore({ folder })
  if (config.databaseUrl === undefined) return inFolder
  const { db, create } = await store()
  const shared = await databaseKeyStore({ db: db.withTables<KeyTables>(), create })
  return alsoRemembering(shared, inFolder)
}

/** Opens the configured key store for as long as something is done with it. */
export async function withKeyStore<T>(
  { config, folder }: Omit<Place, 'store'>,
  act: (store: KeyStore) => Promise<T>,
): Promise<T> {
  let opened: JobStore | undefined
  const store = async () => {
    opened = await openJobStore(config, folder)
    return opened
  }
  try {
    return await act(await openKeyStore({ config, folder, store }))
  } finally {
    await opened?.close()
  }
}

/** Returns a shared store of which each server remembers in its own folder what was destroyed. */
const alsoRemembering = (shared: KeyStore, inFolder: KeyStore): KeyStore => ({
  ...shared,
  destroyed: async () => new Set([...(await shared.destroyed()), ...(await inFolder.destroyed())]),
  noteDestroyed: async (ids) => {
    await shared.noteDestroyed(ids)
    await inFolder.noteDestroyed(ids)
  },
})

/** The sealing keys of a server. */
export type ServerKeys = StoredSealingKeys & {
  /** Reads the keys again where others may have made one that is not known here. */
  readonly lookAgain: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Opens the sealing keys of a server. Where nothing was ever sealed, it makes the first one, and on
 * the embedded chain the master key as well.
 *
 * @throws `folder/incomplete` where anything was made here and the keys are not, `keys/unusable`,
 * `config/invalid`
 */
export async function openKeys({
  clock,
  onTrouble,
  ...place
}: Place & {
  readonly clock: Clock
  readonly onTrouble: (error: unknown) => void
}): Promise<ServerKeys> {
  const store = await openKeyStore(place)
  const masters = await mastersFor(place, store)
  const isShared = place.config.databaseUrl !== undefined
  const keys = await storedSealingKeys({
    ...{ store, masters, clock, onTrouble },
    requireNew: async () => requireNothingMade(place.folder, store.place),
    lease: isShared ? keyLease : undefined,
  })
  const again = () => keys.refresh().catch(onTrouble)
  const timer = isShared ? setInterval(again, readEvery).unref() : undefined
  // A caller who asks for one unknown key after the other must not make a query of each.
  const lookAgain = isShared ? remembered(again, { milliseconds: 1000 }) : async () => undefined
  return { ...keys, lookAgain, close: async () => clearInterval(timer) }
}

/** Returns the master keys; a new one where there is nothing yet that another one wraps. */
async function mastersFor({ config, folder }: Place, store: KeyStore): Promise<MasterKeys> {
  const configured = masterKeysIn(config, folder)
  if (configured !== undefined) return configured
  const missing = masterFileOf(config, folder)
  if (config.chain.kind !== 'embedded') {
    throw new Failure('config/invalid', {
      name: 'MASTER_KEY_FILE',
      problem: `names ${missing}, which does not exist`,
    })
  }
  if ((await store.read()) !== undefined) {
    throw new Failure('folder/incomplete', { missing, beside: store.place })
  }
  requireNothingMade(folder, missing)
  return makeMasterKeys(config, folder)
}
