import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { askSolc, type Compiled, code, type Place, settings } from './solc.ts'

/** What the compiler makes of one contract. */
export type Artifact = {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly runtime: Hex
  readonly immutables: readonly Place[]
}

/** Compiles Solidity files of this folder and returns their contracts by name; a warning is a failure. */
export function compileSolidity(paths: readonly string[]): Record<string, Artifact> {
  const { errors = [], contracts = {} } = askSolc(textsOf(paths), everything, read)
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const named = Object.values(contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(named.map(([name, compiled]) => [name, artifactOf(compiled)]))
}

/** Returns the standard-JSON input that compiles Solidity files of this folder with no other file at hand. */
export function standardInput(paths: readonly string[]) {
  const texts = new Map(paths.map((path) => [path, read(path)]))
  // The compiler itself says what is imported; to produce nothing makes it quick.
  askSolc(textsOf(paths), {}, (path) => {
    texts.set(path, read(path))
    return read(path)
  })
  const sorted = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sorted.map(([path, content]) => [path, { content }])),
    settings: { ...settings, outputSelection: everything },
  }
}

const everything = { '*': { '*': code } }

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
