import { type Hex, hexToBytes } from 'viem'
import { expect, test } from 'vitest'
import { memoryMarketplaceRuntime, memoryRegistryRuntime } from '../contracts.generated.ts'
import { probes } from './opcode-probe.ts'

/**
 * The instructions that came after the merge, by their bytes. BLOBHASH and BLOBBASEFEE are left out:
 * they are the letters I and J, which a text in the code has too, and the compiler writes them for
 * nobody who does not name them.
 */
const young: ReadonlyMap<number, string> = new Map([
  [0x1e, 'CLZ'],
  [0x5c, 'TLOAD'],
  [0x5d, 'TSTORE'],
  [0x5e, 'MCOPY'],
  [0x5f, 'PUSH0'],
])
const [firstPush, lastPush] = [0x60, 0x7f]

/** Returns the instructions of a code without the words that they push. */
function instructionsOf(code: Hex): readonly number[] {
  const bytes = hexToBytes(code)
  const instructions = []
  for (let at = 0; at < bytes.length; at += 1) {
    const instruction = bytes[at] ?? 0
    instructions.push(instruction)
    if (instruction >= firstPush && instruction <= lastPush) at += instruction - firstPush + 1
  }
  return instructions
}

test('a deployment is tried with every young instruction that the contracts have, and no other', () => {
  const used = [memoryMarketplaceRuntime, memoryRegistryRuntime]
    .flatMap(({ code }) => instructionsOf(code))
    .flatMap((instruction) => young.get(instruction) ?? [])
  expect([...new Set(used)].toSorted()).toEqual(probes.map(({ opcode }) => opcode).toSorted())
})

test('each trial runs the instruction that it is named after', () => {
  for (const { opcode, creation } of probes) {
    const names = instructionsOf(creation).flatMap((instruction) => young.get(instruction) ?? [])
    expect(names).toEqual([opcode])
  }
})
