import { account, instant } from '@heirloom/core'
import fc from 'fast-check'
import { recoverMessageAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { pauperWallet, wallets } from '../harness.ts'
import { memoryBlobStore } from './blob-store.ts'
import { memoryCipher, seededBytes } from './cipher.ts'
import { stoppedClock } from './clock.ts'
import { isSigned } from './is-signed.ts'

describe('stoppedClock', () => {
  test('stands until it is advanced, and never goes back', () => {
    const clock = stoppedClock(instant(5))
    expect([clock.now(), clock.now()]).toEqual([5, 5])
    clock.advance(3)
    expect(clock.now()).toBe(8)
    expect(() => clock.advance(-1)).toThrow(expect.objectContaining({ code: 'value/invalid' }))
    expect(clock.now()).toBe(8)
  })
})

const context = {
  registry: { chainId: 1, address: account(`0x${'1'.repeat(40)}`) },
  creator: account(`0x${'2'.repeat(40)}`),
}

describe('memoryCipher', () => {
  const document = new TextEncoder().encode('{"data":{},"metadata":{"category":"x"}}')

  test('repeats itself for the same randomness', async () => {
    const seal = (seed: number) =>
      memoryCipher({ random: seededBytes(seed) }).seal(document, context, {
        blobs: memoryBlobStore(),
      })
    expect(await seal(1)).toEqual(await seal(1))
    expect(await seal(1)).not.toEqual(await seal(2))
  })

  test('opens what another sealed', async () => {
    const { sealed } = await memoryCipher({ random: seededBytes(1) }).seal(document, context, {
      blobs: memoryBlobStore(),
    })
    const opener = memoryCipher({ random: seededBytes(2) })
    expect((await opener.open(sealed, context, memoryBlobStore())).document).toEqual(document)
  })
})

describe('memoryBlobStore', () => {
  test('stores a copy that later changes of the caller do not reach', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), async (bytes) => {
        const store = memoryBlobStore()
        const original = bytes.slice()
        const name = await store.put(bytes)
        bytes.fill(7)
        ;(await store.get(name)).fill(9)
        expect(await store.get(name)).toEqual(original)
      }),
    ))
})

describe('the test wallets', () => {
  test('are five different wallets, the same in every run', () => {
    const addresses = [...wallets, pauperWallet].map(({ address }) => address)
    expect(addresses).toMatchInlineSnapshot(`
      [
        "0xeDBAbd02Ba663C7b07Ca42b889B0dc3b8015aC73",
        "0x684dA970e793777bBcdE1f9cfeFeA32d98447790",
        "0x0EA231d76Bec0eF561A014e5b5234846cb91Aba7",
        "0x4D4994773FF14dD02E4C4eD4C0a1dCD5d79dB343",
        "0x784D13349BB54c526f523888DA2f08C58EEb10ba",
      ]
    `)
    expect(new Set(addresses).size).toBe(5)
  })
})

describe('isSigned', () => {
  test('agrees with viem', async () => {
    const message = 'service:access:1:me:0'
    const signature = await pauperWallet.signMessage({ message })
    expect(await recoverMessageAddress({ message, signature })).toBe(pauperWallet.address)
    expect(await isSigned({ account: account(pauperWallet.address), message, signature })).toBe(
      true,
    )
  })
})
