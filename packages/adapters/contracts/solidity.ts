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

/** The version of the compiler, as block explorers spell it. */
export const compilerVersion: string = `v${solc.version().replace('.Emscripten.clang', '')}`

/** Compiles Solidity files of this folder and returns their contracts by name; a warning is a failure. */
export function compileSolidity(paths: readonly string[]): Record<string, Artifact> {
  const sources = Object.fromEntries(paths.map((path) => [path, { content: read(path) }]))
  const { errors = [], contracts = {} } = answerTo({ sources, settings }, read)
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const named = Object.values(contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(named.map(([name, compiled]) => [name, artifactOf(compiled)]))
}

/** Returns the standard-JSON input that compiles Solidity files of this folder with no other file at hand. */
export function standardInput(paths: readonly string[]) {
  const texts = new Map(paths.map((path) => [path, read(path)]))
  const sources = Object.fromEntries([...texts].map(([path, content]) => [path, { content }]))
  // The compiler itself says what is imported; to produce nothing makes it quick.
  answerTo({ sources, settings: { ...settings, outputSelection: {} } }, (path) => {
    texts.set(path, read(path))
    return read(path)
  })
  const sorted = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sorted.map(([path, content]) => [path, { content }])),
    settings,
  }
}

type Input = { readonly sources: object; readonly settings: object }

function answerTo(input: Input, imported: (path: string) => string): Answer {
  const callbacks = { import: (path: string) => ({ contents: imported(path) }) }
  return JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', ...input }), callbacks))
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
