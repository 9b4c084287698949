import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Card, encodeCard } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryCard } from '../../arbitraries/card.ts'
import { arbitraryBundleText, type BundleText } from '../../arbitraries/json.ts'
import type { ServiceHarness } from '../../harness.ts'
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
import { recordMinted } from '../record.ts'
import { agree, firstOf, type Recipient, recipientInput, serviceOf, step } from '../step.ts'

type Input = {
  readonly who: Who
  readonly bundle: BundleText
  readonly card: Card | undefined
  readonly parent: Pick | undefined
  readonly recipient: Recipient
}

/** A card for half of the memories. */
const arbitrarySometimesCard = fc.option(arbitraryCard, { nil: undefined, freq: 2 })

/** Snapshots a memory for the agent itself; the usual first command. */
export const firstSnapshot = fc
  .record({ who: arbitraryWho, bundle: arbitraryBundleText, card: arbitrarySometimesCard })
  .map((input) => ({ ...input, parent: undefined, recipient: undefined }))
  .map(stepOf)

/** Snapshots any memory, with or without a parent. */
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
  return step(`snapshot ${JSON.stringify(input)}`, (model, harness) => run(model, harness, input))
}

async function run(
  model: Model,
  harness: ServiceHarness,
  { who, bundle, card, parent, recipient }: Input,
) {
  const id = parent === undefined ? undefined : idOf(model, parent)
  const predicted = firstOf(
    [recipient === 'nobody', 'recipient/invalid'],
    [id !== undefined && tokenOf(model, id) === undefined, 'token/not-found'],
  )
  const minted = await agree(
    model,
    'snapshot',
    predicted,
    serviceOf(harness, who).snapshot({
      bundle: new TextEncoder().encode(bundle.text),
      card,
      parent: id,
      ...recipientInput(harness, recipient),
    }),
  )
  if (minted === undefined) return undefined
  const memory = { minted, who, parent: id, bundle, recipient }
  const token = await recordMinted(model, harness, memory)
  assert.ok(minted.storageUri.endsWith(token.record.digest))
  await assertCard(model, harness, token, card)
  return token
}

/** Asserts that the chain emitted the digest of this card, or none. */
async function assertCard(
  model: Model,
  harness: ServiceHarness,
  { id, record }: ModelToken,
  card: Card | undefined,
): Promise<void> {
  const { contentHash } = record
  const block = card && encodeCard({ card, contentHash })
  const expected = block && `0x${createHash('sha256').update(block).digest('hex')}`
  assert.equal(await harness.cardOf(id), expected, 'the card is the given one')
  model.tally(`card: ${card === undefined ? 'none' : 'shown'}`)
}
