import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import {
  memoryMarketplaceAbi as abi,
  memoryRegistryAbi,
} from '../../../../adapters/src/ledger/contracts.generated.ts'
import type { Act } from './act.ts'
import { findMintedToken } from './find-minted-token.ts'
import type { Log } from './receipt-log.ts'

const marketplace = '0x00000000000000000000000000000000000000aa'
const registry = '0x00000000000000000000000000000000000000dd'
const creator = '0x00000000000000000000000000000000000000bb'
const contracts = { marketplace, registry }
const fork: Act = {
  kind: 'fork',
  tokenId: '1',
  currency: 'native',
  price: '1',
  royaltyBps: 0,
  seller: creator,
}

const forked = (address: Hex, tokenId: bigint): Log => ({
  address,
  topics: encodeEventTopics({
    abi,
    eventName: 'Forked',
    args: { parent: 1n, tokenId, forker: creator },
  }) as Hex[],
  data: encodeAbiParameters(parseAbiParameters('address, uint256, uint256'), [creator, 0n, 1n]),
})

test('finds the child of a fork in the logs of the marketplace only', () => {
  const logs = [forked(creator, 666n), forked(marketplace, 2n)]
  expect(findMintedToken(fork, logs, contracts)).toBe('2')
  expect(findMintedToken(fork, [forked(creator, 666n)], contracts)).toBeUndefined()
})

const contentHash: Hex = `0x${'a'.repeat(64)}`

const minted = (address: Hex, tokenId: bigint, hash: Hex): Log => ({
  address,
  topics: encodeEventTopics({
    abi: memoryRegistryAbi,
    eventName: 'Minted',
    args: { tokenId, creator, contentHash: hash },
  }) as Hex[],
  data: encodeAbiParameters(parseAbiParameters('bytes32, uint256, uint256'), [hash, 0n, 0n]),
})

test('finds the token of a mint by its content, in the logs of the registry only', () => {
  const seal = {
    ...({ contentHash, digest: contentHash, parent: '0', creator, chainId: 1, registry } as const),
    ...{ expiresAt: 0, name: '' },
  }
  const mint: Act = { kind: 'mint', seal }
  const other: Hex = `0x${'b'.repeat(64)}`
  const logs = [minted(creator, 666n, contentHash), minted(registry, 3n, other)]
  expect(findMintedToken(mint, logs, contracts)).toBeUndefined()
  expect(findMintedToken(mint, [...logs, minted(registry, 4n, contentHash)], contracts)).toBe('4')
})
