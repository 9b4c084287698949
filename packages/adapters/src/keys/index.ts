export {
  commitKeys,
  findSealingKey,
  withDestroyed,
  withMastersGone,
  withNewKey,
} from './change-keys.ts'
export { databaseKeyStore, type KeyTables } from './database-key-store.ts'
export { destroyedFile, fileKeyStore, keyFile } from './file-key-store.ts'
export { encodeKeyDocument } from './key-document.ts'
export type { KeyFacts, KeyState } from './key-record.ts'
export type { KeyStore } from './key-store.ts'
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
export { localMasterKey } from './local-master-key.ts'
export type { MasterKey, MasterKeys } from './master-key.ts'
export {
  type StoredSealingKeys,
  sealingKeysOf,
  storedSealingKeys,
} from './stored-sealing-keys.ts'
