import { type Abi, type Hex, type PublicClient, toFunctionSelector } from 'viem'

/** The words of 32 bytes that a view returned, each as 0x and 64 hexadecimal digits. */
export type Words = (index: number) => Hex

/** Asks a view of a contract in one block, the newest when none is named. */
export type View = (args: readonly (bigint | Hex)[], block?: bigint) => Promise<Words>

export declare namespace viewOf {
  type Options = { readonly address: Hex; readonly abi: Abi; readonly name: string }
}

/** Returns a view whose arguments and results are all single words: numbers, addresses, bytes32. */
export function viewOf(client: PublicClient, { address, abi, name }: viewOf.Options): View {
  const view = abi.find((it) => it.type === 'function' && it.name === name)
  if (view?.type !== 'function') throw new Error(`The contract has no ${name}.`)
  const selector = toFunctionSelector(view)
  return async (args, block) => {
    const data = args.reduce<Hex>((text, arg) => `${text}${wordOf(arg)}`, selector)
    const tag = block === undefined ? 'latest' : (`0x${block.toString(16)}` as const)
    const answer = await client.request({
      method: 'eth_call',
      params: [{ to: address, data }, tag],
    })
    return wordsOf(answer, view.outputs.length)
  }
}

const wordOf = (value: bigint | Hex): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')

function wordsOf(answer: Hex, count: number): Words {
  // A node answers with nothing where there is no contract.
  if (answer.length !== 2 + 64 * count) throw new Error('The answer has another length.')
  return (index) => `0x${answer.slice(2 + 64 * index, 66 + 64 * index)}`
}
