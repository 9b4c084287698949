import { join } from 'node:path'
import { heliaBlobStore } from '@heirloom/adapters/blob-store'
import type { LoadedKeys } from '@heirloom/adapters/keys'
import { type Finding, fail, found, ok } from './finding.ts'
import { type Site, skipped } from './installation.ts'
import { keyCensus, type MintedAfter, missingIn } from '../../server/keys/key-census.ts'
import { blobFolder } from '../../server/whole-folder.ts'

const name = 'memory-keys'

/** Looks for memories that are sealed under keys that are not here. */
export async function memoryFinding(
  site: Site,
  sealing: LoadedKeys | undefined,
  minted: MintedAfter,
): Promise<Finding> {
  if (site.closed !== undefined) return skipped(name, site.closed)
  if (sealing === undefined) return skipped(name, 'there are no sealing keys that open')
  if (!site.has(blobFolder)) return skipped(name, 'there are no blobs yet')
  const advice = 'Restore the key file that belongs to these blobs; heirloom keys status has more.'
  return found(name, advice, async () => {
    const store = await heliaBlobStore({ folder: join(site.folder, blobFolder) })
    try {
      const census = keyCensus({ minted, head: store.headHere })
      await census.catchUp()
      const all = [...census.byKey.values()].reduce((sum, tokens) => sum + tokens.length, 0)
      const facts = sealing.records.map((record) => record.facts)
      const { memories, keys } = missingIn(census, facts)
      if (memories === 0) return ok(name, `The keys of all ${all} memories are here.`)
      const sentence = `${memories} of ${all} memories are sealed under keys that are not here: ${keys.join(', ')}.`
      return fail(name, sentence, advice)
    } finally {
      await store.close()
    }
  })
}
