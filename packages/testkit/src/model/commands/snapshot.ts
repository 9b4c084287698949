import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Card, documentOfCard } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryCard } from '../../arbitraries/card.ts'
import { arbitraryBundleText, type BundleText } from '../../arbitraries/json.ts'
import type { World } from '../../harness.ts'
import {
  highestPick,
  idOf,
  type Model,
  type ModelToken,
  type Pick,
  tokenOf,
  type Who,
} from '../model.ts'
import { arbitraryRecipient, arbitraryWho } from '../picks.ts'
import { record } from '../record.ts'
import {
  agree,
  drift,
  firstOf,
  heirOf,
  type Recipient,
  recipientInput,
  serviceOf,
  step,
} from '../step.ts'

type Input = {
  readonly who: Who
  readonly bundle: BundleText
  readonly card: Card | undefined
  readonly parent: Pick | undefined
  readonly recipient: Recipient
}

/** Half of the memories show something. */
const arbitrarySometimesCard = fc.option(arbitraryCard, { nil: undefined, freq: 2 })

/** Snapshots a memory for oneself: how a story mostly begins. */
export const firstSnapshot = fc
  .record({ who: arbitraryWho, bundle: arbitraryBundleText, card: arbitrarySometimesCard })
  .map((input) => ({ ...input, parent: undefined, recipient: undefined }))
  .map(stepOf)

/** Snapshots any memory, alone or grown from another. */
export const snapshotCommand = fc
  .record({
    who: arbitraryWho,
    bundle: arbitraryBundleText,
    card: arbitrarySometimesCard,
    parent: fc.option(fc.nat({ max: highestPick }), { nil: undefined, freq: 2 }),
    recipient: arbitraryRecipient,
  })
  .map(stepOf)

function stepOf(input: Input) {
  return step(`snapshot ${JSON.stringify(input)}`, (model, world) => play(model, world, input))
}

async function play(model: Model, world: World, { who, bundle, card, parent, recipient }: Input) {
  const id = parent === undefined ? undefined : idOf(model, parent)
  const predicted = firstOf(
    [recipient === 'nobody', 'recipient/invalid'],
    [id !== undefined && tokenOf(model, id) === undefined, 'token/not-found'],
  )
  const minted = await agree(
    model,
    'snapshot',
    predicted,
    serviceOf(world, who).snapshot({
      bundle: new TextEncoder().encode(bundle.text),
      card,
      parent: id,
      ...recipientInput(world, recipient),
    }),
  )
  if (minted === undefined) return undefined
  assert.ok(Math.abs(minted.timestamp - world.now()) <= drift)
  const { document } = bundle
  const origin = { creator: who, sealedFor: who, parent: id, claims: [], depth: 0, document }
  const token = await record(model, world, minted.tokenId, {
    ...origin,
    owner: heirOf(recipient, who),
  })
  assert.equal(token.record.contentHash, minted.contentHash)
  assert.ok(minted.storageUri.endsWith(token.record.digest))
  await assertCard(model, world, token, card)
  return token
}

/** Asserts that the chain names the block that such a card of this memory has, or none. */
async function assertCard(
  model: Model,
  world: World,
  { id, record }: ModelToken,
  card: Card | undefined,
): Promise<void> {
  const { contentHash } = record
  const block = card && documentOfCard({ card, contentHash })
  const named = block && `0x${createHash('sha256').update(block).digest('hex')}`
  assert.equal(await world.cardOf(id), named, 'the card is the one that was given')
  model.tally(`card: ${card === undefined ? 'none' : 'shown'}`)
}
