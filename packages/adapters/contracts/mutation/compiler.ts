import type { Hex } from 'viem'
import { describePair } from '../compile.ts'
import { code, type Node, runSolc, type Sources } from '../solc.ts'
import { artifactOf, immutableNames, readSource } from '../solidity.ts'

/** The exports that replace those of the generated files. */
export type Pair = ReturnType<typeof describePair> & { readonly memoryMarketplaceBytecode: Hex }

const entry = 'src/MemoryMarketplace.sol'
const selection = {
  [entry]: { MemoryMarketplace: code },
  'src/MemoryRegistry.sol': { MemoryRegistry: code },
  'src/Forwarder.sol': { Forwarder: code },
  'src/Deposit.sol': { Deposit: code },
  'src/interfaces/IERC3009.sol': { IERC3009: code },
  // The names of the immutable values are only in the syntax trees.
  '*': { '': ['ast'] },
}

/** Returns the sources of the contracts and of their libraries, with the syntax trees of our own. */
export function readSources(): {
  readonly sources: Sources
  readonly trees: ReadonlyMap<string, Node>
} {
  const sources: Record<string, string> = { [entry]: readSource(entry) }
  const output = runSolc(sources, { '*': { '': ['ast'] } }, (path) => {
    sources[path] = readSource(path)
    return sources[path]
  })
  const trees = Object.entries(output.sources ?? {})
    .filter(([path]) => path.startsWith('src/'))
    .map(([path, { ast }]) => [path, ast] as const)
  return { sources, trees: new Map(trees) }
}

/** Compiles sources in memory; returns `undefined` when they do not compile. */
export function compilePair(sources: Sources): Pair | undefined {
  const { contracts = {}, errors = [], sources: parsed = {} } = runSolc(sources, selection)
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
