import type { LoadedKeys } from '@heirloom/adapters/keys'
import { findMissingKeys, keyCensus, type MintedAfter } from '../../server/keys/key-census.ts'
import { type Finding, fail, ok, runCheck } from './finding.ts'
import { type Installation, mayHaveBlobs, skipped, withBlobStore } from './installation.ts'

const name = 'memory-keys'

/** Checks that no sealing key is missing for the memories that are stored here. */
export async function checkMemoryKeys(
  installation: Installation,
  sealing: LoadedKeys | undefined,
  minted: MintedAfter,
): Promise<Finding> {
  if (installation.unavailable !== undefined) return skipped(name, installation.unavailable)
  if (sealing === undefined) return skipped(name, 'no sealing key can be opened')
  if (!mayHaveBlobs(installation)) return skipped(name, 'there are no blobs yet')
  const advice =
    'Restore the key file that belongs to these blobs; heirloom keys status shows details.'
  return runCheck(name, advice, () =>
    withBlobStore(installation, async ({ local }) => {
      const census = keyCensus({ minted, head: local.head })
      await census.catchUp()
      const all = [...census.byKey.values()].reduce((sum, tokens) => sum + tokens.length, 0)
      const facts = sealing.records.map((record) => record.facts)
      const { memories, keys } = findMissingKeys(census, facts)
      if (memories === 0) return ok(name, presentText(all))
      const sentence = `${memories} of ${all} memories are sealed under keys that are missing: ${keys.join(', ')}.`
      return fail(name, sentence, advice)
    }),
  )
}

const presentText = (all: number): string =>
  `No key is missing for the ${all === 1 ? 'memory' : `${all} memories`} stored here.`
