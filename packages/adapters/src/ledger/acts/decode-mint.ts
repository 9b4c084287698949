import { decodeFunctionData, type Hex } from 'viem'
import { memoryRegistryAbi } from '../contracts.generated.ts'
import { encodeMint, type MintItem } from '../nonce-lane/job.ts'

const noCard: Hex = `0x${'0'.repeat(64)}`

/**
 * Decodes call data of the registry that mints exactly one token. Returns `undefined` for any other
 * call, and for one with bytes that do not belong to it.
 */
export function decodeMint(data: Hex): MintItem | undefined {
  const item = itemIn(data)
  return item !== undefined && encodeMint(item) === data.toLowerCase() ? item : undefined
}

function itemIn(data: Hex): MintItem | undefined {
  const call = decode(data)
  if (call?.functionName === 'mint') {
    const [recipient, contentHash, digest, parent] = call.args
    return { recipient, contentHash, digest, parent }
  }
  if (call?.functionName !== 'mintDescribed') return undefined
  const [[item, ...others], [card = noCard]] = call.args
  return item === undefined || others.length > 0 ? undefined : { ...item, card }
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: memoryRegistryAbi, data })
  } catch {
    return undefined
  }
}
