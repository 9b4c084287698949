import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Card, encodeCard } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryCard } from '../../arbitraries/card.ts'
import { arbitraryBundleText } from '../../arbitraries/json.ts'
import type { ServiceHarness } from '../../harness.ts'
import { highestPick, idOf, type Model, type ModelToken, tokenOf } from '../model.ts'
import { arbitraryRecipient, arbitraryWho } from '../picks.ts'
import { recordMinted } from '../record.ts'
import { agree, command, type Drawn, firstOf, recipientInput, serviceOf } from '../step.ts'

const parts = {
  who: arbitraryWho,
  bundle: arbitraryBundleText,
  /** A card for half of the memories. */
  card: fc.option(arbitraryCard, { nil: undefined, freq: 2 }),
  parent: fc.option(fc.nat({ max: highestPick }), { nil: undefined, freq: 2 }),
  recipient: arbitraryRecipient,
}

const nothing = fc.constant(undefined)

/** Snapshots a memory for the agent itself; the usual first command. */
const first = { ...parts, parent: nothing, recipient: nothing }
export const firstSnapshot = command('snapshot', first, run)

/** Snapshots any memory, with or without a parent. */
export const snapshotCommand = command('snapshot', parts, run)

async function run(model: Model, harness: ServiceHarness, input: Drawn<typeof parts>) {
  const { who, bundle, card, parent, recipient } = input
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
