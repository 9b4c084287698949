import type { Hex } from 'viem'
import { describePair } from '../../compile.ts'
import { type Node, runSolc, type SolcOptions, type Sources } from '../../solc.ts'
import { artifactOf, immutableNames, readSource } from '../../solidity.ts'

/** The exports that replace those of the generated files. */
export type Pair = ReturnType<typeof describePair> & { readonly memoryMarketplaceBytecode: Hex }

const entry = 'src/MemoryMarketplace.sol'
const outputs = [
  'abi',
  'evm.bytecode.object',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.immutableReferences',
]
const contractNames: Readonly<Record<string, string>> = {
  [entry]: 'MemoryMarketplace',
  'src/MemoryRegistry.sol': 'MemoryRegistry',
  'src/Forwarder.sol': 'Forwarder',
  'src/Deposit.sol': 'Deposit',
  'src/interfaces/IERC3009.sol': 'IERC3009',
}

/** Selects no more than is needed, because writing out the rest takes longer than compiling. */
function selectionFor(sources: Sources) {
  const selected = Object.entries(sources).map(([path, text]) => {
    // The names of the immutable values are only in the syntax trees of their files.
    const tree = text.includes(' immutable ') ? { '': ['ast'] } : {}
    const name = contractNames[path]
    return [path, name === undefined ? tree : { ...tree, [name]: outputs }]
  })
  return Object.fromEntries(selected)
}

/** Returns the sources of the contracts and of their libraries, with the syntax trees of our own. */
export function readSources(): {
  readonly sources: Sources
  readonly trees: ReadonlyMap<string, Node>
} {
  const sources: Record<string, string> = { [entry]: readSource(entry) }
  const find = (path: string) => {
    sources[path] = readSource(path)
    return sources[path]
  }
  const output = runSolc(sources, { '*': { '': ['ast'] } }, { find })
  const trees = Object.entries(output.sources ?? {})
    .filter(([path]) => path.startsWith('src/'))
    .flatMap(([path, { ast }]) => (ast ? [[path, ast] as const] : []))
  return { sources, trees: new Map(trees) }
}

/**
 * Compiles sources in memory; returns `undefined` when they do not compile. Without the optimizer it takes
 * a third of the time.
 */
export function compilePair(sources: Sources, options?: SolcOptions): Pair | undefined {
  const output = runSolc(sources, selectionFor(sources), options)
  const { contracts = {}, errors = [], sources: parsed = {} } = output
  if (errors.some(({ severity }) => severity === 'error')) return undefined
  const names = immutableNames(Object.values(parsed).map(({ ast }) => ast))
  const compiled = Object.values(contracts).flatMap((file) => Object.entries(file))
  const artifacts = Object.fromEntries(
    compiled.map(([name, contract]) => [name, artifactOf(contract, names)]),
  )
  const memoryMarketplaceBytecode = artifacts.MemoryMarketplace?.bytecode
  if (memoryMarketplaceBytecode === undefined) return undefined
  return { ...describePair(artifacts), memoryMarketplaceBytecode }
}
