import { memoryHarness, memoryRatings, type Party } from '@heirloom/testkit'
import { beforeEach, expect, test } from 'vitest'
import { Failure } from '../failure.ts'
import type { Catalogue } from '../ports/catalogue.ts'
import type { Account, TokenId } from '../values/branded.ts'
import { tokenId, wei } from '../values/decimal.ts'
import { toSeconds } from '../values/time.ts'
import { rate } from './rate.ts'

const terms = {
  price: wei(1000n),
  rentalPricePerDay: wei(10n),
  forkPrice: wei(200n),
  forkRoyaltyBps: 500,
}
const text = 'I rate it 4.'

async function openMarket() {
  const harness = memoryHarness()
  const [author, reader] = harness.services
  const [ada, ben, cleo] = harness.parties
  if (author === undefined || reader === undefined) throw new RangeError('there are services')
  if (ada === undefined || ben === undefined || cleo === undefined) throw new RangeError('parties')
  const bundle = { data: {}, metadata: { category: 'research' } }
  const { tokenId } = await author.snapshot({ bundle })
  await author.list({ tokenId, ...terms })
  const ratings = memoryRatings()
  const { catalogue } = harness
  const lag: { hides: boolean; isEndless?: boolean; failure?: Failure } = { hides: false }
  const read = { pages: 0 }
  const shown: Pick<Catalogue, 'token' | 'activity'> = {
    token: catalogue.token,
    activity: async (query) => {
      read.pages += 1
      if (lag.isEndless)
        return { ...(await catalogue.activity({ ...query, after: undefined })), next: 'more' }
      return lag.hides ? { items: [], next: undefined } : catalogue.activity(query)
    },
  }
  const catchUp = async () => {
    if (lag.failure !== undefined) throw lag.failure
    lag.hides = false
  }
  const clock = { now: harness.now }
  const parts = { ledger: ada.ledger, clock, catalogue: shown, catchUp, ratings }
  const signedBy = async (signer: Party, seconds = 0, message = text) => ({
    message,
    signature: await signer.sign(message),
    timestamp: toSeconds(harness.now()) + seconds,
  })
  const rateAs = async (
    account: Account,
    proof: rate.Input['proof'],
    more: Partial<rate.Input> = {},
  ) => rate(parts, { tokenId, account, score: 4, proof, ...more })
  return { ...harness, tokenId, reader, ratings, rateAs, signedBy, lag, read, ada, ben, cleo }
}

let market: Awaited<ReturnType<typeof openMarket>>
beforeEach(async () => {
  market = await openMarket()
})

const rent = () => market.reader.rent({ tokenId: market.tokenId, days: 1 })
const idOf = ({ ledger }: Party) => ledger.agent
const failsWith = (code: string, facts?: object) =>
  expect.objectContaining(facts === undefined ? { code } : { code, facts })
const listed = async (of: TokenId = market.tokenId) =>
  (await market.ratings.list(of, { limit: 10 })).items

test('an account that rented rates the token, and says for which payment', async () => {
  const { ben, signedBy, rateAs, tokenId } = market
  const { txHash } = await rent()
  const proof = await signedBy(ben)
  const rating = await rateAs(idOf(ben), proof, { comment: 'Good.' })
  expect(rating).toEqual({
    tokenId,
    account: idOf(ben),
    score: 4,
    comment: 'Good.',
    message: text,
    signature: proof.signature,
    ratedAt: proof.timestamp * 1000,
    payment: { act: 'rent', txHash },
  })
  expect(await listed()).toEqual([rating])
})

test('a payment that the catalogue does not show yet counts', async () => {
  const { ben, lag, signedBy, rateAs } = market
  await rent()
  lag.hides = true
  expect(await rateAs(idOf(ben), await signedBy(ben))).toMatchObject({ payment: { act: 'rent' } })
})

test('an account with more events than anyone needs rates nothing, and has few of them read', async () => {
  const { ben, lag, read, signedBy, rateAs } = market
  await rent()
  lag.isEndless = true
  await expect(rateAs(idOf(ben), await signedBy(ben))).rejects.toEqual(failsWith('rating/not-paid'))
  expect(read.pages).toBe(20)
})

