import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { askSolc, code } from '../solc.ts'
import { openStage } from '../contract-harness.ts'
import { cast, type Gas, meter } from './meter.ts'

const libraries = { PlainOpenZeppelin: 'OpenZeppelin', PlainSolady: 'Solady' }

/** Measures a mint of the libraries most projects build on, with nothing recorded of what is minted. */
export async function measurePlain(): Promise<Gas> {
  const stage = await openStage()
  const { gas, spend } = meter(stage)
  const { creator: account } = cast
  for (const [name, library] of Object.entries(libraries)) {
    const { abi, bytecode } = compileLibrary(name)
    const address = await stage.deploy({ abi, bytecode })
    const mint = { address, abi, functionName: 'mint', args: [account.address], account }
    await spend('the first of its owner', stage.client.writeContract(mint))
    await spend(`mint, ${library}`, stage.client.writeContract(mint))
  }
  await stage.close()
  const { 'the first of its owner': _, ...steady } = gas
  return steady
}

// Solady's sources draw warnings, which the compiler of the pair would take for failures.
function compileLibrary(name: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const path = `test/yardstick/${name}.sol`
  const text = readFileSync(join(import.meta.dirname, '..', path), 'utf8')
  const { contracts, errors } = askSolc({ [path]: text }, { [path]: { [name]: code } }, readPackage)
  const compiled = contracts?.[path]?.[name]
  if (!compiled) throw new Error(errors?.map((error) => error.formattedMessage).join('\n'))
  return { abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` }
}

const require = createRequire(import.meta.url)

function readPackage(path: string): string {
  return readFileSync(require.resolve(path), 'utf8')
}
