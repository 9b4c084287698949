import type { Account, Statement } from '@heirloom/core'
import fc from 'fast-check'
import { bytesToHex, type Hex, recoverMessageAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { loadKeccak } from '../../platform/keccak.ts'
import { worker } from '../../platform/worker.ts'
import { connect } from '../connection.ts'
import { referenceKeyRecovery, wasmKeyRecovery } from './key-recovery.ts'
import { signatureCheck } from './signature-check.ts'
import { signatureRecoveryWorker } from './signature-recovery-worker.ts'
import {
  loadLocalRecovery,
  type SignedMessage,
  type SignerRecovery,
  signerRecovery,
} from './signer-recovery.ts'
import { workerOffload } from './worker-offload.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const wallets = [1, 2, 3].map((byte) =>
  privateKeyToAccount(bytesToHex(new Uint8Array(32).fill(byte))),
)
const messages = ['', 'service:access:1:me:1', 'service:access:2:me:1', 'Grüße \u{1f511}\0\n']

/** Returns the same signature with its other, higher s. */
function withHighS(signature: Hex): Hex {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${v}`
}

const withOtherRecoveryId = (signature: Hex): Hex =>
  `${signature.slice(0, -2)}${signature.endsWith('1b') ? '1c' : '1b'}` as Hex

/** Changes of a signature. The first three keep it valid. */
const variants: readonly ((signature: Hex) => Hex)[] = [
  (signature) => signature,
  (signature) => `0x${signature.slice(2).toUpperCase()}`,
  (signature) => `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}` as Hex,
  withOtherRecoveryId,
  withHighS,
  (signature) => `${signature.slice(0, -2)}1d` as Hex,
  (signature) => signature.slice(0, -2) as Hex,
  (signature) => `0x${signature[2] === '0' ? '1' : '0'}${signature.slice(3)}`,
  (signature) => `0x${'0'.repeat(128)}${signature.slice(-2)}` as Hex,
  () => '0x',
]

type Case = SignedMessage & { readonly claimed: Account; readonly isValid: boolean }

/** Every variant of every signature, with its own and every other message and account. */
let cases: readonly Case[]
beforeAll(async () => {
  const signed = await Promise.all(
    wallets.flatMap((by) =>
      messages.map(async (message) => {
        const signature = await by.signMessage({ message })
        return { by, message, signature }
      }),
    ),
  )
  cases = signed.flatMap(({ by, message, signature }) =>
    wallets.flatMap(({ address }) =>
      messages.flatMap((claimedMessage) =>
        variants.map((change, index) => ({
          message: claimedMessage,
          signature: change(signature),
          claimed: address as Account,
          isValid: index < 3 && by.address === address && claimedMessage === message,
        })),
      ),
    ),
  )
})

/** Generates cases in any order, many of them valid. */
function arbitraryBatch(): fc.Arbitrary<readonly Case[]> {
  const oneOf = (some: readonly Case[]) =>
    fc.nat().map((index) => some[index % some.length] as Case)
  return fc.array(fc.oneof(oneOf(cases), oneOf(cases.filter(({ isValid }) => isValid))), {
    minLength: 8,
    maxLength: 40,
  })
}

describe('the recovery worker', () => {
  test('recovers the same signers as every local implementation', async () => {
    const local = await Promise.all([
      loadLocalRecovery(),
      ...[referenceKeyRecovery(), await wasmKeyRecovery()].map(async (recoverKey) =>
        signerRecovery({ recoverKey, keccak: await loadKeccak() }),
      ),
    ])
    await fc.assert(
      fc.asyncProperty(arbitraryBatch(), async (batch) => {
        const signers = await signatureRecoveryWorker.ask(batch)
        for (const recover of local) {
          expect(await Promise.all(batch.map(recover))).toEqual(signers)
        }
      }),
      { numRuns: times(5, 20) },
    )
  })

  test('recovers the same signers as viem', async () => {
    const signers = await signatureRecoveryWorker.ask(cases)
    for (const [index, { message, signature }] of cases.entries()) {
      // A third of the cases is enough: viem takes a millisecond for each.
      if (signers[index] === undefined || typeof message !== 'string' || index % 3 > 0) continue
      expect(await recoverMessageAddress({ message, signature })).toBe(signers[index])
    }
    expect(signers.filter((it) => it !== undefined).length).toBeGreaterThan(cases.length / 3)
  })
})

describe('a signature check whose worker dies', () => {
  const program = new URL('../test/failing-recovery-worker.ts', import.meta.url)
  type Remote = Pick<typeof signatureRecoveryWorker, 'ask' | 'ready'>

  /** Starts a worker for signature checks and counts the messages that it gets. */
  async function startChecks() {
    const remote: Remote = worker(program)
    await remote.ask([])
    let offloaded = 0
    const counted: Remote = {
      ready: remote.ready,
      ask: (batch) => {
        offloaded += batch.length
        return remote.ask(batch)
      },
    }
    const offload: SignerRecovery = workerOffload({
      local: await loadLocalRecovery(),
      remote: counted,
    })
    // A chain without contracts.
    const client = connect({ request: async () => '0x' })
    // A new check has an empty cache.
    const newCheck = () => signatureCheck({ client, signerRecovery: offload })
    return { newCheck, restart: () => remote.ask([]), offloaded: () => offloaded }
  }

  test('accepts exactly the valid signatures', async () => {
    const { newCheck, restart, offloaded } = await startChecks()
    const claimed = wallets[0]?.address as Account
    const fatal: Case = { message: 'die', signature: '0x', claimed, isValid: false }
    const runs = fc.record({
      batch: arbitraryBatch(),
      index: fc.nat(),
      dies: fc.nat(3).map((it) => it === 0),
    })
    await fc.assert(
      fc.asyncProperty(runs, async ({ batch, index, dies }) => {
        await restart()
        const check = newCheck()
        const statements = dies ? batch.toSpliced(index % (batch.length + 1), 0, fatal) : batch
        const results = statements.map(({ claimed: account, message, signature }) =>
          check({ account, message, signature } satisfies Statement),
        )
        expect(await Promise.all(results)).toEqual(statements.map(({ isValid }) => isValid))
      }),
      { numRuns: times(8, 30) },
    )
    expect(offloaded()).toBeGreaterThan(100)
  })
})
