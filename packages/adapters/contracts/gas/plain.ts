import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { openContractHarness } from '../contract-harness.ts'
import { code, runSolc } from '../solc.ts'
import { type Gas, meter, participants } from './meter.ts'

const libraries = { PlainOpenZeppelin: 'OpenZeppelin', PlainSolady: 'Solady' }

/** Measures a mint with the usual ERC-721 libraries, which records nothing but the owner. */
export async function measurePlain(): Promise<Gas> {
  const harness = await openContractHarness()
  const { gas, measure } = meter(harness)
  const { creator: account } = participants
  for (const [name, library] of Object.entries(libraries)) {
    const { abi, bytecode } = compileLibrary(name)
    const address = await harness.deploy({ abi, bytecode })
    const mint = { address, abi, functionName: 'mint', args: [account.address], account }
    await measure('the first of its owner', harness.client.writeContract(mint))
    await measure(`mint, ${library}`, harness.client.writeContract(mint))
  }
  await harness.close()
  const { 'the first of its owner': _, ...steady } = gas
  return steady
}

// Solady's sources cause warnings, which `compileSolidity` treats as failures.
function compileLibrary(name: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const path = `test/yardstick/${name}.sol`
  const text = readFileSync(join(import.meta.dirname, '..', path), 'utf8')
  const { contracts, errors } = runSolc(
    { [path]: text },
    { [path]: { [name]: code } },
    { find: readPackage },
  )
  const compiled = contracts?.[path]?.[name]
  if (!compiled) throw new Error(errors?.map((error) => error.formattedMessage).join('\n'))
  return { abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` }
}

const require = createRequire(import.meta.url)

function readPackage(path: string): string {
  return readFileSync(require.resolve(path), 'utf8')
}
