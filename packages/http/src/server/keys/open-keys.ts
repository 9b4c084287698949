import { readHeader } from '@heirloom/adapters/cipher'
import { memoize } from '@heirloom/adapters/internal/platform'
import type { JobStore } from '@heirloom/adapters/job-store'
import {
  databaseKeyStore,
  databaseTenantStore,
  defaultTenant,
  fileKeyStore,
  fileTenantStore,
  type KeyStore,
  type KeyTables,
  loadTenants,
  type MasterKeys,
  type OpenedTenant,
  type StoredSealingKeys,
  storedSealingKeys,
  type TenantStore,
} from '@heirloom/adapters/keys'
import { type Cipher, type Clock, Failure, type Seal } from '@heirloom/core'
import type { Config } from '../../config/config.ts'
import { openJobStore } from '../open-job-store.ts'
import { requireUnusedFolder } from '../whole-folder.ts'
import { createMasterKeys, loadMasterKeys, masterKeyPath } from './master-keys.ts'

/** The interval at which a server refreshes keys that other servers can change, in milliseconds. */
export const refreshInterval = 5000

/**
 * The time after the last refresh during which a server seals under keys that other servers can
 * change, in milliseconds.
 */
export const keyLease = 30_000

type KeyParts = {
  readonly config: Config
  readonly folder: string
  /** Opens the database that several servers can share. */
  readonly store: () => Promise<JobStore>
}

/** Opens the key store, in the configured database or in the data folder. */
export async function openKeyStore({ config, folder, store }: KeyParts): Promise<KeyStore> {
  const inFolder = fileKeyStore({ folder })
  if (config.databaseUrl === undefined) return inFolder
  const { db, migrate } = await store()
  const shared = await databaseKeyStore({ db: db.withTables<KeyTables>(), migrate })
  return alsoNotingInFolder(shared, inFolder)
}

/** Opens the tenant store, in the configured database or in the data folder. */
export async function openTenantStore({ config, folder, store }: KeyParts): Promise<TenantStore> {
  if (config.databaseUrl === undefined) return fileTenantStore({ folder })
  const { db, migrate } = await store()
  return databaseTenantStore({ db: db.withTables<KeyTables>(), migrate })
}

/** Opens the stores of the keys and of the tenants, runs `act` with them, and closes them. */
export async function withKeyStore<T>(
  { config, folder }: Omit<KeyParts, 'store'>,
  act: (store: KeyStore, tenants: TenantStore) => Promise<T>,
): Promise<T> {
  let opened: JobStore | undefined
  const store = async () => {
    opened = await openJobStore(config, folder)
    return opened
  }
  try {
    const parts = { config, folder, store }
    return await act(await openKeyStore(parts), await openTenantStore(parts))
  } finally {
    await opened?.close()
  }
}

/** Returns a shared store that also notes destroyed keys in the folder of this server. */
const alsoNotingInFolder = (shared: KeyStore, inFolder: KeyStore): KeyStore => ({
  ...shared,
  destroyed: async () => new Set([...(await shared.destroyed()), ...(await inFolder.destroyed())]),
  noteDestroyed: async (ids) => {
    await shared.noteDestroyed(ids)
    await inFolder.noteDestroyed(ids)
  },
})

/** The sealing keys of a server. */
export type ServerKeys = StoredSealingKeys & {
  /** Refreshes the keys, at most once a second, because another server may have made a new one. */
  readonly refreshUnknown: () => Promise<void>
  /** The tenants that were not removed, as they were when the keys were opened. */
  readonly tenants: readonly OpenedTenant[]
  readonly close: () => Promise<void>
}

/**
 * Opens the sealing keys of a server. In an unused folder it generates the first one, and on the
 * embedded chain also the master key.
 *
 * @throws `folder/incomplete` if the folder was used and its keys are missing, `keys/unusable`,
 * `config/invalid`
 */
export async function openKeys({
  clock,
  onTrouble,
  ...parts
}: KeyParts & {
  readonly clock: Clock
  readonly onTrouble: (error: unknown) => void
}): Promise<ServerKeys> {
  const store = await openKeyStore(parts)
  const masters = await masterKeysFor(parts, store)
  const isShared = parts.config.databaseUrl !== undefined
  const source = { store: await openTenantStore(parts), masters }
  const { tenants } = await loadTenants(source)
  const keys = await storedSealingKeys({
    store,
    masters,
    clock,
    onTrouble,
    tenants: async () => namesOf((await loadTenants(source)).tenants.filter(isActive)),
    requireNew: async () => requireUnusedFolder(parts.folder, store.place),
    lease: isShared ? keyLease : undefined,
  })
  requireTenants(keys, { tenants, missing: source.store.place, beside: store.place })
  const refresh = () => keys.refresh().catch(onTrouble)
  const timer = isShared ? setInterval(refresh, refreshInterval).unref() : undefined
  // A client that names one unknown key after another must not cause a query for each.
  const refreshUnknown = isShared
    ? memoize(refresh, { resultFor: 1000, failureFor: 1000 })
    : async () => undefined
  const left = tenants.filter(({ facts }) => facts.state !== 'removed')
  return { ...keys, refreshUnknown, tenants: left, close: async () => clearInterval(timer) }
}

