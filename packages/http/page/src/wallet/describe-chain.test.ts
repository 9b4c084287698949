import { expect, test } from 'vitest'
import { describeChain } from './wrong-chain.tsx'

test('describes a chain by the settings of its server', () => {
  expect(
    describeChain({
      chainId: 84_532,
      rpcUrl: 'https://sepolia.base.org',
      chainName: 'Base Sepolia',
      explorerUrl: 'https://sepolia.basescan.org',
    }),
  ).toEqual({
    chainId: '0x14a34',
    chainName: 'Base Sepolia',
    rpcUrls: ['https://sepolia.base.org'],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    blockExplorerUrls: ['https://sepolia.basescan.org'],
  })
})

test('takes the native currency of the chain', () => {
  const nativeCurrency = { name: 'POL', symbol: 'POL', decimals: 18 }
  const chain = { chainId: 137, rpcUrl: 'https://node.example', nativeCurrency }
  expect(describeChain(chain)).toMatchObject({ nativeCurrency })
})

test('names a chain by its number, and leaves out what is not the address of a web page', () => {
  const chain = describeChain({
    chainId: 10,
    rpcUrl: 'https://node.example',
    explorerUrl: 'javascript:alert(1)',
  })
  expect(chain).toMatchObject({ chainName: 'Chain 10' })
  expect(chain).not.toHaveProperty('blockExplorerUrls')
})

test.each([undefined, null, '', '/rpc', 'ftp://node.example', 'javascript:alert(1)'])(
  'describes no chain with the node %j',
  (rpcUrl) => {
    expect(describeChain({ chainId: 10, rpcUrl: rpcUrl as never })).toBeUndefined()
  },
)
