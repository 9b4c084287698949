import type { Account, Statement } from '@heirloom/core'
import fc from 'fast-check'
import { bytesToHex, type Hex, recoverMessageAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadKeccak } from '../../platform/keccak.ts'
import { worker } from '../../platform/worker.ts'
import { connect } from '../connection.ts'
import { referenceRecover, wasmRecover } from './recovery.ts'
import { shared } from './recovery-offload.ts'
import { signers } from './recovery-worker.ts'
import { recogniser } from './signature-check.ts'
import { loadSignerHere, type Signed, type SignerOf, signerBy } from './signer.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const wallets = [1, 2, 3].map((at) => privateKeyToAccount(bytesToHex(new Uint8Array(32).fill(at))))
const texts = ['', 'service:access:1:me:1', 'service:access:2:me:1', 'Grüße \u{1f511}\0\n']

/** The same signature with the other s, which every curve signature also has. */
function highS(signature: Hex): Hex {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${v}`
}

const otherByte = (signature: Hex): Hex =>
  `${signature.slice(0, -2)}${signature.endsWith('1b') ? '1c' : '1b'}` as Hex

const spellings: readonly ((signature: Hex) => Hex)[] = [
  (signature) => signature,
  (signature) => `0x${signature.slice(2).toUpperCase()}`,
  (signature) => `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}` as Hex,
  otherByte,
  highS,
  (signature) => `${signature.slice(0, -2)}1d` as Hex,
  (signature) => signature.slice(0, -2) as Hex,
  (signature) => `0x${signature[2] === '0' ? '1' : '0'}${signature.slice(3)}`,
  (signature) => `0x${'0'.repeat(128)}${signature.slice(-2)}` as Hex,
  () => '0x',
]

type Case = Signed & { readonly claimed: Account; readonly genuine: boolean }

/** What a wallet signed, in every spelling, under its own text and account or another's. */
let cases: readonly Case[]
beforeAll(async () => {
  const signed = await Promise.all(
    wallets.flatMap((by) =>
      texts.map(async (message) => {
        const signature = await by.signMessage({ message })
        return { by, message, signature }
      }),
    ),
  )
  cases = signed.flatMap(({ by, message, signature }) =>
    wallets.flatMap(({ address }) =>
      texts.flatMap((text) =>
        spellings.map((spell, at) => ({
          message: text,
          signature: spell(signature),
          claimed: address as Account,
          genuine: at < 3 && by.address === address && text === message,
        })),
      ),
    ),
  )
})

/** Some cases in any order, a good part of them genuine. */
function batch(): fc.Arbitrary<readonly Case[]> {
  const of = (some: readonly Case[]) => fc.nat().map((at) => some[at % some.length] as Case)
  return fc.array(fc.oneof(of(cases), of(cases.filter(({ genuine }) => genuine))), {
    minLength: 8,
    maxLength: 40,
  })
}

describe('the worker', () => {
  test('finds the signers that are found here, of any batch', async () => {
    const here = await Promise.all([
      loadSignerHere(),
      ...[referenceRecover(), await wasmRecover()].map(async (recover) =>
        signerBy({ recover, keccak: await loadKeccak() }),
      ),
    ])
    await fc.assert(
      fc.asyncProperty(batch(), async (all) => {
        const beside = await signers.ask(all)
        for (const signerOf of here) {
          expect(await Promise.all(all.map(signerOf))).toEqual(beside)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('finds the signer that viem finds', async () => {
    const found = await signers.ask(cases)
    for (const [at, { message, signature }] of cases.entries()) {
      // Each costs a millisecond, and all are told alike.
      if (found[at] === undefined || at % 3 > 0) continue
      expect(await recoverMessageAddress({ message, signature })).toBe(found[at])
    }
    expect(found.filter((it) => it !== undefined).length).toBeGreaterThan(cases.length / 3)
  })
})

describe('a gate whose worker dies', () => {
  const mortal = new URL('../test/mortal-recovery-worker.ts', import.meta.url)
  type Beside = Pick<typeof signers, 'ask' | 'ready'>

  /** What recognises wallets, with a worker of its own, and how many it found for the gate. */
  async function gate() {
    const beside: Beside = worker(mortal)
    await beside.ask([])
    let handed = 0
    const counted: Beside = {
      ready: beside.ready,
      ask: (all) => {
        handed += all.length
        return beside.ask(all)
      },
    }
    const signerOf: SignerOf = shared({ here: await loadSignerHere(), beside: counted })
    // No contract is deployed there.
    const empty = connect({ request: async () => '0x' })
    // Each remembers what it recognised, so that it is asked but once.
    const forgetful = () => recogniser({ client: empty, signerOf })
    return { forgetful, revive: () => beside.ask([]), handed: () => handed }
  }

  test('admits whom it would admit, and nobody else', async () => {
    const { forgetful, revive, handed } = await gate()
    const deadly = { message: 'die', signature: '0x' as const, genuine: false }
    const dying = fc.record({ all: batch(), at: fc.nat(), dies: fc.nat(3).map((it) => it === 0) })
    await fc.assert(
      fc.asyncProperty(dying, async ({ all, at, dies }) => {
        await revive()
        const signed = forgetful()
        const claimed = wallets[0]?.address as Account
        const asked = dies ? all.toSpliced(at % (all.length + 1), 0, { ...deadly, claimed }) : all
        const verdicts = asked.map(({ claimed: account, message, signature }) =>
          signed({ account, message, signature } satisfies Statement),
        )
        expect(await Promise.all(verdicts)).toEqual(asked.map(({ genuine }) => genuine))
      }),
      { numRuns: 30 },
    )
    expect(handed()).toBeGreaterThan(100)
  })
})
