export {
  commitKeys,
  defaultTenant,
  findSealingKey,
  type Records,
  withDestroyed,
  withMastersGone,
  withNewKey,
  withoutSealing,
} from './change-keys.ts'
export { databaseKeyStore } from './database-key-store.ts'
export {
  databaseErasureStore,
  decodeErased,
  type ErasedBlobs,
  type ErasureStore,
  encodeErased,
  erasedFile,
  fileErasureStore,
  mergeErased,
  openErasures,
  type StoredErasures,
} from './erasure-store.ts'
export { destroyedFile, fileKeyStore, type KeyStore, keyFile } from './file-key-store.ts'
export { encodeKeyDocument, type KeyFacts, type KeyState } from './key-record.ts'
export type { DocumentRow, KeyTables } from './key-tables.ts'
export {
  describeProblem,
  type InspectedKeys,
  type InspectedRecord,
  inspectKeys,
  type KeySource,
  type LoadedKeys,
  loadKeys,
  requireOpened,
  tombstoneOf,
} from './load-keys.ts'
export { localMasterKey, type MasterKey, type MasterKeys } from './local-master-key.ts'
export {
  type StoredSealingKeys,
  sealingKeysOf,
  storedSealingKeys,
} from './stored-sealing-keys.ts'
export {
  commitTenants,
  type LoadedTenants,
  loadTenants,
  type TenantSource,
  withTenant,
  withTenantState,
} from './tenants/change-tenants.ts'
export {
  encodeTenantDocument,
  type OpenedTenant,
  type TenantFacts,
  tenantName,
} from './tenants/tenant-record.ts'
export {
  databaseTenantStore,
  fileTenantStore,
  type TenantStore,
  tenantFile,
} from './tenants/tenant-store.ts'
