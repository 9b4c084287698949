import assert from 'node:assert/strict'
import { storageUri } from '@heirloom/core'
import fc from 'fast-check'
import { listingOf } from '../invariants.ts'
import { idOf, tokenOf } from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { agree, firstOf, serviceOf, step } from '../step.ts'

const arbitraryInput = fc.record({ who: arbitraryWho, pick: arbitraryPick })

/** Reads the record of a token. */
export const provenanceCommand = arbitraryInput.map(({ who, pick }) =>
  step(`provenance of ${pick} by ${who}`, async (model, harness) => {
    const tokenId = idOf(model, pick)
    const token = tokenOf(model, tokenId)
    const predicted = firstOf([token === undefined, 'token/not-found'])
    const read = serviceOf(harness, who).provenance({ tokenId })
    const found = await agree(model, 'provenance', predicted, read)
    if (token)
      assert.deepEqual(found, { ...token.record, storageUri: storageUri(token.record.digest) })
    return undefined
  }),
)

/** Reads the live terms of a token. */
export const listingCommand = arbitraryInput.map(({ who, pick }) =>
  step(`listing of ${pick} by ${who}`, async (model, harness) => {
    const tokenId = idOf(model, pick)
    const token = tokenOf(model, tokenId)
    const predicted = firstOf([token === undefined, 'token/not-found'])
    const read = serviceOf(harness, who).listing({ tokenId })
    const found = await agree(model, 'listing', predicted, read)
    if (token) assert.deepEqual(found, listingOf(harness, token))
    return undefined
  }),
)
