import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { type CodeRange, type Compiled, code, type Node, runSolc, type Sources } from '../solc.ts'

/** The exports that replace those of the generated file. */
export type Pair = {
  readonly memoryRegistryAbi: Abi
  readonly memoryMarketplaceAbi: Abi
  readonly memoryMarketplaceBytecode: Hex
  readonly memoryRegistryRuntime: Runtime
  readonly memoryMarketplaceRuntime: Runtime
}
type Runtime = { readonly code: Hex; readonly immutables: readonly CodeRange[] }

const entry = 'src/MemoryMarketplace.sol'
const registryPath = 'src/MemoryRegistry.sol'
const selection = { [entry]: { MemoryMarketplace: code }, [registryPath]: { MemoryRegistry: code } }

/** Returns the sources of the contracts with their syntax trees. */
export function readSources(): {
  readonly sources: Sources
  readonly trees: ReadonlyMap<string, Node>
} {
  const sources: Record<string, string> = { [entry]: read(entry) }
  const output = runSolc(sources, { '*': { '': ['ast'] } }, (path) => {
    sources[path] = read(path)
    return sources[path]
  })
  const trees = Object.entries(output.sources ?? {}).map(([path, { ast }]) => [path, ast] as const)
  return { sources, trees: new Map(trees) }
}

/** Compiles sources in memory; returns `undefined` when they do not compile. */
export function compilePair(sources: Sources): Pair | undefined {
  const { contracts, errors = [] } = runSolc(sources, selection)
  const registry = contracts?.[registryPath]?.MemoryRegistry
  const marketplace = contracts?.[entry]?.MemoryMarketplace
  const failed = errors.some(({ severity }) => severity === 'error')
  if (failed || !registry || !marketplace) return undefined
  return {
    memoryRegistryAbi: registry.abi,
    memoryMarketplaceAbi: marketplace.abi,
    memoryMarketplaceBytecode: `0x${marketplace.evm.bytecode.object}`,
    memoryRegistryRuntime: runtimeOf(registry),
    memoryMarketplaceRuntime: runtimeOf(marketplace),
  }
}

function read(path: string): string {
  return readFileSync(join(import.meta.dirname, '..', path), 'utf8')
}

function runtimeOf({ evm }: Compiled): Runtime {
  const { object, immutableReferences = {} } = evm.deployedBytecode
  const immutables = Object.values(immutableReferences).flat()
  return { code: `0x${object}`, immutables: immutables.toSorted((a, b) => a.start - b.start) }
}
