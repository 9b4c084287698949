import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tier } from '../../../../test/tier.ts'
import { blobStorageLaws } from '../../src/laws/blob-storage.ts'
import { blobStoreLaws } from '../../src/laws/blob-store.ts'
import { catalogueLaws } from '../../src/laws/catalogue.ts'
import { cipherLaws } from '../../src/laws/cipher.ts'
import { clockLaws } from '../../src/laws/clock.ts'
import { grantsLaws } from '../../src/laws/grants.ts'
import { keyServiceLaws } from '../../src/laws/key-service.ts'
import { checkLaws, type Law } from '../../src/laws/law.ts'
import { ledgerLaws } from '../../src/laws/ledger.ts'
import { namesLaws } from '../../src/laws/names.ts'
import { openingsLaws } from '../../src/laws/openings.ts'
import { profilesLaws } from '../../src/laws/profiles.ts'
import { ratingsLaws } from '../../src/laws/ratings.ts'
import { brokenBlobStorages } from './blob-storage.ts'
import { brokenBlobStores } from './blob-store.ts'
import { brokenCatalogues } from './catalogue.ts'
import { brokenCiphers } from './cipher.ts'
import { brokenClocks } from './clock.ts'
import type { Broken } from './faulty-harness.ts'
import { brokenGrants } from './grants.ts'
import { brokenKeyServices } from './key-service.ts'
import { brokenLedgers } from './ledgers.ts'
import { brokenNames } from './names.ts'
import { brokenOpenings } from './openings.ts'
import { brokenProfiles } from './profiles.ts'
import { brokenRatings } from './ratings.ts'

// Each fault occurs in every run, so few runs are enough.
const configured = fc.readConfigureGlobal()
beforeAll(() => {
  fc.configureGlobal({ ...configured, seed: 1, numRuns: 20 })
})
afterAll(() => {
  fc.configureGlobal(configured)
})

describeBroken('a store', blobStoreLaws, brokenBlobStores)
describeBroken('a storage', blobStorageLaws, brokenBlobStorages)
describeBroken('a cipher', cipherLaws, brokenCiphers)
describeBroken('a clock', clockLaws, brokenClocks)
describeBroken('a key service', keyServiceLaws, brokenKeyServices)
describeBroken('a ledger', ledgerLaws, brokenLedgers)
describeBroken('a catalogue', catalogueLaws, brokenCatalogues)
describeBroken('names', namesLaws, brokenNames)
describeBroken('openings', openingsLaws, brokenOpenings)
describeBroken('grants', grantsLaws, brokenGrants)
describeBroken('profiles', profilesLaws, brokenProfiles)
describeBroken('ratings', ratingsLaws, brokenRatings)

function describeBroken<Subject>(
  title: string,
  laws: readonly Law<Subject>[],
  broken: readonly Broken<Subject>[],
): void {
  describe(title, () => {
    test('has one fault for each law', () => {
      expect(broken.map(({ law }) => law).toSorted()).toEqual(
        laws.map(({ name }) => name).toSorted(),
      )
    })

    for (const { law, fault, open } of broken) {
      test(`that ${fault} breaks only its law`, async () => {
        // That no other law fails, which takes all of them, is seen in the long tier.
        const checked = tier === 'long' ? laws : laws.filter(({ name }) => name === law)
        const results = await checkLaws(checked, { open })
        const failed = results.filter(({ outcome }) => outcome === 'broken')
        expect(failed.map(({ name }) => name)).toEqual([law])
      })
    }
  })
}
