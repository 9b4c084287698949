import { isFailure } from '@heirloom/core'
import {
  type Abi,
  type AbiParameter,
  encodeErrorResult,
  keccak256,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { describe, expect, it } from 'vitest'
import {
  openContractHarness,
  party,
} from '../../packages/adapters/contracts/test/contract-harness.ts'
import {
  memoryMarketplaceAbi,
  memoryRegistryAbi,
} from '../../packages/adapters/src/ledger/contracts.generated.ts'
import { failureOfRevert } from '../../packages/adapters/src/ledger/revert.ts'
import { bare, read, rowsUnder } from './docs.ts'

const page = read('docs/contracts.md')

describe('the lists of docs/contracts.md', () => {
  const typeOf = ({ type, ...more }: AbiParameter) =>
    'internalType' in more && type.startsWith('tuple')
      ? (more.internalType ?? '').split('.').at(-1)
      : type
  const signatures = (abi: Abi, kind: 'function' | 'event' | 'error') =>
    abi.flatMap((item) =>
      item.type === kind
        ? `${item.name}(${item.inputs.map((one) => `${typeOf(one)} ${one.name}`).join(', ')})`
        : [],
    )
  const named = (of: string, column: readonly string[]) =>
    column.map((name) => `${of} ${bare(name)}`).toSorted()

  it.for([
    ['MemoryRegistry', memoryRegistryAbi],
    ['MemoryMarketplace', memoryMarketplaceAbi],
  ] as const)('lists every function of %s, and no other', ([name, abi]) => {
    const rows = rowsUnder(page, `## Functions of ${name}`)
    const documented = rows.map(([signature]) => bare(signature))
    expect(documented.toSorted()).toEqual(signatures(abi, 'function').toSorted())
    // A row of two cells is a view, which costs nothing.
    for (const [, , costs = ''] of rows.filter(({ length }) => length > 2)) {
      if (costs.startsWith('about ')) continue
      expect(read('docs/gas.md')).toContain(`| ${costs} `)
    }
  })

  it('lists every event, and no other', () => {
    const documented = rowsUnder(page, '## Events').map(
      ([of = '', event]) => `${of} ${bare(event)}`,
    )
    expect(documented.toSorted()).toEqual(
      [
        ...named('registry', signatures(memoryRegistryAbi, 'event')),
        ...named('marketplace', signatures(memoryMarketplaceAbi, 'event')),
      ].toSorted(),
    )
  })

  it('lists every error with its failure code, and no other', () => {
    const documented = rowsUnder(page, '## Errors').flatMap(([of = '', error, code]) =>
      (of === 'both' ? ['registry', 'marketplace'] : [of]).map(
        (contract) => `${contract} ${bare(error)} ${bare(code)}`,
      ),
    )
    const pairs = [
      ['registry', memoryRegistryAbi as Abi],
      ['marketplace', memoryMarketplaceAbi as Abi],
    ] as const
    const actual = pairs.flatMap(([contract, abi]) =>
      signatures(abi, 'error').map((error) => `${contract} ${error} ${codeOf(abi, error)}`),
    )
    expect(documented.toSorted()).toEqual(actual.toSorted())
  })

  function codeOf(abi: Abi, signature: string): string {
    const errorName = signature.split('(')[0] ?? ''
    const item = abi.find((one) => one.type === 'error' && one.name === errorName)
    const inputs = item?.type === 'error' ? item.inputs : []
    const zeros: Readonly<Record<string, unknown>> = { address: zeroAddress, bytes32: zeroHash }
    const args = inputs.map(({ type }) => zeros[type] ?? 0n)
    const failure = failureOfRevert({ data: encodeErrorResult({ abi, errorName, args }) })
    return isFailure(failure) ? failure.code : '—'
  }
})

describe('the numbers of docs/contracts.md', () => {
  it('are the gas of the ERC-721 functions, within 5 %', async () => {
    const { mined, registry } = await openContractHarness()
    const { address } = party(2)
    const account = party(1)
    const content = [keccak256(toHex('content')), keccak256(toHex('bundle')), 0n] as const
    for (const of of [account.address, account.address, account.address, address]) {
      await mined(registry.write.mint([of, ...content], { account }))
    }
    const move = [account.address, address] as const
    const { write } = registry
    const item = {
      recipient: account.address,
      contentHash: content[0],
      digest: content[1],
      parent: 0n,
    }
    const calls = {
      mintDescribed: () => write.mintDescribed([[item], [content[1]]], { account }),
      approve: () => write.approve([address, 1n], { account }),
      setApprovalForAll: () => write.setApprovalForAll([address, true], { account }),
      transferFrom: () => write.transferFrom([...move, 2n], { account }),
      safeTransferFrom: () => write.safeTransferFrom([...move, 3n], { account }),
    }
    for (const [name, send] of Object.entries(calls)) {
      expectAbout(name, (await mined(send())).gasUsed)
    }
  })

  const rows = rowsUnder(page, '## Functions of MemoryRegistry')

  function expectAbout(name: string, gas: bigint): void {
    const row = rows.find(([signature]) => bare(signature).startsWith(`${name}(`))
    const about = Number(/about ([\d,]+)/.exec(row?.[2] ?? '')?.[1]?.replace(',', ''))
    expect([name, Number(gas) / about]).toEqual([name, expect.closeTo(1, 1)])
  }

  it('are the most tokens of a batch for another recipient', async () => {
    const { client, registry } = await openContractHarness()
    const minted = async (size: number) => {
      const items = Array.from({ length: size }, (_, seed) => ({
        recipient: party(2).address,
        contentHash: keccak256(toHex(`content ${seed}`)),
        digest: keccak256(toHex(`bundle ${seed}`)),
        parent: 0n,
      }))
      const hash = await registry.write.mintBatch([items], { account: party(1), gas: 2n ** 24n })
      return (await client.getTransactionReceipt({ hash })).status
    }
    expect(page).toContain('| A batch for another recipient holds some 170 ')
    expect([await minted(170), await minted(180)]).toEqual(['success', 'reverted'])
  })

  it('are the widths of the packed fields', () => {
    const format = (value: bigint) => String(value).replace(/\B(?=(\d{3})+$)/g, ',')
    expect(page).toContain(`2^80 wei, ${format((2n ** 80n - 1n) / 10n ** 18n)} native tokens`)
    expect(page).toContain(`After ${format(2n ** 42n - 1n)} tokens`)
    const year = 1970 + Math.floor(2 ** 40 / (365.2425 * 86_400))
    expect(page).toContain(`the year ${year}`)
  })
})
