import { memoryHarness } from '@heirloom/testkit'
import { describe, expect, it } from 'vitest'
import { brokenLedgers } from '../../packages/testkit/test/broken/ledgers.ts'
import { anvilHarnesses } from '../harness/chain/anvil.ts'
import { openEmbeddedHarness } from '../harness/chain/embedded.ts'
import {
  compareLedgers,
  type Subject,
  type Tally,
} from '../harness/differential/compare-ledgers.ts'
import { tier, times } from '../tier.ts'

const embedded = { name: 'the embedded chain', open: openEmbeddedHarness, tolerance: 0 }
// Blocks of anvil have the machine's time, which advances while a story runs.
const anvil = { name: 'anvil', open: anvilHarnesses(), tolerance: 10 * 60_000 }

/** `DIFF_RUNS` sets a number of longer stories, which `FC_SEED` selects. */
const longRuns = process.env.DIFF_RUNS
const stories = (shortCount: number, longCount: number) =>
  longRuns === undefined
    ? { seed: 20, numRuns: shortCount, length: 40 }
    : { numRuns: longCount, length: 60 }

const paymentEndings = [
  ...['success', 'token/not-found', 'wallet/short'],
  ...['listing/price-changed', 'listing/currency-changed'],
]

/** The endings of each command, each of which must occur at least once. */
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
  buy: [...paymentEndings, 'listing/not-for-sale', 'recipient/invalid'],
  rent: [...paymentEndings, 'listing/not-for-rent', 'recipient/invalid', 'rental/bad-duration'],
  renew: [
    'success',
    'listing/currency-changed',
    'listing/not-for-rent',
    'listing/price-changed',
    'rental/bad-duration',
    'rental/too-long',
    'wallet/short',
  ],
  fork: [
    ...paymentEndings,
    'listing/not-for-fork',
    'listing/royalty-changed',
    'recipient/invalid',
    'royalty/bad-share',
  ],
  payRoyalty: ['success', 'token/not-found', 'royalty/zero', 'wallet/short'],
  transfer: ['success', 'token/not-found', 'token/not-owner', 'recipient/invalid', 'wallet/short'],
  'transfer to itself': ['success', 'token/not-found', 'token/not-owner', 'wallet/short'],
  wait: ['success'],
}

/** The endings that the commands in dollars and those of heirs must have among others. */
const inDollarsAndOfHeirs: { readonly [command: string]: readonly string[] } = {
  'list in dollars': ['success', 'token/not-found', 'listing/not-owner', 'listing/two-currencies'],
  'order: buy': ['success', 'listing/not-for-sale', 'listing/price-changed', 'order/short'],
  'order: rent': ['success', 'listing/not-for-rent', 'rental/bad-duration'],
  'order: fork': ['success', 'listing/not-for-fork', 'listing/royalty-changed'],
  'order: royalty': ['success', 'royalty/zero', 'token/not-found'],
  'order again': ['order/closed', 'order/expired'],
  deposit: ['success', 'order/short'],
  settle: [
    ...['success', 'order/closed', 'order/expired', 'order/short', 'order/foreign-asset'],
    ...['listing/price-changed', 'royalty/zero'],
  ],
  refund: ['success', 'order/refund-too-early', 'order/refund-failed'],
  nameHeir: ['success', 'heir/bad-delay', 'heir/invalid'],
  heartbeat: ['success'],
  announceTakeover: ['success', 'heir/not-heir', 'heir/not-silent', 'heir/already-announced'],
  takeOver: [
    ...['success', 'heir/not-heir', 'heir/not-announced', 'heir/too-early'],
    ...['batch/bad-size', 'token/not-owner'],
  ],
}
const printEndings = (of: typeof endings) =>
  Object.entries(of).flatMap(([command, codes]) => codes.map((code) => `${command}: ${code}`))
/** Returns whether a command is one in native money, whose endings are listed to the last. */
const isNative = (ending: string) =>
  Object.keys(endings).some((command) => ending.startsWith(`${command}: `))
const successfulCommands = (tally: Tally) =>
  new Set([...tally.keys()].filter((event) => event.endsWith(': success')))

describe('the ledger in memory and the contracts', () => {
  it('have the same state after every command, and every command has each of its endings', async () => {
    const tally = await compareLedgers([embedded], {
      ...stories(90, Number(longRuns)),
      isSparing: tier !== 'long',
    })
    const native = [...tally.keys()].filter((ending) => isNative(ending))
    expect(native.toSorted()).toEqual(printEndings(endings).toSorted())
    expect([...tally.keys()]).toEqual(expect.arrayContaining(printEndings(inDollarsAndOfHeirs)))
  })

  it('have the same state on another EVM, over JSON-RPC', async () => {
    const tally = await compareLedgers(
      [anvil],
      stories(times(6, 10), Math.ceil(Number(longRuns) / 10)),
    )
    const every = Object.keys({ ...endings, ...inDollarsAndOfHeirs })
    expect(successfulCommands(tally).size).toBeGreaterThan((every.length * 2) / 3)
  })
})

/** The faults that no comparison of states shows: addresses, signatures, concurrency and keys. */
const undetectable = [
  'names its wallet as the registry',
  'accepts one owner for all',
  'accepts both s values of a signature',
  'accepts both s values of the signature of a creator',
  'takes the contract of a stranger for a creator',
  'reports success to both buyers',
  'emits only the first card of concurrent mints',
  'returns a false receipt for a repeated write',
  'ignores the key of a write in progress',
  'ignores the fingerprint of a request',
  'repeats a failure for ever for its key',
]
/** The faults that need more forks in a line than a story has commands. */
const tooDeep = ['refuses a ninth claim', 'returns a false receipt for a fork that is too deep']
const detectable = brokenLedgers.filter(
  ({ fault }) => ![...undetectable, ...tooDeep].includes(fault),
)

describe('a comparison with a ledger', () => {
  const correct: Subject = {
    name: 'a correct one',
    open: async () => memoryHarness(),
    tolerance: 0,
  }

  it.for(detectable.map(({ fault, open }) => [fault, open] as const))(
    'that %s fails, with a short story',
    async ([, reference]) => {
      const comparison = compareLedgers([correct], {
        numRuns: 1000,
        length: 25,
        seed: 3,
        reference,
      })
      const error = await comparison.then(() => undefined, String)
      const story = /Counterexample: (.*)/.exec(error ?? '')?.[1] ?? ''
      // A takeover alone takes seven commands.
      expect(story.split('"verb"').length - 1, story).toBeLessThanOrEqual(12)
      expect(error).toBeDefined()
    },
  )
})
