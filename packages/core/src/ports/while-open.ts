import type { BlobStorage, OpenBlobStore } from './blob-storage.ts'

/**
 * Opens a storage, runs an action on its store, and closes it, also after an error.
 *
 * @throws what `open`, the action and `close` throw
 */
export async function whileOpen<T>(
  storage: BlobStorage,
  act: (store: OpenBlobStore) => Promise<T>,
): Promise<T> {
  const store = await storage.open()
  try {
    return await act(store)
  } finally {
    await store.close()
  }
}
