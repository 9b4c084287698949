import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import type { LoadedKeys } from '@heirloom/adapters/keys'
import { findMissingKeys, keyCensus, type MintedAfter } from '../../server/keys/key-census.ts'
import { blobFolder } from '../../server/whole-folder.ts'
import { type Finding, fail, ok, runCheck } from './finding.ts'
import { type Installation, skipped } from './installation.ts'

const name = 'memory-keys'

/** Checks that the sealing key of every memory is present. */
export async function checkMemoryKeys(
  installation: Installation,
  sealing: LoadedKeys | undefined,
  minted: MintedAfter,
): Promise<Finding> {
  if (installation.unavailable !== undefined) return skipped(name, installation.unavailable)
  if (sealing === undefined) return skipped(name, 'no sealing key can be opened')
  if (!installation.has(blobFolder)) return skipped(name, 'there are no blobs yet')
  const advice =
    'Restore the key file that belongs to these blobs; heirloom keys status shows details.'
  return runCheck(name, advice, async () => {
    const store = await heliaBlobStore({ folder: join(installation.folder, blobFolder) })
    try {
      const census = keyCensus({ minted, head: store.headHere })
      await census.catchUp()
      const all = [...census.byKey.values()].reduce((sum, tokens) => sum + tokens.length, 0)
      const facts = sealing.records.map((record) => record.facts)
      const { memories, keys } = findMissingKeys(census, facts)
      if (memories === 0) return ok(name, `The keys of all ${all} memories are present.`)
      const sentence = `${memories} of ${all} memories are sealed under keys that are missing: ${keys.join(', ')}.`
      return fail(name, sentence, advice)
    } finally {
      await store.close()
    }
  })
}
