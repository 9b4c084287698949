import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { compileOnce } from './artifact-cache.ts'
import { type Compiled, code, packageVersion, runSolc, type SolcMessage, settings } from './solc.ts'

/** An immutable value of a contract, and one of its positions in the runtime code, in bytes. */
export type Immutable = { readonly name: string; readonly start: number; readonly length: number }

/** The ABI and code of a compiled contract. */
export type Artifact = {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly runtime: Hex
  readonly immutables: readonly Immutable[]
}

/**
 * Compiles Solidity files of this folder; returns their contracts by name, throws on a warning about
 * them. Packages may cause warnings of a compiler that is younger than they are.
 */
export function compileSolidity(paths: readonly string[]): Record<string, Artifact> {
  const request = { compiler: packageVersion, settings, outputs, paths }
  return compileOnce(request, readSource, (find) => compileWith(paths, find))
}

const outputs = { '*': { '*': code, '': ['ast'] } }

function compileWith(
  paths: readonly string[],
  find: (path: string) => string,
): Record<string, Artifact> {
  const texts = Object.fromEntries(paths.map((path) => [path, find(path)]))
  const output = runSolc(texts, outputs, { find })
  const { errors: messages = [], contracts = {}, sources = {} } = output
  const errors = messages.filter((it) => !isForeignWarning(it))
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const names = immutableNames(Object.values(sources).map(({ ast }) => ast))
  const entries = Object.values(contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(entries.map(([name, compiled]) => [name, artifactOf(compiled, names)]))
}

type Declaration = {
  readonly mutability?: unknown
  readonly id?: unknown
  readonly name?: unknown
}

/** Returns the names of the immutable values by the identifiers that the compiler gave them. */
export function immutableNames(trees: readonly unknown[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const node: Declaration = value
    if (node.mutability === 'immutable') names.set(String(node.id), String(node.name))
    for (const child of Object.values(node)) visit(child)
  }
  for (const tree of trees) visit(tree)
  return names
}

/** Returns the immutable values of compiled runtime code, in the order of their positions. */
export function immutablesOf(
  { evm }: Compiled,
  names: ReadonlyMap<string, string>,
): readonly Immutable[] {
  const references = Object.entries(evm.deployedBytecode.immutableReferences ?? {})
  return references
    .flatMap(([id, ranges]) => ranges.map((range) => ({ name: names.get(id) ?? id, ...range })))
    .toSorted((a, b) => a.start - b.start)
}

/** Returns the standard-JSON input for Solidity files of this folder, with all their imports. */
export function standardInput(paths: readonly string[]) {
  const texts = new Map(paths.map((path) => [path, readSource(path)]))
  // The compiler resolves the imports; with an empty selection it is fast.
  const find = (path: string) => {
    texts.set(path, readSource(path))
    return readSource(path)
  }
  runSolc(textsOf(paths), {}, { find })
  const sorted = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sorted.map(([path, content]) => [path, { content }])),
    settings: { ...settings, outputSelection: fullSelection },
  }
}

const fullSelection = { '*': { '*': code } }

const textsOf = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, readSource(path)]))

const require = createRequire(import.meta.url)

const isInPackage = (path: string) => /^(@|solady\/)/.test(path)

const isForeignWarning = ({ severity, sourceLocation }: SolcMessage) =>
  severity !== 'error' && sourceLocation !== undefined && isInPackage(sourceLocation.file)

/** Reads a Solidity file of this folder, or of a package. */
export function readSource(path: string): string {
  const file = isInPackage(path) ? require.resolve(path) : join(import.meta.dirname, path)
  return readFileSync(file, 'utf8')
}

/** Returns the ABI and code of a compiled contract. */
export function artifactOf(compiled: Compiled, names: ReadonlyMap<string, string>): Artifact {
  const { bytecode, deployedBytecode } = compiled.evm
  return {
    abi: compiled.abi,
    bytecode: `0x${bytecode.object}`,
    runtime: `0x${deployedBytecode.object}`,
    immutables: immutablesOf(compiled, names),
  }
}
