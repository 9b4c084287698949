import { type Dollars, dollars } from '@heirloom/core'
import { type Abi, erc20Abi, type Hex, type PublicClient, toFunctionSelector } from 'viem'
import { callNode } from './node-call.ts'

/** The 32-byte words that a view returned, by index, each as 0x and 64 hexadecimal digits. */
export type Words = (index: number) => Hex

/** Calls a view of a contract in a block, by its number or its hash, the newest by default. */
export type View = (args: readonly (bigint | Hex)[], block?: bigint | Hex) => Promise<Words>

export declare namespace viewOf {
  type Options = { readonly address: Hex; readonly abi: Abi; readonly name: string }
}

/** Returns a view whose arguments and results are all single words: numbers, addresses, bytes32. */
export function viewOf(
  client: Pick<PublicClient, 'request'>,
  { address, abi, name }: viewOf.Options,
): View {
  const view = abi.find((it) => it.type === 'function' && it.name === name)
  if (view?.type !== 'function') throw new Error(`The contract has no ${name}.`)
  const selector = toFunctionSelector(view)
  return async (args, block) => {
    const data = args.reduce<Hex>((text, arg) => `${text}${encodeWord(arg)}`, selector)
    const result = await client.request({
      method: 'eth_call',
      params: [{ to: address, data }, blockOf(block)],
    })
    return wordsOf(result, view.outputs.length)
  }
}

/** Returns a block as a node takes it (EIP-1898); one that was reorganised away is refused. */
function blockOf(block: bigint | Hex | undefined) {
  if (typeof block === 'string') return { blockHash: block, requireCanonical: true }
  return block === undefined ? 'latest' : (`0x${block.toString(16)}` as const)
}

const encodeWord = (value: bigint | Hex): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')

function wordsOf(result: Hex, count: number): Words {
  // A node answers `0x` where there is no contract.
  if (result.length !== 2 + 64 * count) throw new Error('The answer has another length.')
  return (index) => `0x${result.slice(2 + 64 * index, 66 + 64 * index)}`
}

/**
 * Returns the number that a view of a contract returns first, in the newest block.
 *
 * @throws `ledger/unavailable`
 */
export async function readNumber(
  client: Pick<PublicClient, 'request'>,
  view: viewOf.Options,
  args: readonly (bigint | Hex)[],
): Promise<bigint> {
  const read = viewOf(client, view)
  return BigInt((await callNode(view.name, () => read(args)))(0))
}

/**
 * Returns the balance of an account in dollars.
 *
 * @throws `ledger/unavailable`
 */
export const dollarBalanceOf = async (
  client: Pick<PublicClient, 'request'>,
  dollar: Hex,
  holder: Hex,
): Promise<Dollars> =>
  dollars(await readNumber(client, { address: dollar, abi: erc20Abi, name: 'balanceOf' }, [holder]))
