import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { ServiceHarness } from '../../harness.ts'
import { highestPick, idOf, type Model, tokenOf } from '../model.ts'
import { arbitraryPick, arbitraryRecipient, arbitraryWho } from '../picks.ts'
import { record } from '../record.ts'
import {
  agree,
  command,
  type Drawn,
  firstOf,
  partyOf,
  receiverOf,
  recipientInput,
} from '../step.ts'

const parts = {
  who: arbitraryWho,
  pick: arbitraryPick,
  parent: fc.option(fc.nat({ max: highestPick }), { nil: undefined, freq: 2 }),
  recipient: arbitraryRecipient,
}

/**
 * Mints the public content hash and digest of any token again, on the ledger and not through a
 * service.
 */
export const copyCommand = command('copy', parts, runCopy)

/** Mints a copy in the model and the harness, and returns it; the original when the mint fails. */
export async function runCopy(
  model: Model,
  harness: ServiceHarness,
  { who, pick, parent, recipient }: Drawn<typeof parts>,
) {
  const original = tokenOf(model, idOf(model, pick))
  if (original === undefined) return undefined
  const parentId = parent === undefined ? undefined : idOf(model, parent)
  const predicted = firstOf(
    [recipient === 'nobody', 'recipient/invalid'],
    [parentId !== undefined && tokenOf(model, parentId) === undefined, 'token/not-found'],
  )
  const { ledger } = partyOf(harness, who)
  const { contentHash, digest } = original.record
  const pair = { contentHash, digest, parent: parentId }
  const to = { recipient: ledger.agent, ...recipientInput(harness, recipient) }
  const minted = await agree(model, 'copy', predicted, ledger.mint({ ...pair, ...to }))
  if (minted === undefined) return original
  const { document, sealedFor } = original
  const copy = await record(model, harness, minted.tokenId, {
    creator: who,
    parent: parentId,
    claims: [],
    depth: 0,
    document,
    sealedFor,
    owner: receiverOf(recipient, who),
  })
  assert.equal(copy.record.digest, digest)
  return copy
}
