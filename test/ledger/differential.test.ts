import { memoryHarness } from '@heirloom/testkit'
import { describe, expect, it } from 'vitest'
import { brokenLedgers } from '../../packages/testkit/src/broken/ledgers.ts'
import { anvilWorld } from '../harness/chain/anvil.ts'
import { embeddedWorld } from '../harness/chain/embedded.ts'
import {
  compareLedgers,
  type Subject,
  type Tally,
} from '../harness/differential/compare-ledgers.ts'

const embedded = { name: 'the embedded chain', open: embeddedWorld, tolerance: 0 }
// Blocks of anvil carry the machine's time, which goes on while a story is told.
const anvil = { name: 'anvil', open: anvilWorld, tolerance: 10 * 60_000 }

/** `DIFF_RUNS` asks for more and longer stories, which `FC_SEED` chooses, for up to a day. */
const more = process.env.DIFF_RUNS
const timeout = more === undefined ? 300_000 : 86_400_000
const stories = (few: number, many: number) =>
  more === undefined
    ? { seed: 27, numRuns: few, length: 40 }
    : { numRuns: many, length: 60, interruptAfterTimeLimit: timeout - 60_000 }

const paid = ['success', 'token/not-found', 'listing/price-changed', 'wallet/short']

/** Each way in which each command can end, and must have ended at least once. */
const endings: { readonly [command: string]: readonly string[] } = {
  mint: ['success', 'token/not-found', 'recipient/invalid', 'value/invalid', 'wallet/short'],
  list: [
    'success',
    'token/not-found',
    'listing/not-owner',
    'listing/price-too-high',
    'royalty/bad-share',
    'wallet/short',
  ],
  buy: [...paid, 'listing/not-for-sale', 'recipient/invalid'],
  rent: [...paid, 'listing/not-for-rent', 'recipient/invalid', 'rental/bad-duration'],
  renew: [
    'success',
    'listing/not-for-rent',
    'listing/price-changed',
    'rental/bad-duration',
    'rental/too-long',
    'wallet/short',
  ],
  fork: [
    ...paid,
    'listing/not-for-fork',
    'listing/royalty-changed',
    'recipient/invalid',
    'royalty/bad-share',
  ],
  payRoyalty: ['success', 'token/not-found', 'royalty/zero', 'wallet/short'],
  transfer: [
    'success',
    'token/not-found',
    'listing/not-owner',
    'recipient/invalid',
    'wallet/short',
  ],
  'transfer to itself': ['success', 'token/not-found', 'listing/not-owner', 'wallet/short'],
  wait: ['success'],
}
const everyEnding = Object.entries(endings).flatMap(([command, ways]) =>
  ways.map((way) => `${command}: ${way}`),
)
const commandsThatEnded = (tally: Tally) =>
  new Set([...tally.keys()].filter((event) => event.endsWith(': success')))

describe('the ledger in memory and the contracts', () => {
  it('show the same after every command, and every command ends in each of its ways', {
    timeout,
  }, async () => {
    const tally = await compareLedgers([embedded], stories(40, Number(more)))
    expect([...tally.keys()].toSorted()).toEqual(everyEnding.toSorted())
  })

  it('show the same on an EVM of another make, over JSON-RPC', { timeout }, async () => {
    const tally = await compareLedgers([anvil], stories(6, Math.ceil(Number(more) / 10)))
    expect(commandsThatEnded(tally).size).toBe(Object.keys(endings).length)
  })
})

/** What a comparison of what is shown cannot see: its own address, what is signed, two at the same time, and keys. */
const unseen = [
  'names its wallet as the registry',
  'accepts one owner for all',
  'accepts both s values of a signature',
  'reports success to both buyers',
  'emits only the first card of concurrent mints',
  'returns a false receipt for a repeated write',
  'ignores the key of a write in progress',
  'ignores the fingerprint of a request',
  'repeats a failure for ever for its key',
]
/** What needs more forks in a line than a story is long. */
const tooDeep = ['refuses a ninth claim', 'returns a false receipt for a fork that is too deep']
const seen = brokenLedgers.filter(({ fault }) => ![...unseen, ...tooDeep].includes(fault))

describe('a comparison with a ledger', () => {
  const sound: Subject = { name: 'a sound one', open: async () => memoryHarness(), tolerance: 0 }

  it.for(seen.map(({ fault, open }) => [fault, open] as const))(
    'that %s fails, with a short story',
    async ([, reference]) => {
      const compared = compareLedgers([sound], { numRuns: 100, length: 25, seed: 3, reference })
      const error = await compared.then(() => undefined, String)
      const story = /Counterexample: (.*)/.exec(error ?? '')?.[1] ?? ''
      expect(story.split('"verb"').length - 1, story).toBeLessThanOrEqual(8)
      expect(error).toBeDefined()
    },
  )
})
