import { concat, type Hex, numberToHex, size } from 'viem'

/** A call, with the gas that it gets. */
type Call = { readonly to: Hex; readonly data: Hex; readonly gas: bigint }

/** The length of the code of one call, in bytes. */
const length = 70

/**
 * Returns the code of a creation that makes calls one after another, each with its gas alone, and that
 * reverts as the first one does which fails. So a node tries out at once what are two transactions.
 */
export function codeOfCalls(calls: readonly Call[]): Hex {
  let offset = calls.length * length + 1
  const parts = calls.map((call, index) => {
    const code = codeOfCall(call, { offset, end: (index + 1) * length - 1 })
    offset += size(call.data)
    return code
  })
  return concat([...parts, '0x00', ...calls.map(({ data }) => data)])
}

function codeOfCall(
  { to, data, gas }: Call,
  { offset, end }: { readonly offset: number; readonly end: number },
): Hex {
  const push = (value: number | bigint) => concat(['0x63', numberToHex(value, { size: 4 })])
  const bytes = push(size(data))
  return concat([
    ...([bytes, push(offset), '0x600039'] as const), // CODECOPY to 0.
    ...(['0x60006000', bytes, '0x6000600073', to, push(gas), '0xf1'] as const), // CALL without money.
    ...(['0x3d600060003e', push(end), '0x57', '0x3d6000fd5b'] as const), // REVERT with what it returned.
  ])
}
