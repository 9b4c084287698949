import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  destroyedFile,
  encodeKeyDocument,
  encodeTenantDocument,
  keyFile,
  tenantFile,
} from '@heirloom/adapters/keys'
import type { Config } from '../../config/config.ts'
import { withKeyStore } from '../../server/keys/open-keys.ts'

/**
 * Copies the wrapped sealing keys, the tenants with their wrapped wallets, and the list of destroyed
 * keys, and returns the names of the copies. Never copies a master key. The list comes last, so that it holds every key that was
 * destroyed by the time the others were copied.
 */
export async function stageKeys(
  { config, folder }: { readonly config: Config; readonly folder: string },
  into: string,
): Promise<readonly string[]> {
  if (config.databaseUrl !== undefined) return stageSharedKeys({ config, folder }, into)
  return [keyFile, tenantFile, destroyedFile].filter((name) => {
    const isThere = existsSync(join(folder, name))
    if (isThere) copyFileSync(join(folder, name), join(into, name))
    return isThere
  })
}

/** Copies the keys that servers share in a database. */
const stageSharedKeys = (
  parts: { readonly config: Config; readonly folder: string },
  into: string,
): Promise<readonly string[]> =>
  withKeyStore(parts, async (store, tenantStore) => {
    const document = await store.read()
    const tenants = await tenantStore.read()
    const ids = [...(await store.destroyed())]
    const texts = [
      ...(document === undefined ? [] : [[keyFile, encodeKeyDocument(document)] as const]),
      ...(tenants === undefined ? [] : [[tenantFile, encodeTenantDocument(tenants)] as const]),
      ...(ids.length === 0 ? [] : [[destroyedFile, [...ids, ''].join('\n')] as const]),
    ]
    for (const [name, text] of texts) writeFileSync(join(into, name), text, { mode: 0o600 })
    return texts.map(([name]) => name)
  })
