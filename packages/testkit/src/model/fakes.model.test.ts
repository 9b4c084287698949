import { describe, expect, test } from 'vitest'
import { times } from '../../../../test/tier.ts'
import { memoryHarness } from '../fakes/harness.ts'
import { runModel } from './run-model.ts'

const ordered = ['success', 'token/not-found', 'order/expired', 'order/short']
const priced = [...ordered, 'listing/currency-changed', 'listing/price-changed']
const paid = [
  'listing/currency-changed',
  'success',
  'token/not-found',
  'listing/over-max-price',
  'wallet/short',
]

/** The outcomes of each command, each of which must occur at least once. */
const outcomes: { readonly [command: string]: readonly string[] } = {
  snapshot: ['success', 'token/not-found', 'recipient/invalid'],
  save: ['success', 'name/moved', 'token/not-found', 'recipient/invalid'],
  'save too late': ['name/moved'],
  'save again': ['unchanged'],
  'prove creator': ['success', 'proof/not-signed'],
  seal: ['success', 'token/not-found', 'recipient/invalid'],
  'sealed pair': ['copied first'],
  list: [
    'success',
    'token/not-found',
    'listing/not-owner',
    'listing/price-too-high',
    'royalty/bad-share',
    'listing/two-currencies',
  ],
  'transfer to another': ['success'],
  'transfer to itself': ['success'],
  buy: [...paid, 'listing/not-for-sale', 'recipient/invalid'],
  rent: [...paid, 'listing/not-for-rent', 'recipient/invalid', 'rental/bad-duration'],
  renew: [
    'success',
    'listing/currency-changed',
    'listing/not-for-rent',
    'listing/over-max-price',
    'rental/bad-duration',
    'rental/too-long',
    'wallet/short',
  ],
  fork: [...paid, 'listing/not-for-fork', 'listing/royalty-changed', 'recipient/invalid'],
  royalty: ['success', 'token/not-found', 'royalty/zero', 'wallet/short'],
  'order to buy': [...priced, 'listing/not-for-sale', 'recipient/invalid'],
  'order to rent': [
    ...priced,
    'listing/not-for-rent',
    'recipient/invalid',
    'rental/bad-duration',
    'rental/too-long',
  ],
  'order to fork': [
    ...priced,
    'listing/not-for-fork',
    'listing/royalty-changed',
    'recipient/invalid',
  ],
  'order to royalty': ['success', 'token/not-found', 'order/expired', 'royalty/zero'],
  'pay in': ['success', 'order/short'],
  'settle to buy': [
    ...ordered,
    'listing/currency-changed',
    'listing/not-for-sale',
    'listing/price-changed',
    'recipient/invalid',
  ],
  'settle to rent': [
    ...[...ordered, 'listing/currency-changed', 'listing/price-changed', 'listing/not-for-rent'],
    ...['recipient/invalid', 'rental/bad-duration', 'rental/too-long'],
  ],
  'settle to fork': [
    ...[...ordered, 'listing/currency-changed', 'listing/price-changed', 'listing/not-for-fork'],
    ...['listing/royalty-changed', 'recipient/invalid'],
  ],
  'settle to royalty': [...ordered, 'royalty/zero'],
  'settle again': ['order/closed'],
  refund: ['success'],
  'refund by a stranger': ['success', 'order/refund-too-early', 'order/refund-failed'],
  copy: ['success', 'token/not-found', 'recipient/invalid'],
  erase: [
    ...['success', 'proof/not-signed', 'token/not-found', 'token/not-owner', 'access/copied'],
    ...['memory/shared', 'memory/listed', 'memory/rented'],
  ],
  'download as owner': ['success', 'access/copied', 'memory/erased'],
  'download as renter': ['success', 'access/copied', 'memory/erased'],
  'download as former owner': ['access/denied'],
  'download as expired renter': ['access/denied'],
  'download as stranger': ['access/denied'],
  'download without proof': ['proof/stale', 'proof/not-signed'],
  'download as anyone': ['token/not-found'],
  'name heir': ['success', 'heir/bad-delay', 'heir/invalid'],
  'name no heir': ['success'],
  heartbeat: ['success'],
  announce: ['success', 'heir/not-heir', 'heir/already-announced', 'heir/not-silent'],
  'take over': [
    'success',
    'heir/not-heir',
    'heir/not-announced',
    'heir/too-early',
    'batch/bad-size',
    'token/not-found',
    'token/not-owner',
  ],
  provenance: ['success', 'token/not-found'],
  listing: ['success', 'token/not-found'],
  wait: ['1 minutes', '60 minutes', ...[1, 7, 30, 90, 365].map((days) => `${days * 1440} minutes`)],
  token: ['agrees'],
  card: ['none', 'shown'],
}

describe('the core over the fakes', () => {
  test('agrees with the model, and every outcome of every command occurs', async () => {
    const tally = await runModel(async () => memoryHarness(), {
      seed: 9,
      numRuns: times(250, 400),
      maxCommands: 60,
    })
    const expected = Object.entries(outcomes).flatMap(([command, results]) =>
      results.map((result) => `${command}: ${result}`),
    )
    expect([...tally.keys()].toSorted()).toEqual(expected.toSorted())
  })
})
