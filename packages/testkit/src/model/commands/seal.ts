import assert from 'node:assert/strict'
import { type seal, toSeconds } from '@heirloom/core'
import fc from 'fast-check'
import { arbitraryCard } from '../../arbitraries/card.ts'
import { arbitraryBundleText } from '../../arbitraries/json.ts'
import type { ServiceHarness } from '../../harness.ts'
import { assertToken } from '../invariants.ts'
import { highestPick, idOf, type Model, type ModelToken, tokenOf, type Who } from '../model.ts'
import { arbitraryRecipient, arbitraryWho } from '../picks.ts'
import { record } from '../record.ts'
import {
  agree,
  command,
  type Drawn,
  firstOf,
  partyOf,
  receiverOf,
  recipientInput,
  serviceOf,
} from '../step.ts'

const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(arbitrary, { nil: undefined, freq: 2 })

const parts = {
  /** The party whose server seals. */
  who: arbitraryWho,
  /** The party whose wallet is the creator. */
  creator: arbitraryWho,
  /** The party that signs instead of the creator. */
  signer: fc.option(arbitraryWho, { nil: undefined, freq: 9 }),
  /** The party that sees the mint before it is mined and mints the same pair first. */
  copier: sometimes(arbitraryWho),
  bundle: arbitraryBundleText,
  card: sometimes(arbitraryCard),
  parent: sometimes(fc.oneof(fc.nat({ max: highestPick }), fc.constant(highestPick))),
  recipient: arbitraryRecipient,
}

type Input = Drawn<typeof parts>

/**
 * Seals a memory on a server for another wallet, which mints it itself; sometimes a stranger mints
 * the public pair first.
 */
export const sealCommand = command('seal', parts, run)

async function run(model: Model, harness: ServiceHarness, input: Input) {
  const { who, creator, signer = creator } = input
  const isOwn = signer === creator
  const proof = prove(harness, who, { creator, signer })
  await agree(model, 'prove creator', isOwn ? undefined : 'proof/not-signed', proof)
  if (!isOwn) return undefined
  const sealed = await sealFor(model, harness, input)
  if (sealed === undefined) return undefined
  const minted = (minter: Who) => mintAs(model, harness, { ...input, sealed, minter })
  const { copier } = input
  if (copier !== undefined && copier !== creator) {
    await assertToken(model, harness, await minted(copier))
    model.tally('sealed pair: copied first')
  }
  return minted(creator)
}

/** Proves the creator to a server, with the signature of a party. */
async function prove(
  harness: ServiceHarness,
  who: Who,
  { creator, signer }: { readonly creator: Who; readonly signer: Who },
): Promise<void> {
  const [timestamp, message] = [toSeconds(harness.now()), 'a text that names the server']
  const signature = await partyOf(harness, signer).sign(message)
  const account = partyOf(harness, creator).ledger.agent
  await serviceOf(harness, who).proveCreator({ account, timestamp, message, signature })
}

async function sealFor(
  model: Model,
  harness: ServiceHarness,
  { who, creator, bundle, card, parent, recipient }: Input,
): Promise<seal.Output | undefined> {
  const id = parent === undefined ? undefined : idOf(model, parent)
  const predicted = firstOf(
    [recipient === 'nobody', 'recipient/invalid'],
    [id !== undefined && tokenOf(model, id) === undefined, 'token/not-found'],
  )
  const { agent } = partyOf(harness, creator).ledger
  const sealing = serviceOf(harness, who).seal({
    bundle: new TextEncoder().encode(bundle.text),
    card,
    parent: id,
    creator: agent,
    ...recipientInput(harness, recipient),
  })
  const sealed = await agree(model, 'seal', predicted, sealing)
  if (sealed === undefined) return undefined
  const receiver = partyOf(harness, receiverOf(recipient, creator)).ledger.agent
  assert.deepEqual([sealed.creator, sealed.recipient], [agent, receiver])
  assert.equal(sealed.parent, id)
  return sealed
}

type Mint = Omit<Input, 'who' | 'signer' | 'copier' | 'card' | 'parent'> & {
  readonly sealed: seal.Output
  readonly minter: Who
}

/** Mints a sealed pair with the wallet of a party, on the ledger and not through a service. */
async function mintAs(
  model: Model,
  harness: ServiceHarness,
  { creator, bundle: { document }, recipient, sealed, minter }: Mint,
): Promise<ModelToken> {
  const { contentHash, digest, card, parent, recipient: to } = sealed
  const { ledger } = partyOf(harness, minter)
  const minted = await ledger.mint({ contentHash, digest, card, parent, recipient: to })
  const origin = { creator: minter, sealedFor: creator, parent, claims: [], depth: 0, document }
  const owner = receiverOf(recipient, creator)
  const token = await record(model, harness, minted.tokenId, { ...origin, owner })
  assert.equal(await harness.cardOf(token.id), card, 'the card is the sealed one')
  return token
}
