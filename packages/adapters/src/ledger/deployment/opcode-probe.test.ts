import { type Hex, hexToBytes } from 'viem'
import { expect, test } from 'vitest'
import { compileSolidity } from '../../../contracts/solidity.ts'
import { probes } from './opcode-probe.ts'

/**
 * The opcodes since the merge, by byte. BLOBHASH and BLOBBASEFEE are missing: their bytes are the
 * letters I and J, which occur in string constants, and the compiler emits them only for code that
 * names them.
 */
const newOpcodes: ReadonlyMap<number, string> = new Map([
  [0x1e, 'CLZ'],
  [0x5c, 'TLOAD'],
  [0x5d, 'TSTORE'],
  [0x5e, 'MCOPY'],
  [0x5f, 'PUSH0'],
])
const [firstPush, lastPush] = [0x60, 0x7f]

/** Returns the opcodes in code, without the data that they push. */
function opcodesIn(code: Hex): readonly number[] {
  const bytes = hexToBytes(code)
  const opcodes = []
  for (let index = 0; index < bytes.length; index += 1) {
    const opcode = bytes[index] ?? 0
    opcodes.push(opcode)
    if (opcode >= firstPush && opcode <= lastPush) index += opcode - firstPush + 1
  }
  return opcodes
}

test('the probes are exactly the new opcodes of the contracts', () => {
  const contracts = compileSolidity(['src/MemoryMarketplace.sol'])
  const used = ['MemoryMarketplace', 'MemoryRegistry', 'Forwarder', 'Deposit']
    .flatMap((name) => opcodesIn(contracts[name]?.runtime ?? '0x'))
    .flatMap((opcode) => newOpcodes.get(opcode) ?? [])
  expect([...new Set(used)].toSorted()).toEqual(probes.map(({ opcode }) => opcode).toSorted())
})

test('each probe executes the opcode of its name, and no other new one', () => {
  for (const { opcode, creation } of probes) {
    const names = opcodesIn(creation).flatMap((it) => newOpcodes.get(it) ?? [])
    expect(names).toEqual([opcode])
  }
})
