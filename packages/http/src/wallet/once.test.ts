import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account, Failure, type Hex, tokenId } from '@heirloom/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOnce, type Once } from '../../../adapters/src/wallet/once.ts'
import type { Performed, WalletAct } from '../../../adapters/src/wallet/performer.ts'
import { type ActStore, actsInMemory } from '../../../adapters/src/wallet/wallet-store.ts'
import { walletFile } from '../cli/wallet-file/open-wallet-file.ts'

const address = `0x${'a1'.repeat(20)}` as const
const act: WalletAct = {
  kind: 'transfer',
  tokenId: tokenId('1'),
  from: account(address),
  to: account(address),
}

const noEffects = {
  expiresAt: undefined,
  withdrawn: undefined,
  takeoverAt: undefined,
  creditTakenOver: undefined,
}

/**
 * The place where a process is killed: before the act is stored, before it is sent, or before it is seen.
 * The last four are of a wallet that sends by itself and tells the hash afterwards.
 */
type End = (typeof ends)[number]
const ends = [
  ...(['unstored', 'unsent', 'unseen', 'refused', 'lost', 'done'] as const),
  ...(['requested', 'untold', 'declined', 'told'] as const),
]
const requested: readonly End[] = ['requested', 'untold', 'declined', 'told']

const fail = async (...of: ConstructorParameters<typeof Failure>): Promise<never> => {
  throw new Failure(...of)
}
/** Opens the keys in a store. */
const onceOf = (store: ActStore, resume: Parameters<typeof createOnce>[0]['resume']) =>
  createOnce({ store, resume, now: () => 0 })

type Report = Parameters<Parameters<Once['run']>[2]>[0]

const never = () => new Promise<never>(() => undefined)

/** A chain on which each signed act happens at most once, by its hash. */
function chainOfActs() {
  const sent: Hex[] = []
  let signed = 0
  const send = (txHash: Hex): Performed => {
    if (!sent.includes(txHash)) sent.push(txHash)
    return { act, txHash, ...noEffects, tokenIds: [BigInt(txHash)] }
  }
  /** Performs an act as a process does that ends so. */
  const perform =
    (end: End) =>
    async ({ onRequest, onSent }: Report) => {
      const txHash: Hex = `0x${(++signed).toString(16).padStart(64, '0')}`
      const at = (point: End, result: () => Promise<never>) =>
        end === point ? result() : undefined
      await at('unstored', never)
      await at('refused', () => fail('listing/not-for-rent', { tokenId: tokenId('1') }))
      if (requested.includes(end)) {
        onRequest()
        await at('declined', () => fail('ledger/unavailable', { operation: 'send' }))
        send(txHash)
        await at('requested', never)
        await at('untold', () => fail('transaction/unknown', {}))
      }
      onSent({ txHash, raw: '0x01' })
      await at('unsent', never)
      const performed = send(txHash)
      await at('unseen', never)
      await at('lost', () => fail('transaction/unconfirmed', { txHash }))
      return performed
    }
  return { sent, send, perform }
}

const isSettled = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => true), new Promise((done) => setImmediate(done, false))])

const stores: readonly (readonly [string, (folder: string) => () => ActStore])[] = [
  ['in memory', () => () => sharedMemory],
  ['in a file', (folder) => () => walletFile(folder)(wallet).acts],
]
let sharedMemory = actsInMemory()
const wallet = { chainId: 1, address, marketplace: address }

describe.each(stores)('the keys of acts %s', (_, openIn) => {
  test('have one effect each, whenever their processes are killed, and one answer', async () => {
    const call = fc.record({ key: fc.constantFrom('a', 'b'), end: fc.constantFrom(...ends) })
    const run = async (calls: readonly { readonly key: string; readonly end: End }[]) => {
      sharedMemory = actsInMemory()
      const folder = mkdtempSync(join(tmpdir(), 'once-'))
      await play(openIn(folder), calls).finally(() => rmSync(folder, { recursive: true }))
    }
    await fc.assert(fc.asyncProperty(fc.array(call, { maxLength: 12 }), run), { numRuns: 40 })
  })

  test('are taken by the process that stores its act first; the other sends nothing', async () => {
    sharedMemory = actsInMemory()
    const folder = mkdtempSync(join(tmpdir(), 'once-'))
    const open = openIn(folder)
    const chain = chainOfActs()
    const call = { key: 'a', fingerprint: 'rent' }
    const rivals = [1, 2, 3].map(() =>
      onceOf(open(), async ({ sent }) => chain.send(sent.txHash)).run(act, call, (report) =>
        Promise.resolve().then(() => chain.perform('done')(report)),
      ),
    )
    const answers = await Promise.all(rivals)
    expect(new Set(answers.map(({ txHash }) => txHash)).size).toBe(1)
    expect(chain.sent).toHaveLength(1)
    const other = onceOf(open(), never).recall({ key: 'a', fingerprint: 'fork' })
    await expect(other).rejects.toMatchObject({ code: 'idempotency/key-reused' })
    rmSync(folder, { recursive: true })
  })
})

type Call = { readonly key: string; readonly end: End }

/** Makes each call in a process of its own, and then each key once more in a process that lives. */
async function play(open: () => ActStore, calls: readonly Call[]): Promise<void> {
  const chain = chainOfActs()
  const make = ({ key, end }: Call) =>
    onceOf(open(), async ({ sent }) => chain.send(sent.txHash)).run(
      ...([act, { key, fingerprint: key }, chain.perform(end)] as const),
    )
  for (const call of calls) await isSettled(make(call).catch(() => undefined))
  const before = chain.sent.length
  expect(before).toBeLessThanOrEqual(2)
  const hashOf = (key: string) =>
    make({ key, end: 'done' }).then(
      ({ txHash }) => txHash,
      ({ code }) => code,
    )
  for (const key of ['a', 'b']) {
    const answers = [await hashOf(key), await hashOf(key)]
    expect(answers[1]).toEqual(answers[0])
    expect([...chain.sent, 'transaction/unknown']).toContain(answers[0])
  }
  expect(chain.sent).toHaveLength(2)
}

test('two calls of one process with one key are one act', async () => {
  const chain = chainOfActs()
  const once = onceOf(actsInMemory(), never)
  const call = { key: 'a', fingerprint: 'rent' }
  const both = [1, 2].map(() => once.run(act, call, chain.perform('done')))
  expect(await both[0]).toEqual(await both[1])
  expect(chain.sent).toHaveLength(1)
})

test('a key whose act never can happen is free, and what was performed stays when its store fails', async () => {
  const chain = chainOfActs()
  const store = actsInMemory()
  const call = { key: 'a', fingerprint: 'rent' }
  await isSettled(onceOf(store, never).run(act, call, chain.perform('unsent')))
  const next = onceOf(store, async () => undefined)
  expect(await next.recall(call)).toBeUndefined()
  const put = () => {
    throw new Error('The disk is full.')
  }
  const failed = onceOf({ ...store, put }, never).run(act, call, chain.perform('done'))
  await expect(failed).rejects.toThrow('The disk is full.')
  const after = onceOf(store, async ({ sent }) => chain.send(sent.txHash))
  expect((await after.recall(call))?.txHash).toBe(chain.sent[0])
  expect(chain.sent).toHaveLength(1)
})
