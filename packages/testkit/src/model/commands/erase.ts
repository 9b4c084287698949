import { isActive } from '@heirloom/core'
import fc from 'fast-check'
import type { ServiceHarness } from '../../harness.ts'
import { idOf, type Model, type ModelToken, sourceOf, tokenOf, type Who } from '../model.ts'
import { arbitraryPick } from '../picks.ts'
import { agree, avoidRentalEnds, command, type Drawn, firstOf, partyOf } from '../step.ts'

const parts = {
  pick: arbitraryPick,
  /** The party that asks: the owner, or the one after it. */
  by: fc.constantFrom('owner', 'owner', 'owner', 'stranger'),
  isForged: fc.constantFrom(false, false, false, true),
}

/** Erases a memory as its owner, as a stranger, or with the signature of a stranger. */
export const eraseCommand = command('erase', parts, run)

async function run(model: Model, harness: ServiceHarness, input: Drawn<typeof parts>) {
  const { pick, by, isForged } = input
  await avoidRentalEnds(model, harness)
  const id = idOf(model, pick)
  const token = tokenOf(model, id)
  const owner = token?.owner ?? 0
  const who = by === 'owner' ? owner : after(owner)
  const signer = isForged ? after(who) : who
  const predicted =
    firstOf(
      [isForged, 'proof/not-signed'],
      [token === undefined, 'token/not-found'],
      [who !== owner, 'token/not-owner'],
    ) ??
    (token && refusalToErase(model, harness, token))
  const act = harness.erase(partyOf(harness, who), id, partyOf(harness, signer))
  const erased = await agree(
    model,
    'erase',
    predicted,
    act.then(() => true),
  )
  if (erased && token) model.erased.add(token.record.digest)
  return token
}

const after = (who: Who) => ((who + 1) % 4) as Who

function refusalToErase(model: Model, harness: ServiceHarness, token: ModelToken) {
  const { creator } = sourceOf(model, token)
  if (model.erased.has(token.record.digest)) return undefined
  if (creator !== token.sealedFor) return 'access/copied'
  const opening = model.tokens.filter(
    (it) => it.record.digest === token.record.digest && sourceOf(model, it).creator === creator,
  )
  const [first] = opening.flatMap((it) => refusalFor(it, token.owner) ?? [])
  if (first !== undefined) return first
  const now = harness.now()
  const isRented = opening.some(({ rentals }) =>
    [...rentals].some(([renter, end]) => renter !== token.owner && isActive(end, now)),
  )
  return isRented ? 'memory/rented' : undefined
}

function refusalFor({ owner, terms }: ModelToken, by: Who) {
  if (owner !== by) return 'memory/shared'
  const { price = 0n, rentalPricePerDay = 0n, forkPrice = 0n } = terms?.dollars ?? terms ?? {}
  return price + rentalPricePerDay + forkPrice > 0n ? 'memory/listed' : undefined
}
