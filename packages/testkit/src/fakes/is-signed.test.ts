import { account } from '@heirloom/core'
import { recoverMessageAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { pauperWallet, wallets } from '../harness.ts'
import { isSigned } from './is-signed.ts'

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
