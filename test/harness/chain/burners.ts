import { concat, type Hex, numberToHex, size } from 'viem'

/** The ways to use up gas: by steps, by calls with much data, or at once. */
export const burns = ['steps', 'data', 'invalid', 'revert', 'huge return'] as const
export type Burn = (typeof burns)[number]

/** The condition under which code uses up its gas; otherwise it answers `isValidSignature`. */
export type Face =
  | 'always'
  /** The agent wallet sends the transaction. */
  | { readonly origin: Hex }
  /** More gas is left than that. */
  | { readonly above: number }
  /** Less gas is left than that. */
  | { readonly below: number }
  /** A block is reached. */
  | { readonly from: bigint }

const push2 = (value: number): Hex => concat(['0x61', numberToHex(value, { size: 2 })])
const push3 = (value: number): Hex => concat(['0x62', numberToHex(value, { size: 3 })])

/** Returns the code that leaves whether to burn on the stack. */
function conditionOf(face: Face): Hex {
  if (face === 'always') return '0x6001'
  if ('origin' in face) return concat(['0x3273', face.origin, '0x14'])
  if ('above' in face) return concat([push3(face.above), '0x5a11'])
  if ('below' in face) return concat([push3(face.below), '0x5a10'])
  // NUMBER + 1 > from
  return concat([push3(Number(face.from)), '0x6001430111'])
}

const magic = '0x631626ba7e60e01b5f5260205ff3'
/** The size of the data of each call, in bytes, with which little gas takes most memory. */
const dataSize = 0x2_7f00

function burnAt(burn: Burn, at: number): Hex {
  if (burn === 'invalid') return '0x5bfe'
  if (burn === 'revert') return '0x5b5f5ffd'
  if (burn === 'huge return') return concat(['0x5b', push3(0xff_ffff), '0x5ff3'])
  if (burn === 'steps') return concat([`0x${'5b'.repeat(150)}`, push2(at), '0x56'])
  const fill = concat(['0x5b5f', push3(dataSize - 32), '0x52'])
  const call = concat(['0x5f5f', push3(dataSize), '0x5f', push2(0x1f0), '0x5ffa50'])
  const loop = concat(['0x5b', ...Array<Hex>(10).fill(call), push2(at + size(fill)), '0x56'])
  return concat([fill, loop])
}

/** Returns the code of a contract that seems harmless until it burns its gas. */
export function burner(face: Face, burn: Burn): Hex {
  const condition = conditionOf(face)
  const at = size(condition) + 4 + size(magic)
  return concat([condition, push2(at), '0x57', magic, burnAt(burn, at)])
}

/** Returns the code that deploys other code. */
export const creationOf = (code: Hex): Hex =>
  concat([push2(size(code)), '0x600d5f39', push2(size(code)), '0x5ff3fe', code])
