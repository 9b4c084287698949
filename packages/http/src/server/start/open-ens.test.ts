import { account, instant } from '@heirloom/core'
import { expect, test } from 'vitest'
import { openEns } from './account-parts.ts'

const registry = account(`0x${'4'.repeat(40)}`)
const clock = { now: () => instant(0) }

/** Returns the registry that a search for a name calls; undefined for none. */
async function registryOn(chainId: number, ens: Parameters<typeof openEns>[1]['ens']) {
  const calls: unknown[] = []
  const request = async ({ params }: { readonly params?: unknown }) => {
    calls.push((params as readonly { readonly to: string }[])[0]?.to)
    return '0x'
  }
  await openEns({ source: { request }, chainId }, { ens }, clock)?.find('ada.eth')
  return calls[0]
}

test('a well-known chain has its registry, unless another is named or none', async () => {
  const usual = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'
  for (const chainId of [1, 11_155_111, 17_000]) {
    expect(await registryOn(chainId, undefined)).toBe(usual)
    expect(await registryOn(chainId, registry)).toBe(registry)
    expect(await registryOn(chainId, 'none')).toBeUndefined()
  }
})

test('another chain has names where a registry is named', async () => {
  expect(await registryOn(31_337, undefined)).toBeUndefined()
  expect(await registryOn(8453, registry)).toBe(registry)
})
