import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
// biome-ignore lint/correctness/noUndeclaredDependencies: the compiler is a tool of the workspace; the package ships its output.
import solc from 'solc'
import type { Abi, Hex } from 'viem'

/** Where the bytes of an immutable value stand in the runtime code. */
export type Place = { readonly start: number; readonly length: number }

/** What the compiler makes of one contract. */
export type Artifact = {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly runtime: Hex
  readonly immutables: readonly Place[]
}

type Code = { readonly object: string; readonly immutableReferences?: Record<string, Place[]> }
type Compiled = {
  readonly abi: Abi
  readonly evm: { readonly bytecode: Code; readonly deployedBytecode: Code }
}
type Answer = {
  readonly errors?: readonly { readonly formattedMessage: string }[]
  readonly contracts?: Record<string, Record<string, Compiled>>
}

/** Compiles Solidity files of this folder and returns their contracts by name; a warning is a failure. */
export function compileSolidity(paths: readonly string[]): Record<string, Artifact> {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(paths.map((path) => [path, { content: read(path) }])),
    settings,
  }
  const { errors = [], contracts = {} }: Answer = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path: string) => ({ contents: read(path) }) }),
  )
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const named = Object.values(contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(named.map(([name, compiled]) => [name, artifactOf(compiled)]))
}

const settings = {
  evmVersion: 'osaka',
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: {
    '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode'] },
  },
}

const require = createRequire(import.meta.url)

function read(path: string): string {
  const file = path.startsWith('@') ? require.resolve(path) : join(import.meta.dirname, path)
  return readFileSync(file, 'utf8')
}

function artifactOf({ abi, evm }: Compiled): Artifact {
  const { bytecode, deployedBytecode } = evm
  const references = Object.values(deployedBytecode.immutableReferences ?? {})
  return {
    abi,
    bytecode: `0x${bytecode.object}`,
    runtime: `0x${deployedBytecode.object}`,
    immutables: references.flat().toSorted((a, b) => a.start - b.start),
  }
}