test('nobody is refused as one who has not paid while the chain cannot be read', async () => {
  const { ben, lag, signedBy, rateAs } = market
  await rent()
  Object.assign(lag, {
    hides: true,
    failure: new Failure('ledger/unavailable', { operation: 'x' }),
  })
  await expect(rateAs(idOf(ben), await signedBy(ben))).rejects.toEqual(
    failsWith('ledger/unavailable'),
  )
  expect(await listed()).toEqual([])
  lag.hides = false
  expect(await rateAs(idOf(ben), await signedBy(ben))).toMatchObject({ payment: { act: 'rent' } })
})

test('who has not paid rates nothing: a stranger, the maker, another token', async () => {
  const { ada, ben, cleo, signedBy, rateAs } = market
  await rent()
  for (const party of [cleo, ada]) {
    await expect(rateAs(idOf(party), await signedBy(party))).rejects.toEqual(
      failsWith('rating/not-paid', { tokenId: market.tokenId, account: idOf(party) }),
    )
  }
  const other = tokenId(99n)
  await expect(rateAs(idOf(ben), await signedBy(ben), { tokenId: other })).rejects.toEqual(
    failsWith('token/not-found'),
  )
  expect(await listed()).toEqual([])
})

test('nobody rates for another, nor with an old signature, nor without a score', async () => {
  const { ben, cleo, signedBy, rateAs } = market
  await rent()
  const refusals: [Promise<unknown>, string][] = [
    [rateAs(idOf(ben), await signedBy(cleo)), 'proof/not-signed'],
    [rateAs(idOf(ben), { ...(await signedBy(ben)), message: 'I rate it 5.' }), 'proof/not-signed'],
    [rateAs(idOf(ben), await signedBy(ben, -121)), 'proof/stale'],
    [rateAs(idOf(ben), await signedBy(ben, 121)), 'proof/stale'],
    [rateAs(idOf(ben), await signedBy(ben), { score: 6 }), 'rating/malformed'],
  ]
  for (const [act, code] of refusals) await expect(act).rejects.toEqual(failsWith(code))
  expect(await listed()).toEqual([])
})

test('an earlier signature that comes later changes nothing', async () => {
  const { ben, signedBy, rateAs } = market
  await rent()
  const last = await rateAs(idOf(ben), await signedBy(ben), { score: 2 })
  expect(await rateAs(idOf(ben), await signedBy(ben, -5), { score: 5 })).toEqual(last)
  expect(await listed()).toEqual([last])
})

test('a contract rates once it has paid, if it says that it signed', async () => {
  const { ben, cleo, reader, signedBy, rateAs, sharedWallet } = market
  const wallet = await sharedWallet([ben, cleo])
  // The wallet expects the signatures in the order of its owners' addresses.
  const owners = [ben, cleo].toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
  const signed = await Promise.all(owners.map((owner) => signedBy(owner)))
  const signature = `0x${signed.map((it) => it.signature.slice(2)).join('')}` as const
  const both = { ...(await signedBy(ben)), signature }
  await expect(rateAs(wallet, both)).rejects.toEqual(failsWith('rating/not-paid'))
  await reader.rent({ tokenId: market.tokenId, days: 1, recipient: wallet })
  expect(await rateAs(wallet, both)).toMatchObject({ account: wallet, score: 4 })
  await expect(rateAs(wallet, { ...both, message: 'other' })).rejects.toEqual(
    failsWith('proof/not-signed'),
  )
})

test('a payment is found among many events of the account', async () => {
  const { ben, reader, signedBy, rateAs } = market
  await reader.rent({ tokenId: market.tokenId, days: 1 })
  for (let at = 0; at < 120; at++) {
    await reader.rent({ tokenId: market.tokenId, days: 1, recipient: idOf(ben) })
  }
  expect(await rateAs(idOf(ben), await signedBy(ben))).toMatchObject({ account: idOf(ben) })
})
