// biome-ignore lint/correctness/noUndeclaredDependencies: the compiler is a tool of the workspace; the package ships its output.
import solc from 'solc'
import type { Abi } from 'viem'

/** Where the bytes of an immutable value stand in the runtime code. */
export type Place = { readonly start: number; readonly length: number }

/** Solidity text by path. */
export type Sources = Readonly<Record<string, string>>

/** A node of the syntax tree, as the compiler writes it. */
export type Node = Readonly<Record<string, unknown>> & {
  readonly nodeType: string
  /** `start:length:file`, in bytes. */
  readonly src: string
}

/** Code and where its immutable values stand. */
export type Code = {
  readonly object: string
  readonly immutableReferences?: Record<string, Place[]>
}

/** What the compiler makes of one contract. */
export type Compiled = {
  readonly abi: Abi
  readonly evm: { readonly bytecode: Code; readonly deployedBytecode: Code }
}

type Answer = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly sources?: Readonly<Record<string, { readonly ast: Node }>>
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, Compiled>>>>
}

type Selection = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** What is asked of a contract. */
export const code = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode']

/** The version of the compiler, as block explorers spell it. */
export const compilerVersion: string = `v${solc.version().replace('.Emscripten.clang', '')}`

/** How everything is compiled. */
export const settings = {
  evmVersion: 'osaka',
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
}

/** Asks the compiler about sources in memory, of which not all need be sound: a warning is not a failure here. */
export function askSolc(
  sources: Sources,
  outputSelection: Selection,
  find: (path: string) => string | undefined = () => undefined,
): Answer {
  const named = Object.entries(sources).map(([path, content]) => [path, { content }])
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(named),
    settings: { ...settings, outputSelection },
  }
  const findContents = (path: string) => {
    const contents = find(path)
    return contents === undefined ? { error: `There is no ${path}.` } : { contents }
  }
  return JSON.parse(solc.compile(JSON.stringify(input), { import: findContents }))
}
