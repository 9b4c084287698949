import { createRequire } from 'node:module'
import type { Abi } from 'viem'

// The compiler is a tool of the workspace; the package ships its output. It takes a second to load.
const workspace = createRequire(import.meta.url)
const solc = (): Solc => workspace('solc')

type Solc = {
  version(): string
  compile(input: string, callbacks: { import(path: string): object }): string
}

/** The position of an immutable value in the runtime code, in bytes. */
export type CodeRange = { readonly start: number; readonly length: number }

/** Solidity sources by path. */
export type Sources = Readonly<Record<string, string>>

/** A node of the compiler's syntax tree. */
export type Node = Readonly<Record<string, unknown>> & {
  readonly nodeType: string
  /** `start:length:file`, in bytes. */
  readonly src: string
}

/** Code and the positions of its immutable values. */
export type Code = {
  readonly object: string
  readonly immutableReferences?: Record<string, CodeRange[]>
}

/** The compiler's output for one contract. */
export type Compiled = {
  readonly abi: Abi
  readonly evm: { readonly bytecode: Code; readonly deployedBytecode: Code }
}

/** An error or a warning of the compiler. */
export type SolcMessage = {
  readonly severity: string
  readonly formattedMessage: string
  readonly sourceLocation?: { readonly file: string }
}

type SolcOutput = {
  readonly errors?: readonly SolcMessage[]
  readonly sources?: Readonly<Record<string, { readonly ast?: Node }>>
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Compiled>>>>
}

type Selection = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** The compiler outputs to select for a contract. */
export const code = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode']

/** The version of the compiler's package. */
export const packageVersion: string = workspace('solc/package.json').version

/** Returns the version of the compiler, in the format of block explorers. */
export const compilerVersion = (): string => `v${solc().version().replace('.Emscripten.clang', '')}`

/** The compiler settings of all contracts. */
export const settings = {
  evmVersion: 'osaka',
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
}

/** The ways in which a compilation differs from the usual one. */
export type SolcOptions = {
  /** Returns the source at an imported path. */
  readonly find?: (path: string) => string | undefined
  readonly optimizer?: { readonly enabled: boolean }
}

/** Compiles sources in memory; returns errors and warnings with the output instead of throwing. */
export function runSolc(
  sources: Sources,
  outputSelection: Selection,
  { find = () => undefined, ...options }: SolcOptions = {},
): SolcOutput {
  const entries = Object.entries(sources).map(([path, content]) => [path, { content }])
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(entries),
    settings: { ...settings, ...options, outputSelection },
  }
  const findContents = (path: string) => {
    const contents = find(path)
    return contents === undefined ? { error: `There is no ${path}.` } : { contents }
  }
  return JSON.parse(solc().compile(JSON.stringify(input), { import: findContents }))
}
