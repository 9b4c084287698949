import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { memoryMarketplaceAbi as abi } from '../../../../adapters/src/ledger/contracts.generated.ts'
import { findForkedToken, type Log } from './contracts.ts'

const marketplace = '0x00000000000000000000000000000000000000aa'
const creator = '0x00000000000000000000000000000000000000bb'

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
  expect(findForkedToken([forked(creator, 666n), forked(marketplace, 2n)], marketplace)).toBe('2')
  expect(findForkedToken([forked(creator, 666n)], marketplace)).toBeUndefined()
})
