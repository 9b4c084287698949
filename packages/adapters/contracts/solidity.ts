import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { type CodeRange, type Compiled, code, runSolc, settings } from './solc.ts'

/** The ABI and code of a compiled contract. */
export type Artifact = {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly runtime: Hex
  readonly immutables: readonly CodeRange[]
}

/** Compiles Solidity files of this folder; returns their contracts by name, throws on a warning. */
export function compileSolidity(paths: readonly string[]): Record<string, Artifact> {
  const { errors = [], contracts = {} } = runSolc(textsOf(paths), fullSelection, read)
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const entries = Object.values(contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(entries.map(([name, compiled]) => [name, artifactOf(compiled)]))
}

/** Returns the standard-JSON input for Solidity files of this folder, with all their imports. */
export function standardInput(paths: readonly string[]) {
  const texts = new Map(paths.map((path) => [path, read(path)]))
  // The compiler resolves the imports; with an empty selection it is fast.
  runSolc(textsOf(paths), {}, (path) => {
    texts.set(path, read(path))
    return read(path)
  })
  const sorted = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sorted.map(([path, content]) => [path, { content }])),
    settings: { ...settings, outputSelection: fullSelection },
  }
}

const fullSelection = { '*': { '*': code } }

const textsOf = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, read(path)]))

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