const isActive = ({ facts }: OpenedTenant): boolean => facts.state === 'active'
const namesOf = (tenants: readonly OpenedTenant[]) => tenants.map(({ facts }) => facts.name)

type Found = {
  readonly tenants: readonly OpenedTenant[]
  readonly missing: string
  readonly beside: string
}

// Without this, the loss of the wallets of all tenants would look like a server without tenants.
function requireTenants(
  { facts }: Pick<StoredSealingKeys, 'facts'>,
  { tenants, missing, beside }: Found,
): void {
  const known = [defaultTenant, ...namesOf(tenants)]
  const isLost = facts().some((key) => key.state !== 'destroyed' && !known.includes(key.tenant))
  if (isLost) throw new Failure('folder/incomplete', { missing, beside })
}

/** Returns the master keys; generates one if no sealing key exists yet. */
async function masterKeysFor({ config, folder }: KeyParts, store: KeyStore): Promise<MasterKeys> {
  const configured = loadMasterKeys(config, folder)
  if (configured !== undefined) return configured
  const missing = masterKeyPath(config, folder)
  if (config.chain.kind !== 'embedded') {
    throw new Failure('config/invalid', {
      name: 'MASTER_KEY_FILE',
      problem: `names ${missing}, which does not exist`,
    })
  }
  if ((await store.read()) !== undefined) {
    throw new Failure('folder/incomplete', { missing, beside: store.place })
  }
  requireUnusedFolder(folder, missing)
  return createMasterKeys(config, folder)
}

/** The keys that decide which bundles may be opened. */
type Keys = Pick<ServerKeys, 'find' | 'facts' | 'refreshUnknown'>

/**
 * Returns a cipher that opens a bundle only while its sealing key is present, also if the bundle is
 * in the decrypted cache. An unknown key may be new: the keys are refreshed before the refusal.
 */
export function presentKeysCipher(cipher: Cipher, keys: Keys): Cipher {
  // The decrypted cache returns the same bytes again, whose header then needs no second reading.
  const keyIds = new WeakMap<Uint8Array, Uint8Array>()
  const keyIdOf = (sealed: Uint8Array): Uint8Array => {
    const known = keyIds.get(sealed)
    if (known !== undefined) return known
    const { sealingKeyId } = readHeader(sealed)
    keyIds.set(sealed, sealingKeyId)
    return sealingKeyId
  }
  const seals = new WeakMap<Uint8Array, Seal>()
  /** Inspects a head that the cache returns again once, while its key is here. */
  const inspect = (head: Uint8Array): Seal => {
    const known = seals.get(head)
    if (known !== undefined && keys.find(keyIdOf(head)) !== undefined) return known
    const seal = cipher.inspect(head)
    // The list of packs may be long, and is not counted in the cache.
    if (seal.isAuthentic && seal.packs.length === 0) seals.set(head, seal)
    return seal
  }
  const requireKey = async (sealed: Uint8Array) => {
    const id = keyIdOf(sealed)
    if (keys.find(id) !== undefined) return
    await keys.refreshUnknown()
    if (keys.find(id) === undefined) throw absent(keys, id)
  }
  return {
    // Without a spread: a new method that opens bundles must check their keys too.
    seal: cipher.seal,
    inspect,
    sealedLength: async (head, context) => {
      await requireKey(head)
      return cipher.sealedLength(head, context)
    },
    open: async (sealed, context, blobs) => {
      await requireKey(sealed)
      return cipher.open(sealed, context, blobs)
    },
    reader: async (sealed, context, blobs) => {
      await requireKey(sealed)
      return cipher.reader(sealed, context, blobs)
    },
  }
}

function absent(keys: Keys, bytes: Uint8Array): Failure {
  const id = Buffer.from(bytes).toString('hex')
  const isDestroyed = keys.facts().some((it) => it.id === id && it.state === 'destroyed')
  const fate = isDestroyed ? 'was destroyed' : 'is not here'
  return new Failure('bundle/unreadable', {
    problem: `it was sealed under the key ${id}, which ${fate}`,
  })
}
