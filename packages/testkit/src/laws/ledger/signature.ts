import assert from 'node:assert/strict'
import type { Account, Hex, Statement } from '@heirloom/core'
import fc from 'fast-check'
import { concat } from 'viem'
import type { LedgerHarness, Party } from '../../harness.ts'
import type { Law } from '../law.ts'
import { accountOf, arbitraryParty, partiesFrom } from './fixture.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const differentMessages = fc.uniqueArray(fc.string({ unit: 'grapheme' }), {
  minLength: 2,
  maxLength: 2,
})

/** The laws of signatures. */
export const signatureLaws: readonly Law<LedgerHarness>[] = [
  {
    name: 'accepts the signatures of an account and no others',
    holds: async (harness) => {
      await acceptsAccounts(harness, isAccepted)
      const [signer, { ledger }] = partiesFrom(harness)
      const signed = { account: accountOf(signer), signature: await signer.sign('one') }
      assert.equal(await ledger.isSignedByKey({ ...signed, message: ['other', 'one'] }), true)
      assert.equal(await ledger.isSignedByKey({ ...signed, message: ['other', 'more'] }), false)
    },
  },
  {
    name: 'accepts the signatures that a contract wallet recognises and no others',
    holds: async (harness) => {
      const [one, two, stranger] = partiesFrom(harness)
      const account = await harness.sharedWallet([one, two])
      const signature = await signedBy([one, two], 'a message')
      const claim = { account, message: 'a message', signature }
      assert.equal(await stranger.ledger.isSignedByKey(claim), undefined)
      await acceptsOwners(harness, account, isAccepted)
    },
  },
  {
    name: 'accepts the own signature of a creator and no others',
    holds: (harness) => acceptsAccounts(harness, isCreators),
  },
  {
    name: 'accepts of a creator with code what its contract recognises and no others',
    holds: async (harness) => {
      const [one, two] = partiesFrom(harness)
      await acceptsOwners(harness, await harness.sharedWallet([one, two]), isCreators)
    },
  },
]

type Accepts = (by: Party, statement: Statement) => Promise<boolean>

async function acceptsAccounts(harness: LedgerHarness, accepts: Accepts): Promise<void> {
  await fc.assert(
    fc.asyncProperty(differentMessages, arbitraryParty, fc.nat(), async (messages, first, at) => {
      const [{ ledger, sign, ...signer }, stranger] = partiesFrom(harness, first)
      const [message = '', another = ''] = messages
      const account = accountOf({ ledger, sign, ...signer })
      const signature = await sign(message)
      const claim = { account, message, signature }
      const recognised = (change: Partial<typeof claim>) =>
        accepts(stranger, { ...claim, ...change })
      for (const form of validForms(signature)) {
        assert.equal(await recognised({ signature: form }), true, form)
      }
      assert.equal(await recognised({ message: another }), false)
      assert.equal(await recognised({ account: accountOf(stranger) }), false)
      for (const wrong of wrongCases(account)) {
        assert.equal(await recognised({ account: wrong }), false, wrong)
      }
      for (const wrong of [...forgeries(signature), changed(signature, at)]) {
        assert.equal(await recognised({ signature: wrong }), false, wrong)
      }
    }),
  )
}

/** Asserts what is accepted of the wallet that the first two parties share. */
async function acceptsOwners(
  harness: LedgerHarness,
  account: Account,
  accepts: Accepts,
): Promise<void> {
  const [one, two, stranger] = partiesFrom(harness)
  await fc.assert(
    fc.asyncProperty(differentMessages, fc.nat(), async ([message = '', another = ''], at) => {
      const signature = await signedBy([one, two], message)
      const claim = { account, message, signature }
      assert.equal(await accepts(stranger, claim), true)
      const lies: readonly Partial<Statement>[] = [
        { message: another },
        { account: accountOf(one) },
        { account: accountOf(stranger) },
        { account: account.toLowerCase() as Account },
        { signature: changed(signature, at) },
        { signature: `${signature}00` },
        { signature: await one.sign(message) },
        { signature: concat([await one.sign(message), await one.sign(message)]) },
        { signature: await signedBy([one, stranger], message) },
      ]
      for (const lie of lies) assert.equal(await accepts(stranger, { ...claim, ...lie }), false)
    }),
    { numRuns: 20 },
  )
}

/** Returns whether a ledger accepts a signature as that of a creator. */
const isCreators = ({ ledger }: Party, statement: Statement): Promise<boolean> =>
  ledger.isSignedByCreator(statement)

/** Returns whether a ledger accepts a signature, of an account or of a contract. */
async function isAccepted({ ledger }: Party, statement: Statement): Promise<boolean> {
  return (await ledger.isSignedByKey(statement)) ?? ledger.isSignedByContract(statement)
}

/** Returns the concatenated signatures of several parties, in the order of their addresses. */
async function signedBy(parties: readonly Party[], message: string): Promise<Hex> {
  const ordered = parties.toSorted((a, b) => {
    return accountOf(a).toLowerCase() < accountOf(b).toLowerCase() ? -1 : 1
  })
  return concat(await Promise.all(ordered.map(({ sign }) => sign(message))))
}

/**
 * Returns both valid forms of a signature: wallets write the recovery byte as 0 or 1, or as 27 or
 * 28.
 */
function validForms(signature: Hex): readonly Hex[] {
  const parity = Number.parseInt(signature.slice(130), 16) % 27
  return [signature, withTail(signature, `0${parity}`), withTail(signature, parity ? '1c' : '1b')]
}

function wrongCases(account: Account): readonly Account[] {
  const lower = account.toLowerCase() as Account
  const upper = `0x${account.slice(2).toUpperCase()}` as Account
  return [lower, upper].filter((form) => form !== account)
}

function forgeries(signature: Hex): readonly Hex[] {
  const zero = '0'.repeat(64)
  return [
    twin(signature),
    ...['02', '1a', '1d', '25', 'ff'].map((tail) => withTail(signature, tail)),
    signature.slice(0, -2) as Hex,
    `${signature}00`,
    `0x${zero}${zero}1b`,
    '0x',
  ]
}

/** Returns the other signature of the same message, which anyone can compute: s negated. */
function twin(signature: Hex): Hex {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const parity = Number.parseInt(signature.slice(130), 16) % 27
  const tail = parity ? '1b' : '1c'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${tail}` as Hex
}

function changed(signature: Hex, at: number): Hex {
  const where = 2 + (at % 128)
  const digit = Number.parseInt(signature[where] ?? '0', 16) ^ 1
  return `${signature.slice(0, where)}${digit.toString(16)}${signature.slice(where + 1)}` as Hex
}

const withTail = (signature: Hex, tail: string) => `${signature.slice(0, 130)}${tail}` as Hex
